import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { answerPage, rowsWithIds, STYLES, type Style } from "../run/pages/scripted-list.ts";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

// Pages over the built program: an upstream that knows all six styles, and two processes that share a secret.

const CURATION = "test/fixtures/stories/pages.curation.yaml";
const SECRET = "a secret that two processes share";
const THINGS = rowsWithIds(37);
const heard: string[] = [];
const sessions: Session[] = [];
let upstream: Server;
let env: Record<string, string>;
let one: Session;
let other: Session;

async function open(more: Record<string, string> = {}, curation = CURATION): Promise<Session> {
  const session = await openSession([curation], { ...env, ...more });
  sessions.push(session);
  return session;
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    heard.push(request.url ?? "");
    const url = `http://${request.headers.host}${request.url}`;
    const style = new URL(url).pathname.slice(1) as Style;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    try {
      const answer = answerPage(style, { rows: () => THINGS, size: 8, bound: 8 }, { url, headers });
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "content-type": "application/json" });
      response.end(JSON.stringify(answer.body.kind === "json" ? answer.body.value : {}));
    } catch (error) {
      response.writeHead(error instanceof ToolError ? (error.detail.upstream?.status ?? 500) : 500);
      response.end("{}");
    }
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  env = { THINGS_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, VITRINE_SECRET: SECRET };
  [one, other] = await Promise.all([open(), open({ VITRINE_SECRET: `the secret that comes next,${SECRET}` })]);
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  upstream.close();
});

describe("a list of 37 things, walked by page tokens through two processes in turn", () => {
  // The second process already seals with the secret that comes next, so only it reads its tokens.
  test.each(STYLES)("by %s every one comes once", async (style) => {
    const rows: unknown[] = [];
    let pageToken: unknown;
    for (let step = 0; step < 20; step += 1) {
      const session = step === 0 ? one : other;
      const { json } = await session.call(`by_${style}`, {
        limit: 3 + step,
        ...(pageToken !== undefined && { pageToken }),
      });
      rows.push(...(json.data ?? []));
      pageToken = json.nextPageToken;
      expect(json.hasMore).toBe(pageToken !== undefined);
      if (pageToken === undefined) break;
    }
    expect(rows).toStrictEqual(THINGS);
  });

  test("in an order of ours", async () => {
    const rows: unknown[] = [];
    let args = {};
    for (;;) {
      const { json } = await one.call("newest", args);
      rows.push(...(json.data ?? []));
      if (json.nextPageToken === undefined) break;
      args = { pageToken: json.nextPageToken };
    }
    expect(rows).toStrictEqual(THINGS.toReversed());
  });

  test("a limit asks the upstream for no more pages than it needs", async () => {
    heard.length = 0;
    await one.call("by_token", { limit: 5 });
    await one.call("by_offset", { limit: 5 });
    expect(heard).toStrictEqual(["/token?size=5", "/offset?offset=0&size=6"]);
  });
});

describe("a page token is refused, before anything is sent,", () => {
  const first = async () => String((await one.call("by_token", { q: "x" })).json.nextPageToken);
  const flipped = (token: string) => `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`;

  const cases: [title: string, tool: string, args: (token: string) => Record<string, unknown>][] = [
    ["with another argument", "by_token", (pageToken) => ({ q: "y", pageToken })],
    ["of another tool", "by_page", (pageToken) => ({ pageToken })],
    ["when it was changed", "by_token", (token) => ({ q: "x", pageToken: flipped(token) })],
    ["when it was cut", "by_token", (token) => ({ q: "x", pageToken: token.slice(0, -4) })],
    ["when it was made up", "by_token", () => ({ q: "x", pageToken: "cGFnZTI" })],
  ];
  test.each(cases)("%s", async (_, tool, args) => {
    const token = await first();
    heard.length = 0;
    const { isError, json, result } = await one.call(tool, args(token));
    expect([isError, json.error, json.path]).toStrictEqual([true, "invalid_cursor", "pageToken"]);
    expect(result.structuredContent).toBeUndefined();
    expect(heard).toStrictEqual([]);
  });

  test("where the secret is another, or there is none", async () => {
    const pageToken = await first();
    const strangers = await Promise.all([
      open({ VITRINE_SECRET: "the secret of a stranger" }),
      open({ VITRINE_SECRET: "" }),
    ]);
    for (const stranger of strangers) {
      const { json } = await stranger.call("by_token", { q: "x", pageToken });
      expect(json.error).toBe("invalid_cursor");
    }
  });

  test("when it is too old", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-pages-"));
    const curation = join(folder, "pages.curation.yaml");
    const text = readFileSync(CURATION, "utf8").replace("{ name: things }", "{ name: things, pageTokenTtl: 1ms }");
    writeFileSync(curation, text);
    writeFileSync(join(folder, "pages.yaml"), readFileSync("test/fixtures/stories/pages.yaml"));
    const session = await open({}, curation);
    const { json: page } = await session.call("by_token", { q: "x" });
    // Two calls over a pipe take longer than that, but for a clock that was set back in between.
    await session.call("by_token", { q: "x" });
    const { json } = await session.call("by_token", { q: "x", pageToken: page.nextPageToken });
    expect(json.error).toBe("cursor_expired");
  });
});

test("a secret that is too short ends the program with 2", async () => {
  const ran = await vitrine(["call", CURATION, "by_page"], { env: { ...env, VITRINE_SECRET: "short" } });
  expect([ran.code, ran.stdout]).toStrictEqual([2, ""]);
  expect(ran.stderr).toContain("VITRINE_SECRET");
});
