import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolError } from "../../../src/model/errors.ts";
import type { Condition } from "../../../src/model/filter.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Tool, Toolset } from "../../../src/model/tool.ts";
import { openCursorKeys } from "../../../src/run/cursor/cursor-keys.ts";
import { digestCall } from "../../../src/run/cursor/digest-call.ts";
import { checkBound, openPageToken } from "../../../src/run/cursor/open-page-token.ts";
import { measurePageToken, sealPageToken, unsealPageToken } from "../../../src/run/cursor/seal-page-token.ts";
import type { TokenContent } from "../../../src/run/cursor/token-content.ts";
import type { PageCursor, Position } from "../../../src/run/list/list-read.ts";
import { list } from "../shape-fixture.ts";
import { NOW, toolOf } from "../validate-fixture.ts";

const keysOf = (...secrets: string[]) => openCursorKeys(secrets)();
const KEYS = keysOf("a secret of one deployment");
const CONTENT: TokenContent = {
  position: { kind: "page", page: { kind: "number", number: 4 }, size: 21, skip: 20 },
  anchor: "Ab-_1234",
  now: NOW,
  made: new Date(NOW.getTime() + 5_000),
  digest: "0123456789abcdef",
};

const json: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
const natural = fc.nat({ max: 1_000_000_000 });
const cursor: fc.Arbitrary<PageCursor> = fc.oneof(
  fc.constant<PageCursor>({ kind: "first" }),
  natural.map((number): PageCursor => ({ kind: "number", number })),
  json.map((value): PageCursor => ({ kind: "value", value })),
  fc.string({ unit: "grapheme" }).map((target): PageCursor => ({ kind: "link", target })),
);
const position: fc.Arbitrary<Position> = fc.oneof(
  natural.map((at): Position => ({ kind: "row", at })),
  fc.record(
    { kind: fc.constant("page" as const), page: cursor, skip: natural, size: fc.integer({ min: 1, max: 10_000 }) },
    { requiredKeys: ["kind", "page", "skip"], noNullPrototype: true },
  ),
);
const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2200-01-01") });
const content: fc.Arbitrary<TokenContent> = fc.record(
  {
    position,
    anchor: fc.string({ minLength: 8, maxLength: 8 }),
    now: date,
    made: date,
    digest: fc.string({ minLength: 16, maxLength: 16 }),
  },
  { requiredKeys: ["position", "now", "made", "digest"], noNullPrototype: true },
);

describe("a page token", () => {
  test("gives back what was put into it, and is as long as was said", () => {
    fc.assert(
      fc.property(content, (given) => {
        const token = sealPageToken(KEYS, given);
        expect(token).toMatch(/^[\w-]+$/);
        expect(token).toHaveLength(measurePageToken(given));
        expect(unsealPageToken(KEYS, token)).toStrictEqual(given);
      }),
    );
  });

  test("is short, and its length hardly depends on the position", () => {
    const lengthAt = (at: Position) => sealPageToken(KEYS, { ...CONTENT, position: at }).length;
    const lengths = [0, 9, 99, 9_999, 99_999].map((at) => lengthAt({ kind: "row", at }));
    expect(new Set(lengths).size).toBe(1);
    expect(lengths[0]).toBeLessThan(150);
    expect(sealPageToken(KEYS, CONTENT).length).toBeLessThan(180);
  });

  test("never looks the same twice, and shows nothing of its content", () => {
    const given: TokenContent = {
      ...CONTENT,
      position: { kind: "page", page: { kind: "value", value: "canary-canary" }, skip: 0 },
    };
    const [one, other] = [sealPageToken(KEYS, given), sealPageToken(KEYS, given)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, "base64url").toString("latin1")).not.toContain("canary");
  });

  test("with any one bit flipped is none", () => {
    const token = sealPageToken(KEYS, CONTENT);
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < bytes.byteLength * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(unsealPageToken(KEYS, flipped.toString("base64url"))).toBeUndefined();
    }
    for (let at = 0; at < token.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const text = `${token.slice(0, at)}${String.fromCharCode(token.charCodeAt(at) ^ (1 << bit))}${token.slice(at + 1)}`;
        expect(unsealPageToken(KEYS, text)).toBeUndefined();
      }
    }
  });

  test.each([
    "",
    "x",
    "not a token",
    "AQ",
    `${sealPageToken(KEYS, CONTENT)}A`,
    sealPageToken(KEYS, CONTENT).slice(0, -1),
    "é".repeat(99),
  ])("%j is none", (text) => {
    expect(unsealPageToken(KEYS, text)).toBeUndefined();
  });

  const OLD = "the secret of last month";
  const NEW = "the secret of this month";
  const rotations: [title: string, sealed: string[], opened: string[], want: boolean][] = [
    ["opens elsewhere with the same secret", [NEW], [NEW], true],
    ["of the old secret opens while both are known", [OLD], [NEW, OLD], true],
    ["is sealed with the first of two", [NEW, OLD], [NEW], true],
    ["is not sealed with the second", [NEW, OLD], [OLD], false],
    ["of another secret does not open", [OLD], [NEW], false],
    ["of a process without a secret does not open elsewhere", [], [NEW], false],
    ["of a process without a secret opens in it", [], [], true],
  ];
  test.each(rotations)("%s", (_, sealed, opened, want) => {
    const token = sealPageToken(keysOf(...sealed), CONTENT);
    expect(unsealPageToken(keysOf(...opened), token) !== undefined).toBe(want);
  });
});

const TAKES: Tool = {
  ...toolOf([], list()),
  inputSchema: { type: "object", properties: { pageToken: { type: "string" } } },
};
const TOOLSET = { server: { name: "t", instructions: "", structured: true } } as Toolset;

