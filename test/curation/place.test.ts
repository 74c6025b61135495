import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlace, refuseHeader } from "../../src/curation/place.ts";
import { type Place, placeText } from "../../src/model/place.ts";

test.each([
  ["path.id", { in: "path", name: "id", pointer: [] }],
  ["query.created/gte", { in: "query", name: "created", pointer: ["gte"] }],
  ["query.filter[name]", { in: "query", name: "filter[name]", pointer: [] }],
  ["query.a.b", { in: "query", name: "a.b", pointer: [] }],
  ["header.X-Trace", { in: "header", name: "X-Trace", pointer: [] }],
  ["cookie.session", { in: "cookie", name: "session", pointer: [] }],
  ["querystring", { in: "querystring", pointer: [] }],
  ["querystring/q", { in: "querystring", pointer: ["q"] }],
  ["body", { in: "body", pointer: [] }],
  ["body/range/from", { in: "body", pointer: ["range", "from"] }],
  ["body/a~1b/c~0d/~01", { in: "body", pointer: ["a/b", "c~d", "~1"] }],
  ["query.a~1b", { in: "query", name: "a/b", pointer: [] }],
  ["body/items/0", { in: "body", pointer: ["items", "0"] }],
  ["owner", { bare: "owner", pointer: [] }],
  ["range/from", { bare: "range", pointer: ["from"] }],
  ["path", { bare: "path", pointer: [] }],
  ["filter.name", { bare: "filter.name", pointer: [] }],
])("%s is read", (text, want) => expect(parsePlace(text)).toEqual(want));

test.each([
  "",
  "/a",
  "path.",
  "header.",
  "body/",
  "body//a",
  "body.a",
  "querystring.a",
  "a~",
  "a~2",
  "header.a b",
  "header.a\r\nb",
  "body/__proto__/a",
  "__proto__",
])("%j is refused", (text) =>
  expect(parsePlace(text)).toMatchObject({ fault: expect.any(String), hint: expect.any(String) }),
);

describe("headers that nobody sets", () => {
  const refused = [
    "Authorization",
    "Host",
    "Cookie",
    "Content-Type",
    "Content-Length",
    "Proxy-Authorization",
    "Forwarded",
    "X-Forwarded-For",
    "X-Real-IP",
    "X-Original-URL",
    "X-Rewrite-URL",
    "Connection",
    "Keep-Alive",
    "Transfer-Encoding",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
    "Mcp-Session-Id",
    "X-HTTP-Method",
    "X-HTTP-Method-Override",
    "X-Method-Override",
  ];
  test.each(refused)("%s, in any letter case", (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      expect(parsePlace(`header.${written}`)).toMatchObject({ fault: expect.stringContaining(written) });
  });
  test.each(["X-Api-Version", "Accept-Language", "If-Match", "Hostname", "Contents", "Range", "Idempotency-Key"])(
    "%s may be set",
    (name) => expect(refuseHeader(name)).toBeUndefined(),
  );
});

test("a place's own text is read back as that place", () => {
  const part = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__");
  const pointer = fc.array(part, { maxLength: 3 });
  const place: fc.Arbitrary<Place> = fc.oneof(
    fc.record({
      in: fc.constantFrom("path", "query", "cookie"),
      name: part.filter((name) => !/[~/]/.test(name)),
      pointer,
    }),
    fc.record({ in: fc.constantFrom("body", "querystring"), pointer }),
  );
  fc.assert(
    fc.property(place, (given) => {
      expect(parsePlace(placeText(given))).toEqual(given);
    }),
  );
});

test("no text makes it throw", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parsePlace(text)));
});
