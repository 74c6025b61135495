import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "../../setup/clients.ts";
import { type Answered, type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";

// Upstreams whose pages lead nowhere, round in a circle, or out of the house.

const ROWS = Array.from({ length: 10 }, (_, at) => ({ id: `r${at}`, rank: at, text: "x" }));
const link = (to: string): Answered => ({ body: { rows: ROWS }, headers: { link: `<${to}>; rel="next"` } });

/** By the number of rows that is asked for. */
const ANSWERS: Readonly<Record<string, () => Answered>> = {
  "/link/1": () => link("http://127.0.0.2:9/link/1?from=10"),
  "/link/2": () => link("/link/2?from=10"),
  "/link/3": () => link("//attacker.example/link/3"),
  "/token/1": () => ({ body: { rows: ROWS, next: "again" } }),
  "/token/2": () => ({ body: { rows: [], next: `t${Math.random()}` } }),
  "/page/1": () => ({ body: { rows: ROWS } }),
  "/page/2": () => ({ body: { rows: "none" } }),
  "/token/3": () => ({ body: { rows: ROWS, next: { not: "a token" } } }),
};

let upstream: SqlUpstream;
let session: Session;

beforeAll(async () => {
  upstream = await startSqlUpstream([], async ({ path }) => ANSWERS[path]?.());
  session = await openSession(["test/fixtures/stories/lists/pages.curation.yaml"], { PAGES_URL: upstream.url });
});
afterAll(async () => {
  await session?.close();
  await upstream?.stop();
});

test.each([
  ["a link to another host", 1],
  ["a link without a scheme to another host", 3],
  ["a link to the same page again", 2],
])("behind %s nothing is asked for: what came is kept, and that there is more is said", async (_, rows) => {
  for (const tool of ["ordered_link", "stream_link"]) {
    upstream.forget();
    const { json, isError } = await session.call(tool, { rows });
    expect(isError, JSON.stringify(json)).toBe(false);
    expect(json).toMatchObject({ hasMore: true, note: expect.stringContaining("has more rows than it sent") });
    expect(json["data"]).toContainEqual(expect.objectContaining({ id: "r9" }));
    expect(json).not.toHaveProperty("nextPageToken");
    expect(upstream.asked.length).toBeLessThanOrEqual(2);
  }
});

const cases: [title: string, tool: string, rows: number, code: string][] = [
  ["a token that comes again", "ordered_token", 1, "upstream_bad_response"],
  ["pages that are empty and never end", "ordered_token", 2, "upstream_bad_response"],
  ["pages that are all the same", "ordered_page", 1, "upstream_bad_response"],
  ["a token that is no token", "ordered_token", 3, "upstream_bad_response"],
];
test.each(cases)("%s ends the call with its code, and not the process", async (_, tool, rows, code) => {
  upstream.forget();
  const { json } = await session.call(tool, { rows });
  expect(json).toMatchObject({ error: code, message: expect.any(String), recover: expect.any(String) });
  expect(upstream.asked.length).toBeLessThan(400);
});

test.each(cases.filter(([, tool]) => tool !== "ordered_page"))(
  "%s, met page by page, too",
  async (_, tool, rows, code) => {
    let token: unknown;
    const codes = [];
    for (let page = 0; page < 5; page += 1) {
      const { json, isError } = await session.call(tool.replace("ordered", "stream"), {
        rows,
        limit: 10,
        ...(token !== undefined && { pageToken: token }),
      });
      codes.push(isError ? json.error : "page");
      token = json["nextPageToken"];
      if (isError || token === undefined) break;
    }
    expect(new Set([...codes, code, "page"]).size, String(codes)).toBe(2);
  },
);
