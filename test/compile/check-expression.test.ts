import { describe, expect, test } from "vitest";
import { checkExpression } from "../../src/compile/expressions/check-expression.ts";
import { typeRoots } from "../../src/compile/expressions/type-roots.ts";
import type { Schema } from "../../src/model/schema.ts";
import { apiOf, inputOf, show } from "./spec-stub.ts";

const text: Schema = { type: "string" };
const count: Schema = { type: "integer" };

const api = apiOf({
  Invoice: {
    type: "object",
    required: ["id", "lines", "status"],
    properties: {
      id: text,
      total: { type: "number" },
      status: { type: "string", enum: ["open", "paid"] },
      paid: { type: "boolean" },
      note: { type: ["string", "null"] },
      lines: { type: "array", items: { $ref: "Line" } },
      customer: { $ref: "Customer" },
      parent: { $ref: "Invoice" },
      tags: { type: "array", items: text },
      matrix: { type: "array", items: { type: "array", items: count } },
      metadata: { type: "object", additionalProperties: text },
      anything: {},
      blob: { type: "object" },
    },
  },
  Line: {
    type: "object",
    required: ["sku"],
    properties: {
      sku: text,
      quantity: count,
      discounts: { type: "array", items: { type: "object", properties: { percent: count } } },
    },
  },
  Customer: { anyOf: [text, { $ref: "Person" }, { $ref: "Company" }] },
  Person: { type: "object", properties: { name: text, born: text } },
  Company: { type: "object", properties: { name: text, vat: { $ref: "Vat" } } },
  Vat: {
    allOf: [
      { type: "object", properties: { number: text } },
      { properties: { country: text }, required: ["country"] },
    ],
  },
  Loop: { allOf: [{ $ref: "Loop" }, { type: "object", properties: { a: text } }] },
  Pet: { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind", mapping: { cat: "Cat" } } },
  Cat: { allOf: [{ $ref: "Pet" }, { type: "object", properties: { lives: count } }] },
  Base: { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind" } },
  Broken: { type: "object", properties: { gone: { $ref: "Nowhere" } } },
  Pair: { type: "array", prefixItems: [text, count], items: { not: {} } },
  Either: { type: "object", properties: { a: text, b: text }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  Closed: { type: "object", additionalProperties: { not: {} } },
});

const roots = typeRoots(
  [
    inputOf("limit", { kind: "integer" }, { required: true }),
    inputOf("dimensions", { kind: "array", items: { kind: "string" } }),
    inputOf("bucket", { kind: "enum", values: [{ text: "day", wire: "day" }] }),
    inputOf("range", {
      kind: "object",
      properties: [{ name: "from", wire: "from", required: true, type: { kind: "date" } }],
    }),
    inputOf("big", { kind: "integer", digits: true }, { required: true }),
    inputOf("labels", { kind: "map", values: { kind: "number" } }, { required: true }),
  ],
  ["tenantID"],
);

function check(expression: string, current: Schema = { $ref: "Invoice" }) {
  const { type, misses } = checkExpression({ jmespath: expression }, { api, current, at: "the body", roots });
  return { type: show(type, api), misses };
}

type Typed = [expression: string, want: string, current?: Schema];
const typed: Typed[] = [
  // Fields: a property that is not required may be null.
  ["id", "string"],
  ["total", "null|number"],
  ["note", "null|string"],
  ["status", "string"],
  ['"id"', "string"],
  ["@", "{id,total,status,paid,note,lines,customer,parent,tags,matrix,metadata,anything,blob}"],
  ["parent.parent.parent.id", "null|string"],
  ["customer.name", "null|string"],
  ["customer.vat.number", "null|string"],
  ["customer.vat.country", "null|string"],
  ["metadata.colour", "null|string"],
  ["anything.at.all[0]", "any"],
  ["blob.x.y", "any"],
  ["a", "null|string", { $ref: "Either" }],
  ["a", "null|string", { $ref: "Loop" }],
  ["lives", "integer|null", { $ref: "Pet" }],
  ["anything", "any", { $ref: "Base" }],
  ["gone.further", "any", { $ref: "Broken" }],
  ["x.y", "any", {}],
  // Lists.
  ["lines", "[{sku,quantity,discounts}]"],
  ["lines[0]", "null|{sku,quantity,discounts}"],
  ["lines[-1].sku", "null|string"],
  ["lines[0].quantity", "integer|null"],
  ["lines[*].sku", "[string]"],
  ["lines[].quantity", "[integer]"],
  ["lines[].discounts[].percent", "[integer]"],
  ["lines[*].discounts[*].percent", "[[integer]]"],
  ["tags[]", "[string]|null"],
  ["tags[0:2]", "[string]|null"],
  ["id[0:2]", "string"],
  ["matrix[]", "[integer]|null"],
  ["matrix[][]", "[integer]|null"],
  ["lines[?quantity > `1`].sku", "[string]"],
  ["lines[?sku == 'a'] | [0].sku", "null|string"],
  ["[0]", "null|string", { $ref: "Pair" }],
  ["[1]", "integer|null", { $ref: "Pair" }],
  ["[]", "[integer|string]", { $ref: "Pair" }],
  ["@[]", "[string]", { type: "array", items: text }],
  ["metadata.*", "[string]|null"],
  // What is built.
  ["{id: id, n: total}", "{id,n}"],
  ["{id: id}.id", "string"],
  ["lines[].{code: sku, n: quantity}", "[{code,n}]"],
  ["[id, total]", "[null|number|string]"],
  ["[id, paid][0]", "null|string"],
  ['`{"a": 1}`.a', "number"],
  ["'x'", "string"],
  ["`[1, 2]`", "[number]"],
  // Operators.
  ["note || id", "string"],
  ["note || total", "null|number|string"],
  ["paid && id", "boolean|null|string"],
  ["!paid", "boolean"],
  ["total > `3`", "boolean|null"],
  ["status == 'paid'", "boolean"],
  ["total * `100`", "number"],
  ["-total", "number"],
  ["paid ? id : `0`", "number|string"],
  ["customer | name", "null|string"],
  ["let $p = parent in $p.id", "null|string"],
  ["let $i = id in lines[].{invoice: $i, sku: sku}", "[{invoice,sku}]"],
  // Functions.
  ["length(lines)", "number"],
  ["sum(lines[].quantity)", "number"],
  ["join(', ', tags)", "string"],
  ["keys(metadata)", "[string]"],
  ["values(metadata)", "[string]"],
  ["map(&sku, lines)", "[string]"],
  ["sort_by(lines, &sku)[0].sku", "null|string"],
  ["max_by(lines, &quantity).sku", "null|string"],
  ["max(lines[].quantity)", "integer|null"],
  ["to_string(total)", "string"],
  ["to_number(id)", "null|number"],
  ["not_null(note, id)", "null|string"],
  ["merge(@, {id: total}).id", "null|number"],
  ["merge({a: id}, {b: paid}).b", "boolean|null"],
  ["contains(tags, 'x')", "boolean|null"],
  ["starts_with(id, 'in_')", "boolean"],
  ["type(anything)", "string"],
  ["to_array(id)", "[string]"],
  ["to_array(tags)", "[null|string]"],
  ["items(metadata)[0]", "[string]|null"],
  ["group_by(lines, &sku).x[0].quantity", "integer|null"],
  ["reverse(lines)[].sku", "[string]"],
  ["split(id, '_')", "[string]"],
  ["zip(tags, lines)[0][1].sku", "null|string"],
  // Roots.
  ["$.input.limit", "number"],
  ["$.input.dimensions", "[string]|null"],
  ["$.input.bucket == 'day'", "boolean"],
  ["$.input.range.from", "null|string"],
  ["$.input.big", "string"],
  ["$.input.labels[0].value", "null|number"],
  ["$.pins.tenantID", "any"],
  ["lines[?sku == $.input.bucket].quantity", "[integer]"],
];

describe("an expression over a schema", () => {
  test.each<Typed>(typed)("%s is %s", (expression, want, current) => {
    expect(check(expression, current)).toEqual({ type: want, misses: [] });
  });
});

type Missed = [expression: string, message: string, nearest: readonly string[], current?: Schema];
const missed: Missed[] = [
  ["totl", '"totl" is not in the body.', ["total"]],
  ["Total", '"Total" is not in the body.', ["total"]],
  ["lines[].skuu", '"skuu" is not in lines[].', ["sku"]],
  ["lines[?colour == 'x'].sku", '"colour" is not in lines[].', []],
  ["lines[*].{a: sku, b: quantty}", '"quantty" is not in lines[].', ["quantity"]],
  ["parent.parent.idd", '"idd" is not in parent.parent.', ["id"]],
  ["lines.sku", 'lines is an array: it has no "sku".', ["[].sku"]],
  ["id.first", 'id is a string: it has no "first".', []],
  ["customer.vta", '"vta" is not in customer.', ["vat"]],
  ["customer.vat.county", '"county" is not in customer.vat.', ["country"]],
  ["id[0]", "id is a string, and here a list is needed.", []],
  ["total[*].x", "total is a number, and here a list is needed.", []],
  ["lines.*", "lines is an array, and here an object is needed.", []],
  ["{a: id}.b", '"b" is not in (…).', []],
  ["sort_by(lines, &skus)", '"skus" is not in each element in sort_by().', ["sku"]],
  ["map(&sku, tags)", 'each element in map() is a string: it has no "sku".', []],
  [
    "length(total)",
    "length() takes a string or an array or an object as argument 1, and `total` is a number or null.",
    [],
  ],
  ["sum(id)", "sum() takes an array as argument 1, and `id` is a string.", []],
  ["sort_by(lines, sku)", '"sku" is not in the body.', []],
  ["x", '"x" is not in the body.', [], { $ref: "Closed" }],
  ["c", '"c" is not in the body.', [], { $ref: "Either" }],
  ["purrs", '"purrs" is not in the body.', [], { $ref: "Cat" }],
  ["lifes", '"lifes" is not in the body.', ["lives"], { $ref: "Cat" }],
  ["purrs", '"purrs" is not in the body.', [], { $ref: "Pet" }],
];

describe("an expression that can never give a value", () => {
  test.each<Missed>(missed)("%s: %s", (expression, message, nearest, current) => {
    const { misses } = check(expression, current);
    expect(misses.filter((one) => one.message === message).map((one) => one.nearest)).toEqual([nearest]);
  });

  test("one mistake is one finding, whatever follows it", () => {
    expect(check("totl.a.b[].c").misses).toHaveLength(1);
  });

  test("a name that is no input is told apart from a path that the spec lacks", () => {
    expect(check("$.input.limmit").misses).toMatchObject([{ kind: "input", nearest: ["limit"] }]);
    expect(check("lines[?sku == $.pins.tenantId]").misses).toMatchObject([{ kind: "pin", nearest: ["tenantID"] }]);
    expect(check("let $i = $.input in $i.dimension").misses).toMatchObject([
      { kind: "input", nearest: ["dimensions"] },
    ]);
  });

  test("a function that never gets what it takes is a miss of its argument", () => {
    expect(check("length(paid)").misses).toMatchObject([{ kind: "argument" }]);
    expect(check("length(note)").misses).toEqual([]);
  });

  test.each([
    ["lines[?sku >= 'a']", 1],
    ["id < $.input.dimensions[0]", 1],
    ["tags > `2`", 1],
    ["total >= `2`", 0],
    ["note > `2`", 1],
    ["id == 'a'", 0],
  ])("sizes of what is no number are never compared: %s", (expression, count) => {
    const messages = check(expression).misses.map(({ message }) => message);
    expect(messages.filter((one) => one.startsWith("Only numbers are compared by size"))).toHaveLength(count);
  });
});
