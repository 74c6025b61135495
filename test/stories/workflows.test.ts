import type { IncomingMessage, ServerResponse } from "node:http";
import { type ProgressNotification, ProgressNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve, until } from "../egress/serve.ts";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

// Workflow tools over the built program: a forge whose answers are scripted, asked by a client over stdio.

const CURATION = "test/fixtures/stories/workflows.curation.yaml";
const PULL = { owner: "acme", repo: "web", number: 7 };
const FILES = [1, 2, 3, 4, 5].map((at) => ({ filename: `f${at}.ts`, changes: at, sha: "not asked for" }));
const CHECKS = [
  { id: 1, name: "lint", conclusion: "success" },
  { id: 2, name: "unit", conclusion: "failure" },
  { id: 3, name: "e2e", conclusion: "failure" },
  { id: 4, name: "size", conclusion: "failure" },
  { id: 5, name: "slow", conclusion: null },
];

interface Special {
  readonly status?: number;
  readonly body?: unknown;
  /** The connection breaks, or nothing ever comes. */
  readonly lost?: "broken" | "hangs";
}

const heard: string[] = [];
/** What becomes of requests, by the end of their path, otherwise than usual. */
const special = new Map<string, Special>();
let state = "open";
/** Of one test: what the one before has stopped may end in the next. */
let counts = { running: 0, most: 0, gone: 0 };

let upstream: Served;
let session: Session;

beforeAll(async () => {
  upstream = await serve(answer);
  session = await openSession([CURATION], { FORGE_URL: upstream.url, FORGE_TENANT: "t-1" });
});
afterAll(async () => {
  await session?.close();
  await upstream?.close();
});
beforeEach(() => {
  heard.length = 0;
  special.clear();
  state = "open";
  counts = { running: 0, most: 0, gone: 0 };
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://x");
  const path = url.pathname.replace("/repos/acme/web/", "");
  heard.push(`${request.method} ${path}`);
  expect.soft(url.searchParams.getAll("tenant"), `the pin in ${request.url}`).toEqual(["t-1"]);
  const [, scripted] = [...special].find(([part]) => path.endsWith(part)) ?? [];
  const own = counts;
  own.running += 1;
  own.most = Math.max(own.most, own.running);
  response.on("close", () => {
    own.running -= 1;
    if (!response.writableEnded) own.gone += 1;
  });
  if (scripted?.lost === "broken") return void request.socket.destroy();
  if (scripted?.lost === "hangs") return;
  const usual = forge(path, url, request.method ?? "");
  const status = scripted?.status ?? usual.status ?? 200;
  const body = scripted?.body ?? usual.body;
  // Late enough that what may run at the same time does.
  setTimeout(() => {
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      ...(usual.link !== undefined && { link: usual.link }),
    });
    response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
  }, 20);
}

interface Usual {
  readonly status?: number;
  readonly body?: unknown;
  readonly link?: string;
}

function forge(path: string, url: URL, method: string): Usual {
  if (path === "pulls/7") return { body: { number: 7, title: "Faster", state, head: { sha: "abc123" } } };
  if (path === "pulls/7/files") return page(FILES, url, (rows) => rows);
  if (path === "commits/abc123/check-runs")
    return page(CHECKS, url, (rows) => ({ total_count: CHECKS.length, check_runs: rows }));
  if (path === "pulls/7/comments" && method === "POST") return { status: 201, body: { id: 99 } };
  if (path === "pulls/7/close" && method === "POST") {
    state = "closed";
    return { status: 204 };
  }
  const [, check, what] = /^check-runs\/(\d+)\/(annotations|log)$/.exec(path) ?? [];
  if (what === "annotations") return { body: [{ path: "a.ts", message: `check ${check} failed` }] };
  if (what === "log") return { body: "one\ntwo\nthree\nfour" };
  return { status: 404, body: { message: "Not Found" } };
}

/** Two rows a page, and a link to the next one, which says nothing of the tenant. */
function page<T>(rows: readonly T[], url: URL, wrap: (rows: readonly T[]) => unknown): Usual {
  const at = Number(url.searchParams.get("page") ?? 1);
  const shown = rows.slice((at - 1) * 2, at * 2);
  const more = rows.length > at * 2 ? { link: `<${url.pathname}?page=${at + 1}>; rel="next"` } : {};
  return { body: wrap(shown), ...more };
}

test("the curation checks without an error or a warning", async () => {
  const { code, stdout } = await vitrine(["check", CURATION, "--json"]);
  const found = JSON.parse(stdout).filter(({ severity }: { severity: string }) => severity !== "note");
  expect([found, code]).toStrictEqual([[], 0]);
});

