import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepLooking } from "../../../src/cli/page/keep-looking.ts";
import type { PageLook } from "../../../src/cli/page/look-at-curation.ts";
import { measureText } from "../../../src/cli/page/measure-apart.ts";
import { openCalls } from "../../../src/cli/page/open-calls.ts";
import { openExcerpts } from "../../../src/cli/page/open-excerpts.ts";
import { cutBytes, tellExchanges } from "../../../src/cli/page/tell-exchanges.ts";
import type { RunEvent, UpstreamRequest } from "../../../src/model/exchange.ts";
import { createSecretHider } from "../../../src/run/hide-secrets.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-parts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("the lines around a finding", () => {
  test("are three before and three behind it, cut where they are long", () => {
    const file = fileOf("a.yaml", Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join("\n"));
    const excerpt = openExcerpts(new Set([file]));
    expect(excerpt(file, 5)).toStrictEqual({ firstLine: 2, lines: [2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}`) });
    expect(excerpt(file, 1)).toMatchObject({ firstLine: 1, lines: { length: 4 } });
    const long = fileOf("long.yaml", "x".repeat(1_000));
    expect(openExcerpts(new Set([long]))(long, 1)?.lines[0]).toMatch(/^x{200}… \(800 more characters\)$/);
    const sly = fileOf("sly.yaml", "use: \u202Eevil\u200B");
    expect(openExcerpts(new Set([sly]))(sly, 1)?.lines).toStrictEqual(["use: \\u{202E}evil\\u{200B}"]);
  });

  test("are of no other file, and of none that is not there", () => {
    const file = fileOf("b.yaml", "one");
    const excerpt = openExcerpts(new Set([join(folder, "gone.yaml")]));
    expect([excerpt(file, 1), excerpt(join(folder, "gone.yaml"), 1), excerpt("/etc/passwd", 1)]).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(openExcerpts(new Set([file]))(file, 2)).toBeUndefined();
  });

  test.each([
    ["auth: { key: { apiKey: canary-1 } }", "auth: { key: { apiKey: *** } }"],
    ["  bearer: 'canary, 2'", "  bearer: ***"],
    ['{"password":"canary","username":"a"}', '{"password":***,"username":"a"}'],
    ['  clientSecret: "${env.SECRET}"', '  clientSecret: "${env.SECRET}"'],
    ["  apiKey: { value: 1 }", "  apiKey: { value: 1 }"],
  ])("show no credential that stands in the file: %s", (line, shown) => {
    const file = fileOf("secret.yaml", line);
    expect(openExcerpts(new Set([file]))(file, 1)?.lines).toStrictEqual([shown]);
  });
});

describe("looking at a curation", () => {
  const look = (n: number): PageLook => ({ findings: [], furtherFindings: n, entries: [], isBroken: false, files: [] });

  test("begins when somebody asks, once, and again when it has changed", async () => {
    const finish: ((one: PageLook) => void)[] = [];
    let told = 0;
    const looking = keepLooking(
      () => new Promise((resolve) => finish.push(resolve)),
      () => {
        told += 1;
      },
      () => {},
    );
    expect(finish).toHaveLength(0);
    expect([looking.latest(), looking.latest()]).toStrictEqual([{ isPending: true }, { isPending: true }]);
    expect(finish).toHaveLength(1);
    // What changes meanwhile is looked at when this look is done.
    looking.again();
    finish[0]!(look(1));
    await expect.poll(() => told).toBe(2);
    expect(looking.latest()).toStrictEqual({ look: look(1), isPending: true });
    finish[1]!(look(2));
    await expect.poll(() => told).toBe(3);
    expect(looking.latest()).toStrictEqual({ look: look(2), isPending: false });
    expect(finish).toHaveLength(2);
  });

  test("one that fails is told, and is not tried again and again", async () => {
    const reported: unknown[] = [];
    let looks = 0;
    const looking = keepLooking(
      async () => {
        looks += 1;
        throw new Error("out of memory");
      },
      () => void looking.latest(),
      (error) => reported.push(error),
    );
    looking.latest();
    await expect.poll(() => reported).toHaveLength(1);
    expect([looks, looking.latest()]).toStrictEqual([1, { isPending: false }]);
  });
});

describe("the calls of an events file", () => {
  const line = (more: object): string =>
    JSON.stringify({
      schema: "events.v1",
      ts: "2026-11-29T12:00:00.000Z",
      tool: "one",
      latency_ms: 10,
      ok: true,
      is_error: false,
      error_channel: null,
      bytes_out: 100,
      bytes_upstream: 1_000,
      ...more,
    });
  const names = () => new Set(["one", "two"]);

  test("are counted by tool and over time, strangers' names together", async () => {
    const file = fileOf(
      "events.jsonl",
      [
        line({}),
        line({
          ts: "2026-11-29T12:00:30.000Z",
          latency_ms: 30,
          ok: false,
          is_error: true,
          error_channel: "tool_result",
        }),
        line({ tool: "stranger", ok: false, is_error: null, error_channel: "protocol" }),
        line({ tool: "two", ts: "2026-11-29T12:02:00.000Z", lost: 3 }),
        "torn {",
      ].join("\n"),
    );
    const { tools, ...whole } = await openCalls(file, names)();
    expect(whole).toStrictEqual({
      from: "2026-11-29T12:00:00.000Z",
      to: "2026-11-29T12:02:00.000Z",
      bucketMs: 5_000,
      lost: 3,
      faulty: 1,
      isPart: false,
    });
    expect(tools.map(({ tool, calls, errors, p50, p95 }) => [tool, calls, errors, p50, p95])).toStrictEqual([
      ["one", 2, 1, 10, 30],
      [null, 1, 1, null, null],
      ["two", 1, 0, 10, 10],
    ]);
    expect(tools[0]!.overTime).toHaveLength(25);
    expect(tools[0]!.overTime[6]).toStrictEqual({ calls: 1, errors: 1, p95: 30 });
    expect(tools[0]).toMatchObject({ bytesOut: 100, bytesUpstream: 1_000 });
  });

  test("are read again when there are more, and none is no error", async () => {
    const file = join(folder, "later.jsonl");
    const calls = openCalls(file, names);
    expect(await calls()).toMatchObject({ from: null, tools: [] });
    writeFileSync(file, `${line({})}\n`);
    expect((await calls()).tools).toHaveLength(1);
    writeFileSync(file, `${line({})}\n${line({ tool: "two" })}\n`);
    expect((await calls()).tools).toHaveLength(2);
  });

  test("are read on from where they were, also behind a line that was not whole, and anew in another file", async () => {
    const file = join(folder, "grown.jsonl");
    const calls = openCalls(file, names);
    const counts = async () => {
      const { tools, faulty, lost } = await calls();
      return [...tools.map(({ tool, calls: count }) => [tool, count]), faulty, lost];
    };
    const whole = line({ tool: "two", lost: 2, ts: "2026-11-29T12:00:09.000Z" });
    writeFileSync(file, `${line({})}\n{"torn\n${whole.slice(0, 40)}`);
    expect(await counts()).toStrictEqual([["one", 1], 2, 0]);
    appendFileSync(file, whole.slice(40));
    expect(await counts()).toStrictEqual([["one", 1], ["two", 1], 1, 2]);
    appendFileSync(file, `\n${line({})}\n`);
    expect(await counts()).toStrictEqual([["one", 2], ["two", 1], 1, 2]);
    renameSync(file, `${file}.1`);
    writeFileSync(file, `${line({ tool: "two" })}\n`);
    expect(await counts()).toStrictEqual([["two", 1], 0, 0]);
    expect((await calls()).isPart).toBe(true);
  });

  test("that were read already are not read again", async () => {
    const file = fileOf("read-once.jsonl", `${line({})}\n`);
    const calls = openCalls(file, names);
    await calls();
    // As long as it was, so whoever reads it again finds two of "two".
    writeFileSync(file, `${line({ tool: "two" })}\n${line({ tool: "two" })}\n`);
    expect((await calls()).tools.map(({ tool, calls: count }) => [tool, count])).toStrictEqual([
      ["one", 1],
      ["two", 1],
    ]);
  });

  test.each(["/dev/full", tmpdir()])("of what is no file are none: %s", async (path) => {
    expect(await openCalls(path, names)()).toMatchObject({ from: null, tools: [], faulty: 0 });
  });
});

describe("what was sent and got", () => {
  const request: UpstreamRequest = { operation: "GET /a", method: "GET", url: "http://a/a", headers: [], safe: true };
  const hider = createSecretHider(["canary-of-an-answer"]);
  const answered = (text: string): RunEvent => ({
    type: "reply",
    tool: "one",
    request,
    ms: 1,
    reply: {
      status: 200,
      headers: new Map(),
      bytes: Buffer.byteLength(text),
      body: { kind: "text", text, mediaType: "text/plain" },
    },
  });

  test("is 256 kB of all answers together, and it is said how much more there was", async () => {
    const { exchanges, upstream } = await tellExchanges(
      [answered("ä".repeat(100_000)), answered("b".repeat(100_000))],
      hider,
      false,
    );
    const [first, second] = exchanges.map(({ answer }) => (answer?.kind === "answered" ? answer : undefined));
    expect([first?.text.length, first?.cutBytes]).toStrictEqual([100_000, 0]);
    expect([second?.text.length, second?.cutBytes]).toStrictEqual([56_000, 44_000]);
    expect(upstream.bytes).toBe(300_000);
  });

  test("hides a secret across the place where it is cut", async () => {
    const text = `${"a".repeat(255_990)}canary-of-an-answer and more`;
    const { exchanges } = await tellExchanges([answered(text)], hider, false);
    expect(JSON.stringify(exchanges)).toContain("a***");
    expect(JSON.stringify(exchanges)).not.toContain("canary");
  });

  test("is the first hundred exchanges, and the number of the others", async () => {
    const { exchanges, furtherExchanges, upstream } = await tellExchanges(
      Array.from({ length: 120 }, () => answered("x")),
      hider,
      false,
    );
    expect([exchanges.length, furtherExchanges, upstream.bytes]).toStrictEqual([100, 20, 120]);
  });

  test("tells of a failure without its secrets, and of a withheld one nothing", async () => {
    const failed: RunEvent = { type: "failure", tool: "one", request, error: new Error("canary-of-an-answer"), ms: 1 };
    const told = async (isWithheld: boolean) => (await tellExchanges([failed], hider, isWithheld)).exchanges[0]?.answer;
    expect(await told(false)).toStrictEqual({ kind: "failed", message: "***" });
    expect(await told(true)).toStrictEqual({ kind: "failed", message: "The request failed; the reply says how." });
  });

  test.each([
    ["abc", 2, "ab"],
    ["äöü", 3, "ä"],
    ["a😀b", 4, "a"],
    ["abc", 3, "abc"],
    ["abc", 0, ""],
  ])("%s cut at %i bytes is whole characters", (text, most, cut) => {
    expect(cutBytes(text, most)).toBe(cut);
  });

  test("counts the tokens of a long text by a part of it", async () => {
    const short = await measureText("one two three ".repeat(100));
    expect(short).toMatchObject({ bytes: 1_400, tokens: expect.any(Number) });
    expect(short.isEstimate).toBeUndefined();
    const long = await measureText("one two three ".repeat(100_000));
    expect(long.isEstimate).toBe(true);
    expect(long.tokens / short.tokens).toBeCloseTo(1_000, -2);
  });
});
