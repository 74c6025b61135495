import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import { listedTool } from "../../src/model/listed-tool.ts";
import type { Tool } from "../../src/model/tool.ts";
import { createRunner, type Runner } from "../../src/run/run-tool.ts";
import { compileTools } from "../compile/compile-text.ts";

// What holds of every reply (contract, sections 4 and 7), whatever shape the curation gives it and whatever the upstream answers.

const SPEC = `
components:
  schemas:
    Row:
      type: object
      required: [id, deep]
      properties:
        id: { type: integer }
        name: { type: string }
        price: { type: number, minimum: 0 }
        ok: { type: boolean }
        kind: { type: string, enum: [a, b] }
        maybe: { type: [string, "null"] }
        unix: { type: integer }
        cents: { type: integer }
        csv: { type: string }
        tags: { type: array, items: { type: string }, minItems: 1 }
        deep: { type: object, required: [a], properties: { a: { type: string }, l: { type: array, items: { type: object, required: [x], properties: { x: { type: integer } } } } } }
    Body: { type: object, required: [rows], properties: { rows: { type: array, items: { $ref: "#/components/schemas/Row" } }, one: { $ref: "#/components/schemas/Row" }, title: { type: string } } }
paths:
  /body:
    get: { operationId: getBody, responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Body" } } } } } }
    put: { operationId: putBody, responses: { "200": { description: ok, content: { text/plain: { schema: { type: string } } } } } }
`;

const TOOLS = `
as_rows: { operation: getBody, use: A., result: { rows: rows, budget: 1kB } }
as_columns:
  operation: getBody
  use: A.
  result:
    rows: rows
    order: [-price, name]
    fields: { id: id, name: { path: name, clip: 10 }, price: { path: price, round: 1 }, unix: { path: unix, as: unix }, cents: { path: cents, as: minor, unit: EUR }, csv: { path: csv, as: csv }, kind: kind, maybe: maybe, tags: tags, deep: deep, xs: "deep.l[].x" }
    limit: { default: 100, max: 100 }
    budget: 2kB
as_body: { operation: getBody, use: A., result: { budget: 1kB } }
as_fields: { operation: getBody, use: A., result: { fields: { title: { path: title, clip: first-sentence }, one: one, all: rows }, budget: 1kB } }
as_value: { operation: getBody, use: A., result: { value: { title: title, ids: "rows[].id", inner: { one: one.deep, names: "rows[].name" } }, budget: 1kB } }
as_text: { operation: putBody, use: A., effect: read, result: { text: { tail: 20 }, budget: 1kB } }
`;

const ERROR_KEYS = "error message recover path got allowed nearest retryable retryAfterMs upstream".split(" ");

interface Answer {
  status: number;
  type: string;
  body: Uint8Array;
}

let answer: Answer;
let runner: Runner;
let tools: readonly Tool[];
const validators = new Map<string, (reply: unknown) => boolean>();

beforeAll(async () => {
  const { toolset, problems } = await compileTools(SPEC, TOOLS, { api: "retries: 0" });
  if (toolset === undefined) throw new Error(JSON.stringify(problems));
  ({ tools } = toolset);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const tool of tools) validators.set(tool.name, ajv.compile(listedTool(tool, true).outputSchema ?? {}));
  runner = createRunner(
    toolset,
    { env: {} },
    {
      egress: {
        async request({ url }) {
          const { status, type, body } = answer;
          return { status, headers: new Map([["content-type", type]]), url, body: bytes(body) };
        },
        close: async () => {},
      },
      authorize: openAuthorizer(),
      observe: () => {},
      report: () => {},
      now: () => new Date(0),
    },
  );
});

async function* bytes(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}

