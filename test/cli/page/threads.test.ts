import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadHere } from "../../../src/cli/page/load-here.ts";
import { openMeasuring } from "../../../src/cli/page/open-measuring.ts";
import type { PageCalls, PageData, TryAnswer } from "../../../src/web/page-data.ts";
import { start } from "../running.ts";
import { openShop } from "../shop.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-threads-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("measuring in a thread", () => {
  const job = { kind: "tokens", text: "one two three" } as const;
  const program = (name: string, code: string): URL => {
    const file = join(folder, name);
    writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${code}`);
    return pathToFileURL(file);
  };

  test("is done here where there is no such program, or it is another one's", async () => {
    expect(await openMeasuring(pathToFileURL(join(folder, "gone.mjs")))(job)).toBe(3);
    const other = program(
      "other.mjs",
      'parentPort.on("message", ({ id }) => parentPort.postMessage({ id, build: "x" }));',
    );
    expect(await openMeasuring(other)(job)).toBe(3);
  });

  test("answers each question with its own answer, and says what failed", async () => {
    const echo = program(
      "echo.mjs",
      `parentPort.on("message", ({ id, job }) => job.text === "fail"
        ? parentPort.postMessage({ id, failed: "because" })
        : setTimeout(() => parentPort.postMessage({ id, answer: job.text.length }), 5 - job.text.length));`,
    );
    const measure = openMeasuring(echo);
    const texts = ["aaaa", "aa", "a"];
    expect(await Promise.all(texts.map((text) => measure({ kind: "tokens", text })))).toStrictEqual([4, 2, 1]);
    await expect(measure({ kind: "tokens", text: "fail" })).rejects.toThrow("because");
  });

  test("of a thread that ends is refused, and the next question begins another", async () => {
    const once = program(
      "once.mjs",
      `parentPort.on("message", ({ id, job }) => job.text === "end" ? process.exit(3) : parentPort.postMessage({ id, answer: 7 }));`,
    );
    const measure = openMeasuring(once);
    const asked = ["end", "a"].map((text) => measure({ kind: "tokens", text }));
    const ended = await Promise.allSettled(asked);
    expect(String(ended[0]?.status === "rejected" && ended[0].reason)).toContain("ended with 3");
    expect(await measure(job)).toBe(7);
  });
});

test("what the page would load of a program that was replaced is refused in words, and other faults are not hidden", async () => {
  const gone = () => import(pathToFileURL(join(folder, "gone-chunk.js")).href);
  await expect(loadHere(gone)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("start the server again"),
  });
  const broken = join(folder, "broken.mjs");
  writeFileSync(broken, "throw new TypeError('ours');");
  await expect(loadHere(() => import(pathToFileURL(broken).href))).rejects.toThrow(new TypeError("ours"));
});

test("the built program looks at its curation, measures and reads events in threads of its own", async () => {
  const shop = await openShop();
  const events = join(folder, "events.jsonl");
  const event = `{"schema":"events.v1","ts":"2026-11-29T12:00:00.000Z","tool":"shop_list_items","latency_ms":1,"ok":true,"is_error":false}\n`;
  writeFileSync(events, event);
  const curation = "test/fixtures/cli/curation/shop.yaml";
  const server = start(["serve", curation, "--http", "127.0.0.1:0", "--events", events], shop.env);
  const url = new URL(/http:\S+/.exec(await server.said("err", "Serving 2 tools"))?.[0] ?? "").origin;
  const response = await fetch(`${url}/page/api/changes`);
  const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let data: PageData;
  do {
    expect((await stream.read()).done).toBe(false);
    data = (await (await fetch(`${url}/page/api/data`)).json()) as PageData;
  } while (data.pending.length > 0);
  expect(data.findings?.map(({ code }) => code)).toContain("returns_unsaid");
  expect(data.cost).toMatchObject({ list: { tokens: expect.any(Number) }, endpoints: { operations: 2 } });
  const tried = await fetch(`${url}/page/api/try`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "shop_list_items", arguments: {} }),
  });
  const { reply, cost } = (await tried.json()) as TryAnswer;
  expect(reply?.value).toMatchObject({ rowCount: 2 });
  expect(cost.reply.tokens).toBeGreaterThan(10);
  for (const count of [1, 2]) {
    const { tools } = (await (await fetch(`${url}/page/api/calls`)).json()) as PageCalls;
    expect(tools.map(({ tool, calls }) => [tool, calls])).toStrictEqual([["shop_list_items", count]]);
    appendFileSync(events, event);
  }
  server.child.kill("SIGTERM");
  // A page that is open does not keep it.
  expect(await server.ended()).toBe(0);
  expect(server.out).toStrictEqual([]);
  await shop.close();
});