test("a dry run shows what would be sent whatever the upstream answers, and says that there is more", async () => {
  const env = { FORGE_URL: upstream.url, FORGE_TENANT: "t-1" };
  const { code, stdout, stderr } = await vitrine(
    ["call", CURATION, "review_context", JSON.stringify(PULL), "--dry-run"],
    { env },
  );
  const urls = JSON.parse(stdout).map(({ url }: { url: string }) => url.replace(upstream.url, ""));
  expect(urls).toEqual(["/repos/acme/web/pulls/7?tenant=t-1", "/repos/acme/web/pulls/7/files?tenant=t-1&per_page=2"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("made of what the upstream answers")]);
  expect(heard).toEqual([]);
});

describe("the context of a review", () => {
  test("comes in one call: reads at the same time, all pages, one request an item", async () => {
    const { json } = await session.call("review_context", { ...PULL, deep: true });
    expect(json).toStrictEqual({
      omitted: [{ what: "items", path: "notes", kept: "2 of 3" }],
      title: "Faster",
      files: FILES.map(({ filename, changes }) => ({ path: filename, changes })),
      failing: [
        { check: "unit", notes: ["check 2 failed"] },
        { check: "e2e", notes: ["check 3 failed"] },
      ],
    });
    expect(heard.slice(0, 2).toSorted()).toEqual(["GET pulls/7", "GET pulls/7/files"]);
    expect(heard.filter((one) => one.endsWith("/check-runs"))).toHaveLength(3);
    expect(heard.filter((one) => one.endsWith("/annotations"))).toHaveLength(2);
    expect(counts.most).toBeGreaterThan(1);
  });

  test("sends nothing for a step whose condition does not hold, and omits nothing", async () => {
    const { json } = await session.call("review_context", PULL);
    expect(Object.keys(json)).toEqual(["title", "files", "failing"]);
    expect(json["failing"]).toBeNull();
    expect(heard.some((one) => one.includes("annotations"))).toBe(false);
  });

  test("goes without what is optional, and says so", async () => {
    special.set("check-runs", { status: 500, body: { message: "down for today" } });
    const { json, isError } = await session.call("review_context", { ...PULL, deep: true });
    expect(isError).toBe(false);
    expect(json).toMatchObject({
      omitted: [{ what: "step", path: "checks", kept: "nothing: The upstream failed (500): down for today" }],
      title: "Faster",
    });
  });

  test("says which of several items failed, and why", async () => {
    special.set("check-runs/3/annotations", { status: 403, body: { message: "not yours" } });
    const { json } = await session.call("review_context", { ...PULL, deep: true });
    expect(json["omitted"]).toEqual([
      { what: "items", path: "notes", kept: "2 of 3" },
      { what: "step", path: "notes", kept: expect.stringMatching(/^1 of 2: .*not yours/) },
    ]);
    expect(json["failing"]).toEqual([
      { check: "unit", notes: ["check 2 failed"] },
      { check: "e2e", notes: null },
    ]);
  });

  test("fails with the step that failed, and stops the others", async () => {
    special.set("files", { lost: "hangs" });
    special.set("pulls/7", { status: 404, body: { message: "no pull request" } });
    const { json, isError } = await session.call("review_context", PULL);
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      error: "upstream_not_found",
      message: "Step `pull`: The upstream has nothing there (404): no pull request",
      got: { owner: "acme", repo: "web", pull_number: 7 },
      upstream: { status: 404, step: "pull" },
    });
    await until(() => counts.running === 0);
    expect(counts.gone).toBe(1);
  });

  test("refuses more files than it may read", async () => {
    special.set("files", { body: FILES.concat(FILES) });
    const { json } = await session.call("review_context", PULL);
    expect(json).toMatchObject({
      error: "response_too_large",
      message: "Step `files`: There are more than the 5 rows that are read at most.",
    });
  });

  test("takes no longer than its deadline", async () => {
    special.set("files", { lost: "hangs" });
    const { json } = await session.call("review_context", PULL);
    expect(json).toMatchObject({ error: "upstream_timeout", upstream: { step: "files" }, retryable: true });
    await until(() => counts.running === 0);
    expect(counts.gone).toBe(1);
  });

  test("is given up with the client's call", async () => {
    const caller = new AbortController();
    for (const path of ["files", "pulls/7"]) special.set(path, { lost: "hangs" });
    const call = session.client.callTool({ name: "review_context", arguments: PULL }, { signal: caller.signal });
    const rejected = expect(call).rejects.toThrow();
    await until(() => counts.running === 2);
    caller.abort();
    await rejected;
    await until(() => counts.running === 0);
    expect(counts.gone).toBe(2);
    const asked = heard.length;
    expect((await session.call("describe_access")).isError).toBe(false);
    expect(heard).toHaveLength(asked);
  });

  test("tells how far it is", async () => {
    const steps: ProgressNotification["params"][] = [];
    // As it came: what a client reads in one piece with the result it does not hand on.
    const { transport } = session.client;
    const { onmessage } = transport!;
    transport!.onmessage = (message, extra) => {
      const told = ProgressNotificationSchema.safeParse(message);
      if (told.success) steps.push(told.data.params);
      onmessage?.(message, extra);
    };
    const call = { name: "review_context", arguments: { ...PULL, deep: true } };
    await session.client.callTool(call, { onprogress: () => {} });
    transport!.onmessage = onmessage!;
    expect(steps.map(({ progress, total }) => [progress, total])).toEqual([1, 2, 3, 4, 5].map((done) => [done, 5]));
    expect(steps.map(({ message }) => message).toSorted()).toEqual(["checks", "failed", "files", "notes", "pull"]);
  });
});