/** Calls every tool with the same answer of the upstream and holds each reply to the laws. */
async function checkAll(given: Answer): Promise<void> {
  answer = given;
  for (const tool of tools) {
    const reply = await runner.call(tool.name, {}, { key: {}, signal: new AbortController().signal });
    const told: Record<string, unknown> = JSON.parse(reply.text);
    if (reply.isError) {
      expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(2_000);
      expect(told).toMatchObject({ message: expect.any(String), recover: expect.any(String) });
      expect(told.retryable).toBeTypeOf("boolean");
      expect(Object.keys(told).filter((key) => !ERROR_KEYS.includes(key))).toStrictEqual([]);
      expect(told.error).not.toBe("internal");
    } else {
      expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(tool.shape.budget);
      expect(JSON.stringify(reply.structured)).toBe(reply.text);
      // The protocol's library drops it from the structured twin.
      expect(Object.keys(told)).not.toContain("__proto__");
      expect([tool.name, validators.get(tool.name)?.(told)]).toStrictEqual([tool.name, true]);
    }
  }
}

const cell = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.array(fc.string({ unit: "grapheme" }), { maxLength: 200 }),
  fc.constantFrom("1.005", 1e300, -0, "NaN", "2020-01-01", "__proto__", 2 ** 60, "\u0000\ud800"),
);
const key = fc.oneof(
  fc.constantFrom(
    ..."rows one title id name price unix cents csv kind tags deep a l x omitted note data __proto__ toJSON".split(" "),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const row = fc.oneof({ weight: 3, arbitrary: fc.dictionary(key, cell, { maxKeys: 12 }) }, cell);
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ rows: fc.oneof(fc.array(row, { maxLength: 60 }), cell), one: row, title: cell }),
  },
  fc.dictionary(key, row, { maxKeys: 30 }),
  cell,
);

describe("every reply keeps its budget, its schema and its twin", () => {
  test("of any JSON", async () => {
    const property = fc.asyncProperty(body, fc.constantFrom(200, 200, 201, 400, 404, 429, 500), (value, status) =>
      checkAll({ status, type: "application/json", body: Buffer.from(JSON.stringify(value)) }),
    );
    await fc.assert(property, { numRuns: 150 });
  });

  test("of any bytes under any type", async () => {
    const types = [
      "application/json",
      "text/plain",
      "text/html",
      "image/png",
      "x/y",
      "",
      "\u0007",
      "x/".padEnd(5_000, "y"),
    ];
    const property = fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.string({ unit: "binary", maxLength: 5_000 }).map((text) => Buffer.from(text)),
      ),
      fc.constantFrom(...types),
      fc.constantFrom(200, 204, 302, 422, 503),
      (bytes, type, status) => checkAll({ status, type, body: bytes }),
    );
    await fc.assert(property, { numRuns: 150 });
  });

  const large: [title: string, body: string][] = [
    [
      "a text of 5 MB in one cell",
      JSON.stringify({ rows: [{ id: 1, name: "x".repeat(5e6) }], title: "😀".repeat(50_000) }),
    ],
    [
      "an object of 100,000 keys in one row",
      JSON.stringify({ rows: [Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [`k${n}`, n]))] }),
    ],
    ["250,000 rows", `{"rows":[${Array(250_000).fill('{"id":1}').join()}]}`],
    ["lists 200 deep", `{"rows":[{"deep":${"[".repeat(200)}${"]".repeat(200)}}]}`],
    ["lists 100,000 deep", "[".repeat(1e5)],
    ["a key of 1 MB", JSON.stringify({ ["k".repeat(1e6)]: { x: [1] }, rows: [{ ["😀".repeat(1e5)]: 1 }] })],
    [
      "an own __proto__ at every level",
      '{"rows":[{"__proto__":{"x":1},"id":1}],"one":{"__proto__":[]},"title":"t","__proto__":{"x":1}}',
    ],
    [
      "numbers beyond all bounds",
      '{"rows":[{"id":1e400,"price":-1e999,"cents":123456789012345678901234567890,"unix":1e300}]}',
    ],
  ];
  test.each(large)("of %s", (_, text) => checkAll({ status: 200, type: "application/json", body: Buffer.from(text) }));
});