function open(raw: unknown, more: { tool?: Tool; ttl?: number; now?: Date } = {}) {
  const { tool = TAKES, ttl, now = CONTENT.made } = more;
  const server = { ...TOOLSET.server, ...(ttl !== undefined && { pageTokenTtlMs: ttl }) };
  return openPageToken(
    { tool, toolset: { ...TOOLSET, server }, outside: { now: () => now }, cursorKeys: () => KEYS },
    raw,
  );
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return "accepted";
  } catch (error) {
    return (error as ToolError).code;
  }
}

describe("the token among a call's arguments", () => {
  const token = sealPageToken(KEYS, CONTENT);
  const read: [title: string, raw: unknown][] = [
    ["in an object", { pageToken: token, limit: 5 }],
    ["in a JSON text", JSON.stringify({ pageToken: token })],
    ["with spaces around it", { pageToken: ` ${token}\n` }],
  ];
  test.each(read)("is read %s", (_, raw) => {
    expect(open(raw)).toStrictEqual(CONTENT);
  });

  const none: [title: string, raw: unknown][] = [
    ["no arguments", undefined],
    ["none", {}],
    ["null", { pageToken: null }],
    ["an empty one", { pageToken: " " }],
    ["arguments that are no object", "pageToken"],
    ["one of the prototype's", Object.create({ pageToken: token })],
  ];
  test.each(none)("%s: there is none", (_, raw) => {
    expect(open(raw)).toBeUndefined();
  });

  test("is left to the validator where the tool takes none", () => {
    expect(open({ pageToken: "nonsense" }, { tool: toolOf([], list()) })).toBeUndefined();
  });

  const refused: [title: string, pageToken: unknown][] = [
    ["text that is none", "eyJhbGciOiJub25lIn0"],
    ["a number", 5],
    ["an object", { token }],
    ["a megabyte", "A".repeat(1_000_000)],
    ["one of other keys", sealPageToken(keysOf("another deployment's secret"), CONTENT)],
  ];
  test.each(refused)("is refused: %s", (_, pageToken) => {
    expect(codeOf(() => open({ pageToken }))).toBe("invalid_cursor");
  });

  const later = (ms: number) => new Date(CONTENT.made.getTime() + ms);
  const ages: [title: string, ttl: number | undefined, now: Date, want: string][] = [
    ["a quarter of an hour is not too old", undefined, later(15 * 60_000), "accepted"],
    ["a quarter of an hour and a moment is", undefined, later(15 * 60_000 + 1), "cursor_expired"],
    ["the curation says how long", 1_000, later(1_001), "cursor_expired"],
    ["a clock that is behind does no harm", 1_000, later(-60_000), "accepted"],
  ];
  test.each(ages)("%s", (_, ttl, now, want) => {
    expect(codeOf(() => open({ pageToken: token }, { now, ...(ttl !== undefined && { ttl }) }))).toBe(want);
  });
});

describe("a token belongs to one call", () => {
  interface Bound {
    readonly server?: string;
    readonly tool?: string;
    readonly id?: string;
    readonly key?: JsonObject;
    readonly pins?: JsonObject;
    readonly values?: JsonObject;
    readonly condition?: Condition;
    readonly budget?: number;
  }
  const isNull = (name: string): Condition => ({
    kind: "null",
    op: "is_null",
    field: { name, to: name, type: "string", nullable: true },
    path: "filter",
  });
  const digest = ({
    server = "t",
    tool = "t_list",
    id = "ci",
    key = {},
    pins = {},
    values = {},
    condition,
    budget = 1_000,
  }: Bound) =>
    digestCall(
      {
        toolset: { ...TOOLSET, server: { ...TOOLSET.server, name: server } },
        tool: { ...TAKES, name: tool, shape: list({ budget }) },
        caller: { id, key, signal: new AbortController().signal },
        access: { pins } as Parameters<typeof digestCall>[0]["access"],
      },
      { values: new Map(Object.entries(values)), wire: new Map() },
      { ...(condition && { condition }) },
    );
  const base: Bound = {
    key: { tenant: "a" },
    pins: { tenant: "a" },
    values: { q: "x", days: [1, 2] },
    condition: isNull("f"),
  };
  const same: [title: string, other: Bound][] = [
    ["the same call", {}],
    ["another limit", { values: { ...base.values, limit: 50 } }],
    ["the token itself", { values: { ...base.values, pageToken: "x" } }],
    ["other order of arguments", { values: { days: [1, 2], q: "x" } }],
  ];
  test.each(same)("%s is the same", (_, other) => {
    expect(digest({ ...base, ...other })).toBe(digest(base));
  });
  const others: [title: string, other: Bound][] = [
    ["server", { server: "u" }],
    ["tool", { tool: "t_other" }],
    ["caller with the same claims", { id: "other" }],
    ["key", { key: { tenant: "b" } }],
    ["pin", { pins: { tenant: "b" } }],
    ["filter", { condition: isNull("g") }],
    ["argument", { values: { ...base.values, q: "y" } }],
    ["item of a list", { values: { ...base.values, days: [2, 1] } }],
    ["argument more", { values: { ...base.values, r: null } }],
    ["curation", { budget: 2_000 }],
  ];
  test.each(others)("another %s is another call", (_, other) => {
    expect(digest({ ...base, ...other })).not.toBe(digest(base));
    expect(codeOf(() => checkBound({ ...CONTENT, digest: digest(base) }, digest({ ...base, ...other })))).toBe(
      "invalid_cursor",
    );
  });
  test("a call without a filter is another than one with", () => {
    const { condition: _, ...without } = base;
    expect(digest(without)).not.toBe(digest(base));
  });
});
