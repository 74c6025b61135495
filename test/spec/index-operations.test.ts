import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { indexOperations } from "../../src/spec/index-operations.ts";
import { glimpse, parseLazily } from "../../src/spec/parse-lazily.ts";
import type { SpecDocument } from "../../src/spec/read-document.ts";

const documentOf = (root: unknown, version = "3.0"): SpecDocument =>
  ({
    version,
    root,
    mayHaveIds: () => false,
    further: { nameOf: () => ({}), read: () => ({}) },
  }) as unknown as SpecDocument;

const LONG = "long".repeat(20);
const IDS = ["a", "b", "c", LONG, "", "GET /p0"];

describe("an operation is found by its id in a document of which it is not yet made as in one that is whole", () => {
  const id = fc.oneof(fc.constantFrom(...IDS), fc.constantFrom(0, 5, null));
  const operation = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        {
          summary: fc.constantFrom("s", "operationId", '"operationId": "a"'),
          operationId: id,
          responses: fc.constantFrom(
            {},
            { "200": { links: { one: { operationId: "b" } }, description: "x".repeat(40) } },
          ),
          "x-double": fc.constantFrom("a", "c"),
          "x-long": fc.constant(LONG),
        },
        { requiredKeys: ["operationId", "x-long"] },
      ),
    },
    fc.record({ $ref: fc.constantFrom("#/paths/~1p0/get", "#/nowhere", 0, LONG), "x-long": fc.constant(LONG) }),
    fc.constantFrom(null, "text", []),
  );
  const written = fc.record(
    {
      get: operation,
      put: operation,
      "x-get": operation,
      parameters: fc.constant([LONG]),
      additionalOperations: fc.record({ COPY: operation }),
    },
    { requiredKeys: ["get"] },
  );
  const item = fc.oneof(
    { arbitrary: written, weight: 2 },
    fc
      .tuple(written, fc.constantFrom("#/paths/~1p1", "#/paths/~1p1", "#/nowhere"))
      .map(([own, $ref]) => ({ ...own, $ref })),
  );
  const paths = fc.record({ "/p0": item, "/p1": item, "/p2": item, "x-p": item }, { requiredKeys: ["/p0", "/p1"] });
  /** As no printer writes it, and as JSON.parse reads it. */
  const spellings: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replace('"operationId":', '"\\u006fperationId":'),
    (text) => text.replaceAll('"operationId":"a"', '"operationId":"\\u0061"'),
    (text) => text.replaceAll('"x-double":', '"operationId":'),
    (text) => text.replaceAll('"put":', '"get":'),
  ];

  test("for any document", () => {
    fc.assert(
      fc.property(
        paths,
        fc.constantFrom(...spellings),
        fc.constantFrom(0, 12, 40, 40, 300),
        fc.constantFrom("3.0", "3.2"),
        fc.constantFrom(undefined, undefined, "GET /p0", "PUT /p1"),
        (paths, spell, member, version, first) => {
          const text = spell(JSON.stringify({ openapi: "3.0.0", paths }));
          const whole = JSON.parse(text);
          const lazy = parseLazily(Buffer.from(text), () => JSON.parse(text), { document: 0, member });
          const [got, want] = [lazy, whole].map((root) => {
            const index = indexOperations(documentOf(root, version));
            // What was made before is not told without it.
            if (first !== undefined) index.byKey(first);
            return IDS.map((one) => index.byId(one)?.key);
          });
          expect(got).toStrictEqual(want);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test("most operations are never made to find one", () => {
  const operation = (operationId: string) => ({ operationId, responses: { "200": { description: LONG } } });
  const text = JSON.stringify({
    openapi: "3.0.0",
    paths: { "/a": { get: operation("a") }, "/b": { put: operation("b") } },
  });
  const root = parseLazily(Buffer.from(text), () => JSON.parse(text), { document: 0, member: 50 }) as JsonObject;
  expect(indexOperations(documentOf(root)).byId("b")?.key).toBe("PUT /b");
  const item = (root.paths as JsonObject)["/a"] as JsonObject;
  expect(glimpse(item, "get")).toMatchObject({ operationId: "a", responses: 0 });
});
