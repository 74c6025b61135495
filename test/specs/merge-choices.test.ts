import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { sliceSchema } from "./slice-schema.ts";

const text = { type: "string" };
const number = { type: "integer" };
const closed = (properties: object) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const SCHEMAS = {
  Base: { type: "object", properties: { id: number }, required: ["id"] },
  Left: { type: "object", properties: { a: text, child: { $ref: "#/components/schemas/Left" } } },
  Right: { type: "object", properties: { b: number, child: { $ref: "#/components/schemas/Right" } } },
  Tree: { oneOf: [text, { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } }] },
};

function fits(schema: object, value: Json): boolean {
  const names = new Set(["id", "a", "b", "child"]);
  const document = { components: { schemas: SCHEMAS } } as unknown as JsonObject;
  const slice = { document, merged: true, isOld: false, names, schemas: new Map(), taken: new Set<string>() };
  const whole = sliceSchema(schema as JsonObject, slice) as JsonObject;
  const components = {
    schemas: Object.fromEntries([...slice.schemas.values()].map(({ name, schema }) => [name, schema])),
  };
  return new Ajv({ strict: false }).validate({ ...whole, components }, value);
}

describe("the choices of a union, taken together", () => {
  const objects = { oneOf: [closed({ a: text }), closed({ b: number })] };
  const cases: [title: string, schema: object, value: Json, want: boolean][] = [
    ["one choice", objects, { a: "x" }, true],
    ["parts of two choices", objects, { a: "x", b: 1 }, true],
    ["none of what the choices need", objects, {}, true],
    ["a value that no choice takes", objects, { b: "x" }, false],
    ["a name that no choice knows", objects, { c: 1 }, false],
    ["another kind of value", objects, "x", false],
    [
      "a property that two choices know otherwise",
      { anyOf: [closed({ a: text }), closed({ a: number })] },
      { a: true },
      false,
    ],
    [
      "items of two lists",
      {
        oneOf: [
          { type: "array", items: text },
          { type: "array", items: number },
        ],
      },
      ["x", 1],
      true,
    ],
    [
      "an item of neither list",
      {
        oneOf: [
          { type: "array", items: text },
          { type: "array", items: number },
        ],
      },
      [true],
      false,
    ],
    [
      "choices with parts of their own",
      { oneOf: [{ allOf: [{ $ref: "#/components/schemas/Base" }, closed({ a: text })] }, text] },
      { id: "x" },
      false,
    ],
    [
      "choices among choices",
      { oneOf: [{ anyOf: [closed({ a: text }), number] }, closed({ b: number })] },
      { a: "x", b: 1 },
      true,
    ],
    ["what refers to itself", { $ref: "#/components/schemas/Tree" }, { child: { child: "x" } }, true],
    [
      "what refers to itself in two choices",
      { oneOf: [{ $ref: "#/components/schemas/Left" }, { $ref: "#/components/schemas/Right" }] },
      { child: { a: "x", child: { b: 1 } } },
      true,
    ],
    [
      "what refers to itself in two choices, and neither takes it",
      { oneOf: [{ $ref: "#/components/schemas/Left" }, { $ref: "#/components/schemas/Right" }] },
      { child: { a: "x", child: { b: "x" } } },
      false,
    ],
    ["what refers to itself, deep inside", { $ref: "#/components/schemas/Tree" }, { child: { child: 1 } }, false],
  ];
  test.each(cases)("%s", (_title, schema, value, want) => {
    expect(fits(schema, value)).toBe(want);
  });
});
