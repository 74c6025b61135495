import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../../setup/clients.ts";
import { vitrine } from "../../setup/program.ts";
import type { SqlUpstream } from "../../setup/sql-upstream.ts";
import { ACCOUNTS, startBooks } from "./books.ts";
import { walk } from "./walk.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-cursors-"));
const CURATION = "test/fixtures/stories/lists/pinned-books.curation.yaml";
const HASTY = "test/fixtures/stories/lists/hasty-books.curation.yaml";
const SECRET = "canary-secret-of-two-replicas";
const opened: Session[] = [];
let books: SqlUpstream;
let session: Session;
let token: string;

function claimsOf(claims: Record<string, string>): string {
  const file = join(folder, `${Object.values(claims).join("-")}.yaml`);
  writeFileSync(file, `claims: ${JSON.stringify(claims)}`);
  return file;
}
const MANY = claimsOf({ account: "many" });

async function open(options: { secret?: string; as?: string; curation?: string } = {}): Promise<Session> {
  const { secret = SECRET, as = MANY, curation = CURATION } = options;
  const env = { BOOKS_URL: books.url, ...(secret !== "" && { VITRINE_SECRET: secret }) };
  const one = await openSession([curation, "--as", as], env);
  opened.push(one);
  return one;
}

beforeAll(async () => {
  books = await startBooks();
  session = await open();
  token = String((await session.call("list_charges")).json["nextPageToken"]);
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await books?.stop();
});

const TAGGED = { kind: "single", field: "tag", op: "eq", value: "t7" };
const idsOf = (json: { data?: Record<string, unknown>[] }) => json.data?.map((row) => row["id"]);
const idsAt = (from: number, to: number) => ACCOUNTS["many"]!.slice(from, to).map((_, at) => `many-${from + at}`);

test("with the same arguments it goes on where the page before ended, whatever the limit", async () => {
  const pages = [];
  for (const limit of [1, 4, 16, 20])
    pages.push((await session.call("list_charges", { pageToken: token, limit })).json);
  expect(pages.map(idsOf)).toStrictEqual([idsAt(4, 5), idsAt(4, 8), idsAt(4, 20), idsAt(4, 20)]);
  expect(pages.map((page) => page["hasMore"])).toStrictEqual([true, true, false, false]);
});

test("it carries the moment of a relative default: every page asks about the same range", async () => {
  const sinceOf = async (args: Record<string, unknown>) => {
    books.forget();
    expect((await session.call("list_charges", args)).isError).toBe(false);
    return new Set(books.asked.map(({ url }) => url.searchParams.get("since")));
  };
  const first = await sinceOf({ pageToken: token });
  // Moments are whole seconds.
  let fresh = first;
  for (const until = Date.now() + 5_000; String([...fresh]) === String([...first]) && Date.now() < until; )
    fresh = await sinceOf({});
  const second = await sinceOf({ pageToken: token, limit: 20 });
  expect([...first][0]).toMatch(/^\d{4}-/);
  expect(first.size).toBe(1);
  expect(second).toStrictEqual(first);
  expect(fresh).not.toStrictEqual(first);
});

test("it is short, its length hardly tells the position, and nothing in it can be read", async () => {
  const { replies } = await walk(session, "list_charges", {}, [1]);
  const tokens = replies.flatMap(({ json }) =>
    json["nextPageToken"] === undefined ? [] : [String(json["nextPageToken"])],
  );
  expect(tokens).toHaveLength(19);
  expect(new Set(tokens.map((one) => one.length)).size).toBeLessThanOrEqual(2);
  for (const one of tokens) {
    expect(one).toMatch(/^[\w-]{20,240}$/);
    expect(Buffer.from(one, "base64url").toString("latin1")).not.toMatch(/many|page|skip|account/);
  }
});

