import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { EgressRequest } from "../../src/egress/open-egress.ts";
import { openTools, type Tools } from "./open-tools.ts";

const SPEC = `paths:
  /items/{id}/parts:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: addPart
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: count, in: query, schema: {type: integer}}
        - {name: rate, in: query, schema: {type: number}}
        - {name: X-Note, in: header, schema: {type: string}}
        - {name: crumb, in: cookie, schema: {type: string}}
        - {name: state, in: query, schema: {type: string, enum: [café, open]}}
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {text: {type: string}, list: {type: array, items: {type: string}}, free: {}}}}}}
      responses: {200: {description: ok}}
  /tenants/{tenant}/things/{id}:
    get:
      operationId: getThing
      parameters: [{name: tenant, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: ok}}
`;
const ADD = `add_part:
  operation: addPart
  effect: read
  use: Adds.
  input: {id: {}, q: {}, note: {}, crumb: {}, state: {}, count: {}, rate: {}, text: {}, list: {}, free: {type: json}}
  args: {header.X-Note: "\${input.note}", cookie.crumb: "\${input.crumb}"}`;

let tools: Tools;
beforeAll(async () => {
  tools = await openTools(SPEC, ADD, () => ({ body: { ok: true } }));
});

/** What left for the upstream for these arguments; undefined where they were refused, which is then no fault of ours. */
async function send(args: object): Promise<EgressRequest | undefined> {
  const before = tools.sent.length;
  const reply = await tools.call("add_part", { id: "1", ...args });
  const left = tools.sent.slice(before);
  if (reply["error"] === undefined) {
    expect(left).toHaveLength(1);
    return left[0];
  }
  expect(reply["error"]).toMatch(/^(invalid_arguments|unknown_argument)$/);
  expect(left).toEqual([]);
  return undefined;
}

const headerOf = (request: EgressRequest, name: string) =>
  request.headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);

test("any text is refused before anything is sent, or arrives in its own place and nowhere else", async () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom("\ud800", "\udfff", "\0", "\r", "\n", "a", "é", "..", "/", ";", "=", "&", "%00"),
      maxLength: 6,
    }),
  );
  let arrived = 0;
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (id, q, note, text) => {
      const request = await send({ id, q, text });
      if (request !== undefined) {
        arrived += 1;
        const url = new URL(request.url);
        const segments = url.pathname.split("/");
        expect(segments.toSpliced(3, 1)).toEqual(["", "v1", "items", "parts"]);
        expect(decodeURIComponent(segments[3] ?? "")).toBe(id);
        expect([...url.searchParams]).toEqual([["q", q]]);
        expect(JSON.parse(String(request.body))).toEqual({ text });
      }
      const noted = await send({ note });
      if (noted !== undefined) expect(headerOf(noted, "x-note")).toEqual([note]);
    }),
    { numRuns: 200 },
  );
  expect(arrived).toBeGreaterThan(20);
}, 30_000);

test.each(["..", ".", "", "．．", "..;a=b", "\t..", "a\0b", "．．／x"])("the id %j sends nothing", async (id) => {
  expect(await send({ id })).toBeUndefined();
});

test.each([
  ['{"count":1e400}', undefined],
  ['{"rate":1e400}', undefined],
  ['{"rate":-1e400}', undefined],
  ['{"count":9007199254740993}', undefined],
  ['{"count":"9007199254740993"}', "count=9007199254740993"],
  ['{"count":"007"}', undefined],
  ['{"count":-0}', "count=0"],
  ['{"count":9007199254740991}', "count=9007199254740991"],
  ['{"rate":0.1}', "rate=0.1"],
  ['{"q":"007"}', "q=007"],
])("numbers keep what they say, or are refused: %s", async (args, want) => {
  const request = await send(JSON.parse(args));
  expect(request && new URL(request.url).search.slice(1)).toBe(want);
});

test("a cookie's value is one value", async () => {
  expect(headerOf((await send({ crumb: 'a=b; admin=1, c"d' }))!, "cookie")).toEqual([
    "crumb=a%3Db%3B%20admin%3D1%2C%20c%22d",
  ]);
});

