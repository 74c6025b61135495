import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSession, type Session } from "../../setup/clients.ts";
import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";

// Rows that come and go between two pages: what an ID can tell is told, and nothing that stayed is lost or comes twice.

const ROWS =
  "CREATE OR REPLACE TABLE list AS SELECT (i * 10)::INTEGER AS place, 'r' || lpad(i::VARCHAR, 3, '0') AS id, (100 - i)::INTEGER AS rank FROM range(30) t(i)";

let upstream: SqlUpstream;
let session: Session;

beforeAll(async () => {
  upstream = await startSqlUpstream([ROWS], async ({ path, url }, database) => {
    const size = Math.min(10, Number(url.searchParams.get("size") ?? 10));
    const page = Number(url.searchParams.get("page") ?? 1);
    const offset = path.startsWith("/page/") ? (page - 1) * size : Number(url.searchParams.get("offset") ?? 0);
    const rows = await database.rows(`SELECT id, rank FROM list ORDER BY place LIMIT ${size} OFFSET ${offset}`);
    return { body: { rows } };
  });
  session = await openSession(["test/fixtures/stories/lists/moving.curation.yaml"], { PAGES_URL: upstream.url });
});
afterAll(async () => {
  await session?.close();
  await upstream?.stop();
});
beforeEach(() => upstream.database.rows(ROWS));

const TOOLS = ["stream_offset", "stream_page", "ordered"];
const INSERTED = "INSERT INTO list VALUES (-1, 'new', 1000)";
const DELETED = "DELETE FROM list WHERE id = 'r001'";

async function page(tool: string, pageToken?: unknown) {
  const { json, text, isError } = await session.call(tool, {
    rows: 30,
    ...(pageToken !== undefined && { pageToken }),
  });
  expect(isError, text).toBe(false);
  return { ids: json.data!.map(({ id }) => String(id)), next: json["nextPageToken"], told: text };
}

async function rest(tool: string, first: unknown) {
  const ids: string[] = [];
  let told = "";
  for (let token = first; token !== undefined; ) {
    const one = await page(tool, token);
    ids.push(...one.ids);
    told += one.told;
    token = one.next;
  }
  return { ids, told };
}

const idsFrom = (at: number) => Array.from({ length: 30 - at }, (_, n) => `r${String(at + n).padStart(3, "0")}`);

describe.each(TOOLS)("%s, of whose rows", (tool) => {
  test("none moves: nothing is said of it", async () => {
    const first = await page(tool);
    const { ids, told } = await rest(tool, first.next);
    expect([...first.ids, ...ids]).toStrictEqual(idsFrom(0));
    expect(first.told + told).not.toContain("SNAPSHOT_DRIFT");
  });

  test.each([
    ["one comes in before the page", INSERTED],
    ["one goes before the page", DELETED],
  ])("%s: it goes on behind the row shown last, and says so", async (_, sql) => {
    const first = await page(tool);
    expect(first.ids).toStrictEqual(idsFrom(0).slice(0, 5));
    await upstream.database.rows(sql);
    const { ids, told } = await rest(tool, first.next);
    expect(ids).toStrictEqual(idsFrom(5));
    expect(told).toMatch(/SNAPSHOT_DRIFT/);
  });

  test("the one shown last is gone: it is said that rows may be missing or come twice", async () => {
    const first = await page(tool);
    await upstream.database.rows("DELETE FROM list WHERE id = 'r004'");
    const { told } = await rest(tool, first.next);
    expect(told).toMatch(/SNAPSHOT_DRIFT/);
  });
});