describe("it is refused with invalid_cursor, and nothing is sent", () => {
  const refused: [title: string, tool: string, args: () => Record<string, unknown>][] = [
    ["with a filter where there was none", "list_charges", () => ({ filter: TAGGED })],
    ["with another argument", "list_charges", () => ({ since: "2026-01-01T00:00:00Z" })],
    ["by another tool", "list_more", () => ({})],
    ["by a tool that orders", "list_ordered", () => ({})],
  ];
  test.each(refused)("%s", async (_, tool, args) => {
    books.forget();
    const answer = await session.call(tool, { pageToken: token, ...args() });
    expect(answer.json).toMatchObject({
      error: "invalid_cursor",
      recover: expect.stringMatching(/\w/),
      retryable: false,
    });
    expect(books.asked).toStrictEqual([]);
  });

  test("with another filter", async () => {
    const other = await open({ as: claimsOf({ account: "creditFirst" }) });
    const page = await other.call("list_charges", { limit: 1, filter: { ...TAGGED, value: "web" } });
    const pageToken = page.json["nextPageToken"];
    expect(pageToken).toBeTypeOf("string");
    const same = await other.call("list_charges", { limit: 1, pageToken, filter: { ...TAGGED, value: "web" } });
    expect(idsOf(same.json)).toStrictEqual(["creditFirst-1"]);
    for (const filter of [{ ...TAGGED, value: "nothing" }, { ...TAGGED, value: "db" }, undefined]) {
      const answer = await other.call("list_charges", { limit: 1, pageToken, ...(filter && { filter }) });
      expect(answer.json).toMatchObject({ error: "invalid_cursor" });
    }
  });

  test.each([
    ["another key", { as: () => claimsOf({ account: "positive" }) }],
    ["a key of the same pins and another claim", { as: () => claimsOf({ account: "many", user: "eve" }) }],
  ])("by %s, though the secret is the same", async (_, { as }) => {
    const other = await open({ as: as() });
    books.forget();
    expect((await other.call("list_charges", { pageToken: token })).json).toMatchObject({ error: "invalid_cursor" });
    expect(books.asked).toStrictEqual([]);
  });

  test("by a process that has another secret, or one of its own", async () => {
    for (const secret of ["canary-another-secret-altogether", ""]) {
      const other = await open({ secret });
      expect((await other.call("list_charges", { pageToken: token })).json).toMatchObject({ error: "invalid_cursor" });
    }
  });

  test("with any one bit flipped", async () => {
    const bytes = Buffer.from(token, "base64url");
    books.forget();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const pageToken = flipped.toString("base64url");
      const { json } = await session.call("list_charges", { pageToken });
      expect([bit, json.error]).toStrictEqual([bit, "invalid_cursor"]);
    }
    expect(books.asked).toStrictEqual([]);
  });

  test("with any one character changed, cut or added", async () => {
    const others = [...token].map(
      (character, at) => `${token.slice(0, at)}${character === "A" ? "B" : "A"}${token.slice(at + 1)}`,
    );
    const last = token.at(-1)!;
    const unused = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
      .filter((character) => character !== last)
      .map((character) => token.slice(0, -1) + character);
    for (const pageToken of [
      ...others,
      ...unused,
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}=`,
      token + token,
    ]) {
      const { json } = await session.call("list_charges", { pageToken });
      expect([pageToken, json.error]).toStrictEqual([pageToken, "invalid_cursor"]);
    }
  });

  test.each(["x", "null", "0", "../../etc", "\u0000", "a".repeat(10_000)])("of garbage: %s", async (pageToken) => {
    expect((await session.call("list_charges", { pageToken })).json).toMatchObject({ error: "invalid_cursor" });
  });

  test("where it is no text at all", async () => {
    for (const pageToken of [5, {}, [token], true]) {
      const { json } = await session.call("list_charges", { pageToken });
      expect(["invalid_cursor", "invalid_arguments"]).toContain(json.error);
    }
  });
});

describe("a second process with the same secret", () => {
  test("goes on where the first one ended", async () => {
    const second = await open();
    const rows = [];
    let pageToken: unknown = token;
    let at = 0;
    while (pageToken !== undefined) {
      const { json } = await (at % 2 === 0 ? second : session).call("list_charges", { pageToken, limit: 3 });
      rows.push(...(idsOf(json) ?? []));
      pageToken = json["nextPageToken"];
      at += 1;
    }
    expect(rows).toStrictEqual(idsAt(4, 20));
  });

  test("that has two during rotation opens tokens of both, and seals with the first", async () => {
    const NEXT = "canary-secret-of-tomorrow";
    const rotating = await open({ secret: `${NEXT},${SECRET}` });
    const page = await rotating.call("list_charges", { pageToken: token, limit: 4 });
    expect(idsOf(page.json)).toStrictEqual(idsAt(4, 8));
    const pageToken = page.json["nextPageToken"];
    const rotated = await open({ secret: NEXT });
    expect(idsOf((await rotated.call("list_charges", { pageToken })).json)).toStrictEqual(idsAt(8, 12));
    expect((await rotated.call("list_charges", { pageToken: token })).json).toMatchObject({ error: "invalid_cursor" });
  });

  test("goes on in an ordered list, too", async () => {
    const second = await open();
    const first = await session.call("list_ordered");
    const next = await second.call("list_ordered", { pageToken: first.json["nextPageToken"] });
    const ids = [...(idsOf(first.json) ?? []), ...(idsOf(next.json) ?? [])];
    expect(ids).toStrictEqual(idsAt(12, 20).toReversed());
  });

  test("is not started with a secret that is too short, and the secret is not shown", async () => {
    for (const secret of ["short", `${SECRET},short`]) {
      const env = { BOOKS_URL: books.url, VITRINE_SECRET: secret };
      const ran = await vitrine(["call", CURATION, "list_charges", "--as", MANY], { env });
      expect([ran.code, ran.stdout]).toStrictEqual([2, ""]);
      expect(ran.stderr).toMatch(/VITRINE_SECRET/);
      expect(ran.stderr).not.toContain(secret);
    }
  });
});

test("after its time it is refused with cursor_expired", async () => {
  const hasty = await open({ curation: HASTY });
  const pageToken = (await hasty.call("list_charges")).json["nextPageToken"];
  const good = await hasty.call("list_charges", { pageToken });
  expect(good.isError ? good.json.error : idsOf(good.json)).toStrictEqual(idsAt(4, 8));
  const deadline = Date.now() + 10_000;
  let answer = good;
  while (!answer.isError && Date.now() < deadline) answer = await hasty.call("list_charges", { pageToken });
  expect(answer.json).toMatchObject({
    error: "cursor_expired",
    retryable: false,
    recover: expect.stringMatching(/without/i),
  });
});
