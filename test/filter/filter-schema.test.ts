import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { readFieldType } from "../../src/filter/field-type.ts";
import { buildFilterSchema } from "../../src/filter/filter-schema.ts";
import type { FilterField } from "../../src/model/filter.ts";
import type { JsonObject } from "../../src/model/json.ts";

const FIELDS: readonly FilterField[] = [
  {
    name: "status",
    to: "status",
    type: "enum",
    nullable: false,
    values: ["active", "past_due"].map((text) => ({ text, wire: text })),
  },
  { name: "amount_usd", to: "amount", type: "decimal", nullable: false },
  { name: "country", to: "country", type: "string", nullable: true },
  { name: "created_at", to: "created", type: "date-time", nullable: false },
];

const SINGLE = { kind: "single", field: "country", op: "eq", value: "US" };
const group = (...conditions: JsonObject[]) => ({ kind: "composite", match: "all", conditions });

const KEYWORDS = ["type", "description", "properties", "required", "items", "enum"];
function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, inner]) => [
    key,
    ...(key === "properties" ? Object.values(inner as object).flatMap((one: object) => keywordsOf(one)) : []),
    ...(key === "items" ? keywordsOf(inner as object) : []),
  ]);
}

describe("the schema of a filter", () => {
  test("names fields, operators and types once, and unrolls to its depth", () => {
    expect(buildFilterSchema({ fields: FIELDS, depth: 1 })).toStrictEqual({
      type: "object",
      properties: {
        kind: {
          type: "string",
          enum: ["single", "composite"],
          description: "single: set field, op and value (or values). composite: set match and conditions.",
        },
        field: {
          type: "string",
          enum: ["status", "amount_usd", "country", "created_at"],
          description: "status active|past_due; amount_usd decimal; created_at date-time.",
        },
        op: {
          type: "string",
          enum: ["eq", "ne", "in", "not_in", "lt", "lte", "gt", "gte", "contains", "is_null", "is_not_null"],
        },
        value: {
          type: "string",
          description: 'As text: "12.50", "2026-01-31T00:00:00Z". Omit for is_null, is_not_null.',
        },
        values: { type: "array", items: { type: "string" }, description: "Only for in, not_in." },
        match: {
          type: "string",
          enum: ["all", "any", "none"],
          description: "composite only. all = AND, any = OR, none = NOT(OR).",
        },
        conditions: {
          type: "array",
          description: "composite only. 1 to 10 conditions of the same shape.",
          items: {
            type: "object",
            required: ["kind"],
            properties: {
              kind: { type: "string", enum: ["single"] },
              field: { type: "string" },
              op: { type: "string" },
              value: { type: "string" },
              values: { type: "array", items: { type: "string" } },
            },
          },
        },
      },
      required: ["kind"],
    });
  });

  const shapes = [0, 1, 2, 3].flatMap((depth) => [{ depth, fields: FIELDS }, { depth }]);
  test.each(shapes)("is portable and compiles in both drafts ($depth)", (options) => {
    const schema = buildFilterSchema(options);
    expect(keywordsOf(schema).filter((key) => !KEYWORDS.includes(key))).toStrictEqual([]);
    for (const ajv of [new Ajv({ strict: true }), new Ajv2020({ strict: true })]) {
      const accepts = ajv.compile(schema);
      expect(accepts(SINGLE)).toBe(true);
      expect(accepts(group(SINGLE, SINGLE))).toBe(options.depth >= 1);
      expect(accepts(group(group(SINGLE)))).toBe(options.depth >= 2);
    }
  });

  test.each([
    [0, 180],
    [1, 320],
    [2, 390],
  ])("of depth %i costs at most %i tokens", (depth, most) => {
    const tokens = encode(JSON.stringify(buildFilterSchema({ fields: FIELDS, depth }))).length;
    expect(tokens).toBeLessThanOrEqual(most);
    expect(tokens).toBeGreaterThan(most / 2);
  });

  test("offers only what the upstream has", () => {
    const { properties = {} } = buildFilterSchema({ fields: FIELDS, ops: ["eq", "lt"], matches: ["all"] });
    expect(properties["op"]?.enum).toStrictEqual(["eq", "lt"]);
    expect(properties["values"]).toBeUndefined();
    expect(properties["value"]?.description).not.toMatch(/Omit/);
    expect(properties["match"]).toStrictEqual({
      type: "string",
      enum: ["all"],
      description: "composite only. all = AND.",
    });
    expect(buildFilterSchema({ fields: FIELDS, matches: [] }).properties?.["conditions"]).toBeUndefined();
  });

  test("leaves names free that are found when a call comes", () => {
    expect(buildFilterSchema({}).properties?.["field"]).toStrictEqual({ type: "string" });
  });

  test("cuts long lists of values", () => {
    const values = Array.from({ length: 40 }, (_, index) => ({ text: `v${index}`, wire: `v${index}` }));
    const { description } = buildFilterSchema({
      fields: [{ name: "a", to: "a", type: "enum", nullable: true, values }],
    }).properties!["field"]!;
    expect(description).toMatch(/^a v0\|.*\|v11\|…\.$/);
  });
});

test.each([
  ["String", "string"],
  ["DECIMAL", "decimal"],
  ["date-time", "date-time"],
  ["DateTime", "date-time"],
  ["int64", "integer"],
  ["Boolean", "boolean"],
  ["json", undefined],
  ["constructor", undefined],
  ["character varying", "string"],
  ["DOUBLE PRECISION", "decimal"],
  ["timestamp with time zone", "date-time"],
  ["array<string>", undefined],
])("the upstream's type %s", (word, want) => expect(readFieldType(word)).toBe(want));