test("a list that steps make goes on by page tokens, for which they run again", async () => {
  const first = (await session.call("list_notes", PULL)).json;
  expect(first).toMatchObject({
    rowCount: 2,
    hasMore: true,
    data: [{ message: "check 1 failed" }, { message: "check 2 failed" }],
  });
  const next = (await session.call("list_notes", { ...PULL, limit: 10, pageToken: first["nextPageToken"] })).json;
  expect(next).toMatchObject({ rowCount: 3, hasMore: false });
  expect(next.data?.map(({ message }) => message)).toEqual([3, 4, 5].map((check) => `check ${check} failed`));
  const { json } = await session.call("list_notes", { ...PULL, number: 8, pageToken: first["nextPageToken"] });
  expect(json.error).toBe("invalid_cursor");
});

test("a text is cut by lines, and a status that means absence is null", async () => {
  special.set("pulls/7", { status: 404, body: {} });
  const { json } = await session.call("read_log", { ...PULL, check: 2 });
  expect(json).toStrictEqual({
    omitted: [{ what: "lines", path: "log", kept: "last 2 of 4" }],
    title: null,
    log: "three\nfour",
  });
});

describe("a workflow that writes", () => {
  const CLOSE = { ...PULL, why: "superseded" };

  test("does one thing after the other, and reads back what it did", async () => {
    const { json } = await session.call("close_pull", CLOSE);
    expect(json).toStrictEqual({ state: "closed", comment: 99 });
    expect(heard).toEqual(["GET pulls/7", "POST pulls/7/comments", "POST pulls/7/close", "GET pulls/7"]);
    expect(counts.most).toBe(1);
  });

  test("does not write where its condition does not hold", async () => {
    state = "closed";
    await session.call("close_pull", CLOSE);
    expect(heard).toEqual(["GET pulls/7", "POST pulls/7/comments", "GET pulls/7"]);
  });

  test.each<[string, Special, string, RegExp]>([
    [
      "is refused",
      { status: 409, body: { message: "a merge is running" } },
      "upstream_rejected",
      /a merge is running$/,
    ],
    ["fails", { status: 500 }, "upstream_unavailable", /The upstream failed \(500\)\.$/],
    ["is lost", { lost: "broken" }, "outcome_unknown", /may have taken effect\.$/],
  ])("says what had taken effect when a later step %s, and goes no further", async (_, close, error, message) => {
    special.set("close", close);
    const { json, isError } = await session.call("close_pull", CLOSE);
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      error,
      message: expect.stringMatching(message),
      recover: expect.stringMatching(/^Do not call this tool again as it is/),
      retryable: false,
      upstream: { step: "close" },
    });
    expect(json["message"]).toContain(
      "Step `close`: `comment` (POST /repos/{owner}/{repo}/pulls/{pull_number}/comments) took effect before",
    );
    expect(heard.at(-1)).toBe("POST pulls/7/close");
    expect(heard.filter((one) => one.startsWith("POST"))).toHaveLength(2);
  });

  test("does nothing at all where what it reads first fails", async () => {
    special.set("pulls/7", { status: 500, body: {} });
    const { json } = await session.call("close_pull", CLOSE);
    expect(json).toMatchObject({ error: "upstream_unavailable", retryable: true, upstream: { step: "before" } });
    expect(heard).toEqual(["GET pulls/7"]);
  });
});
