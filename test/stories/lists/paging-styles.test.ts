import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/demo/open-database.ts";
import { openSession, type Session } from "../../setup/clients.ts";
import { type Answered, type Asked, type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";
import { walk } from "./walk.ts";

// One upstream that cuts the same list in every style of the contract; each cuts as its own documentation would say.

const STYLES = ["page", "page0", "offset", "token", "last", "link", "range"] as const;
const MOST = 10;
const TABLES = [
  "CREATE TABLE list AS SELECT i::INTEGER AS place, 'r' || lpad(i::VARCHAR, 4, '0') AS id, (i * 7 % 11)::INTEGER AS rank, repeat('x', i * 13 % 90) AS text FROM range(500) t(i)",
];

let upstream: SqlUpstream;
let session: Session;

interface Cut {
  readonly offset: number;
  readonly size: number;
}

const numberOf = (url: URL, name: string, without: number) => Number(url.searchParams.get(name) ?? without);

/** Where a page begins, in each style. */
const BEGINS: Readonly<Record<(typeof STYLES)[number], (asked: Asked, size: number) => number>> = {
  page: ({ url }, size) => (numberOf(url, "page", 1) - 1) * size,
  page0: ({ url }, size) => numberOf(url, "page", 0) * size,
  offset: ({ url }) => numberOf(url, "offset", 0),
  token: ({ url }) => Number(Buffer.from(url.searchParams.get("token") ?? "", "base64").toString() || 0),
  last: ({ url }) => Number(url.searchParams.get("after")?.slice(1) ?? -1) + 1,
  link: ({ url }) => numberOf(url, "from", 0),
  range: ({ headers }) => Number(/^items=(\d+)-/.exec(String(headers["range"] ?? ""))?.[1] ?? 0),
};

const sizeOf = ({ url, headers }: Asked, style: string): number => {
  const [, from, to] = /^items=(\d+)-(\d+)$/.exec(String(headers["range"] ?? "")) ?? [];
  const asked =
    style === "range" ? (to === undefined ? MOST : Number(to) - Number(from) + 1) : numberOf(url, "size", MOST);
  if (!Number.isInteger(asked) || asked < 1) throw new Error(`No size: ${asked}`);
  return Math.min(MOST, asked);
};

function answerIn(style: (typeof STYLES)[number], rows: unknown[], all: number, { offset, size }: Cut): Answered {
  const end = offset + rows.length;
  const isMore = end < all;
  switch (style) {
    case "token":
      return { body: { rows, ...(isMore && { next: Buffer.from(String(end)).toString("base64") }) } };
    case "last":
      return { body: { rows, more: isMore } };
    case "link": {
      const next = `</link/${all}?from=${end}&size=${size}>; rel="next"; title="a, b"`;
      return {
        body: { rows },
        headers: { link: isMore ? `</link/${all}>; rel="first", ${next}` : `</link/${all}>; rel=first` },
      };
    }
    case "range":
      return {
        status: isMore || offset > 0 ? 206 : 200,
        headers: { "content-range": rows.length > 0 ? `items ${offset}-${end - 1}/${all}` : `items */${all}` },
        body: { rows },
      };
    default:
      return { body: { rows } };
  }
}

async function answer(asked: Asked, database: Database): Promise<Answered | undefined> {
  const [, style, count] = /^\/(\w+)\/(\d+)$/.exec(asked.path) ?? [];
  const known = STYLES.find((one) => one === style);
  if (known === undefined) return undefined;
  const size = sizeOf(asked, known);
  const offset = BEGINS[known](asked, size);
  const rows = await database.rows(
    `SELECT id, rank, text FROM list WHERE place < ${Number(count)} ORDER BY place LIMIT ${size} OFFSET ${offset}`,
  );
  return answerIn(known, rows, Number(count), { offset, size });
}

beforeAll(async () => {
  upstream = await startSqlUpstream(TABLES, answer);
  session = await openSession(["test/fixtures/stories/lists/pages.curation.yaml"], { PAGES_URL: upstream.url });
});
afterAll(async () => {
  await session?.close();
  await upstream?.stop();
});

const lists = fc.oneof(fc.integer({ min: 0, max: 45 }), fc.constantFrom(0, 1, 9, 10, 11, 20, 30, 100));
const limits = fc.array(fc.constantFrom(undefined, 1, 2, 3, 5, 9, 10, 11, 25, 60), { minLength: 1, maxLength: 5 });

describe.each(STYLES)("a list in pages of the style %s", (style) => {
  test("is met whole, each row once and in its order, in any steps", async () => {
    const law = fc.asyncProperty(lists, limits, async (rows, steps) => {
      const want = await upstream.database.rows(`SELECT id FROM list WHERE place < ${rows} ORDER BY place`);
      const got = await walk(session, `stream_${style}`, { rows }, steps);
      expect(got.rows.map(({ id }) => id)).toStrictEqual(want.map(({ id }) => id));
      for (const { text } of got.replies) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    });
    await fc.assert(law, { numRuns: 30, endOnFailure: true });
  }, 60_000);

  test("ordered by us, it is the same rows in that order, in any steps", async () => {
    const law = fc.asyncProperty(lists, limits, async (rows, steps) => {
      const want = await upstream.database.rows(`SELECT id FROM list WHERE place < ${rows} ORDER BY rank DESC, id`);
      const got = await walk(session, `ordered_${style}`, { rows }, steps);
      expect(got.rows.map(({ id }) => id)).toStrictEqual(want.map(({ id }) => id));
    });
    await fc.assert(law, { numRuns: 20, endOnFailure: true });
  }, 60_000);

  test("is not read further than the reply needs", async () => {
    upstream.forget();
    await session.call(`stream_${style}`, { rows: 400, limit: 5 });
    expect(upstream.asked.length).toBeLessThanOrEqual(2);
  });
});

test("more rows than may be ordered are refused with how to narrow, never cut", async () => {
  const most = await session.call("ordered_offset", { rows: 300, limit: 1 });
  expect(most.json).toMatchObject({ rowCount: 1, hasMore: true });
  const over = await session.call("ordered_offset", { rows: 301, limit: 1 });
  expect(over.json).toMatchObject({ error: "response_too_large", recover: expect.stringMatching(/narrow/i) });
});