describe("texts are compared and sent by their exact code points", () => {
  test.each(["cafe\u0301", "ｏｐｅｎ", "OPEN", "open\u200B", " open"])(
    "%j is not the value that it looks like",
    async (state) => {
      expect(await send({ state })).toBeUndefined();
    },
  );
  test.each(["cafe\u0301", "café", "ｏｐｅｎ", "ﬁ", "Å"])("%j is sent as it is", async (text) => {
    expect(JSON.parse(String((await send({ text, state: "café" }))?.body))).toEqual({ text });
  });
});

describe("arguments of any size and depth are answered soon, and what is too much sends nothing", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  test.each([
    ["10,000 levels", { free: JSON.parse(nested(5_000)) }],
    ["10,000 levels as text", { free: nested(10_000) }],
    ["a list of a million", { list: Array(1_000_000).fill("a") }],
    ["a list of a million as text", { list: JSON.stringify(Array(1_000_000).fill("a")) }],
    ["100,000 names", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`n${at}`, 1]))],
    ["100,000 names inside", { free: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`n${at}`, 1])) }],
    ["a text of a million", { text: "x".repeat(1_000_000) }],
    ["a path of a million", { id: "x".repeat(1_000_000) }],
  ])("%s", async (_, args) => {
    const started = process.cpuUsage();
    expect(await send(args)).toBeUndefined();
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });

  test("as many names as may be are answered as soon", async () => {
    const args = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`name_${at}`, at]));
    const started = process.cpuUsage();
    expect(await send(args)).toBeUndefined();
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });
});

test.each(["__proto__", "constructor", "prototype", "toString"])(
  "%s is no argument, at no depth, and changes nothing",
  async (name) => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    expect(await send(JSON.parse(`{"${name}":{"admin":true}}`))).toBeUndefined();
    const inside = await send({ free: JSON.parse(`{"${name}":{"admin":true}}`) });
    expect(String(inside?.body)).toBe(`{"free":{"${name}":{"admin":true}}}`);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  },
);

describe("a key reaches the objects of its own tenant", () => {
  const OWNED: Readonly<Record<string, string>> = { "thing-a": "a", "thing-b": "b" };
  const open = () =>
    openTools(
      SPEC,
      "get_thing: {operation: getThing, use: Gets., input: {id: {}}}",
      ({ url }) => {
        const [, tenant, id] = /\/tenants\/([^/]+)\/things\/([^/]+)$/.exec(url) ?? [];
        return OWNED[id ?? ""] === tenant
          ? { body: { id: id ?? "" } }
          : { status: 403, body: { message: "not yours" } };
      },
      { pins: '{tenant: "${key.tenant}"}' },
    );
  const cases = ["a", "b"].flatMap((tenant) => Object.keys(OWNED).map((id) => [tenant, id] as const));

  test.each(cases)("the key of %s asks for %s", async (tenant, id) => {
    const { call, sent } = await open();
    const reply = await call("get_thing", { id }, { tenant });
    expect(new URL(sent[0]!.url).pathname).toBe(`/v1/tenants/${tenant}/things/${id}`);
    if (OWNED[id] === tenant) expect(reply).toEqual({ id });
    else
      expect(reply).toMatchObject({ error: "upstream_unauthorized", upstream: { status: 403, message: "not yours" } });
  });

  test.each(["../../b/things/thing-b", "..%2f..%2fb%2fthings%2fthing-b", "thing-b?tenant=b", "thing-b#", "/../b"])(
    "no id leads elsewhere: %j",
    async (id) => {
      const { call, sent } = await open();
      await call("get_thing", { id }, { tenant: "a" });
      for (const { url } of sent)
        expect(new URL(url).pathname.split("/").slice(0, 5)).toEqual(["", "v1", "tenants", "a", "things"]);
      for (const { url } of sent) expect(new URL(url).pathname.split("/")).toHaveLength(6);
    },
  );

  test.each([
    ["pinned_argument", { tenant: "b" }],
    ["pinned_argument", { TENANT: "b" }],
    ["pinned_argument", { Tenant: ["b"] }],
    ["unknown_argument", { "path.tenant": "b" }],
  ])("no argument does: %s %j", async (error, more) => {
    const { call, sent } = await open();
    expect(await call("get_thing", { id: "thing-b", ...more }, { tenant: "a" })).toMatchObject({ error });
    expect(sent).toEqual([]);
  });
});
