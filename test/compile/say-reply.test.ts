import { expect, test } from "vitest";
import { listAlternatives } from "../../src/compile/expressions/list-alternatives.ts";
import { outlineReply, outlineSchema } from "../../src/compile/reply/outline-schema.ts";
import { sayValue } from "../../src/compile/reply/say-value.ts";
import type { Schema } from "../../src/model/schema.ts";
import { apiOfText, compileText, curationText } from "./compile-text.ts";

const api = await apiOfText(`
paths: {}
components:
  schemas:
    Money: {type: number, format: double}
    Loop: {anyOf: [{type: string}, {$ref: '#/components/schemas/Loop'}]}
    Tree: {type: object, properties: {name: {type: string}, below: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
`);
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const many = Array.from({ length: 51 }, (_, at) => `v${at}`);

test.each<readonly [what: string, schema: Schema, want: object]>([
  ["a type", { type: "string" }, { type: "string" }],
  ["a type behind a reference", ref("Money"), { type: "number", format: "double" }],
  ["null beside a type", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["null alone", { type: "null" }, { type: "null" }],
  ["several types, in order", { anyOf: [{ type: "string" }, { type: "boolean" }] }, { type: "boolean|string" }],
  ["integers among numbers", { type: ["integer", "number"] }, { type: "number" }],
  ["nothing of an open schema", {}, {}],
  ["nothing where one way is open", { anyOf: [{ type: "string" }, {}] }, {}],
  ["nothing of a schema that holds itself", ref("Loop"), {}],
  ["a format that all have", { allOf: [{ type: "string" }, { format: "date" }] }, { type: "string", format: "date" }],
  [
    "no format that only some have",
    { oneOf: [{ type: "string", format: "date" }, { type: "string" }] },
    { type: "string" },
  ],
  ["no format that is a story", { type: "string", format: "x".repeat(65) }, { type: "string" }],
  [
    "values, in order and without null",
    { enum: ["b", "a", null] },
    { type: "string", nullable: true, enum: ["a", "b"] },
  ],
  [
    "values of every way",
    { oneOf: [{ const: 2 }, { type: "string", enum: ["a"] }] },
    { type: "number|string", enum: ["2", "a"] },
  ],
  ["no values where one way has any", { oneOf: [{ const: "b" }, { type: "string" }] }, { type: "string" }],
  [
    "many values as a digest",
    { enum: many },
    { type: "string", enumDigest: expect.stringMatching(/^51 values, [0-9a-f]{16}$/) },
  ],
  [
    "long values as a digest",
    { enum: ["x".repeat(2_001)] },
    { type: "string", enumDigest: expect.stringMatching(/^1 values, /) },
  ],
])("what is said of a value: %s", (_, schema, want) => {
  expect(sayValue(listAlternatives(schema, api))).toStrictEqual(want);
});

test("the same values in another order are the same", () => {
  const said = (values: readonly string[]) => sayValue(listAlternatives({ enum: values }, api));
  expect(said(many.toReversed())).toStrictEqual(said(many));
});

test("it is said of the names of the output schema, and of the items below the last ones", () => {
  expect(outlineReply(ref("Tree"), api)).toStrictEqual({
    type: "object",
    properties: {
      name: { optional: true, type: "string" },
      below: {
        optional: true,
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { optional: true, type: "string" },
            below: { optional: true, type: "array", items: { type: "object" } },
          },
        },
      },
    },
  });
  expect(outlineSchema(ref("Tree"), api)).toStrictEqual({
    properties: { name: {}, below: { items: { properties: { name: {}, below: {} } } } },
  });
});

const SPEC = `
components: {schemas: {Item: {type: object, required: [id], properties: {id: {type: string}, price: {type: integer}, at: {type: integer, format: unix-time}}}}}
paths:
  /items:
    get:
      operationId: listItems
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Item'}}}}}}}}
`;

test.each<readonly [what: string, tool: string, want: object | undefined]>([
  [
    "columns, which are always there",
    "result: {rows: items, fields: {key: id, cost: price}}",
    { key: { type: "string" }, cost: { type: "integer", nullable: true } },
  ],
  [
    "columns in a form, as the upstream sends them",
    "result: {rows: items, fields: {at: {path: at, as: unix}}}",
    { at: { type: "integer", nullable: true, format: "unix-time" } },
  ],
  [
    "what an expression makes",
    "result: {rows: items, fields: {first: 'id || price', long: 'length(id)', up: 'to_string(price)'}}",
    { first: { type: "integer|string", nullable: true }, long: { type: "number" }, up: { type: "string" } },
  ],
  [
    "rows as they come",
    "result: {rows: items}",
    {
      id: { type: "string" },
      price: { optional: true, type: "integer" },
      at: { optional: true, type: "integer", format: "unix-time" },
    },
  ],
  ["a value", "result: {value: {count: 'length(items)'}}", { count: { type: "number" } }],
  ["steps", undefined as never, { count: { type: "number" } }],
  ["nothing of a spec that is not believed", "unchecked: true, result: {rows: items, fields: {key: id}}", { key: {} }],
])("what is said of a reply: %s", async (_, result, want) => {
  const call =
    result === undefined
      ? "steps: [{id: all, operation: listItems}], result: {value: {count: 'length(steps.all.items)'}}"
      : `operation: listItems, ${result}`;
  const { toolset, problems } = compileText(await apiOfText(SPEC), curationText(`list_items: {use: List., ${call}}`));
  expect(problems.filter(({ severity }) => severity === "error")).toStrictEqual([]);
  expect(toolset?.tools[0]?.said?.properties).toStrictEqual(want);
});
