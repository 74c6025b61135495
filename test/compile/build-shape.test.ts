import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { buildShape } from "../../src/compile/reply/build-shape.ts";
import { nameTools } from "../../src/compile/words/tool-names.ts";
import type { Operation } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import type { Input } from "../../src/model/tool.ts";
import { apiOf, curationOf, inputOf, jsonResponse, operationOf } from "./spec-stub.ts";

const row: Schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    cost: { type: "number" },
    price: { type: "string" },
    created: { type: "integer" },
    currency: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    owner: { type: "object", properties: { id: { type: "string" }, team: { type: "object", properties: { x: {} } } } },
  },
};
const api = apiOf({
  Row: row,
  List: { type: "object", properties: { rows: { type: "array", items: { $ref: "Row" } }, next: { type: "string" } } },
});
const listOperation = operationOf([jsonResponse({ $ref: "List" })]);
const inputs: readonly Input[] = [
  inputOf("search", { kind: "string" }),
  inputOf("columns", { kind: "array", items: { kind: "string" } }),
  inputOf("fixed", { kind: "array", items: { kind: "enum", values: [{ text: "cost", wire: "cost" }] } }),
  inputOf("day", { kind: "boolean" }),
];

function build(result: object | undefined, more: { operation?: Operation; structured?: boolean; tool?: object } = {}) {
  const curation = curationOf(
    { list_rows: { operation: "x", ...(result && { result }), ...more.tool } },
    { prefix: "x_" },
  );
  return buildShape(curation.content.tools.list_rows!, ["tools", "list_rows"], {
    curation,
    api,
    operation: more.operation ?? listOperation,
    inputs,
    pins: ["tenantID"],
    names: nameTools(curation),
    comparable: true,
    structured: more.structured ?? true,
  });
}

const found = (result: object, more?: Parameters<typeof build>[1]) =>
  build(result, more).problems.map(({ code, file, hint }) => [code, file, hint]);

describe("the shape of a list", () => {
  test("everything that a list can say becomes data", () => {
    const { shape, problems } = build({
      rows: "rows",
      fields: {
        "...": "${input.columns}",
        name: "name",
        cost: { path: "cost", round: 2, unit: "currency" },
        what: { path: "price", clip: "first-sentence" },
        at: { path: "created", as: "unix" },
        amount: { path: "created", as: "minor", unit: "${input.search}" },
        dollars: { path: "created", as: "minor", unit: "${currency}" },
        euros: { path: "created", as: "minor", unit: "EUR" },
      },
      search: "${input.search}",
      order: [{ when: "$.input.day", by: ["name"] }, { by: ["-cost", "..."] }],
      limit: { default: 10, max: 100 },
      budget: "8kB",
      text: { tail: 40 },
      emptyNote: "No rows; see `list_rows`.",
    });
    expect(problems).toEqual([]);
    const unit = { kind: "expression", expression: { jmespath: "currency" } };
    const fromInput = { kind: "expression", expression: { jmespath: "$ | (input.search)" } };
    const currency = { kind: "expression", expression: { jmespath: "currency" } };
    const euros = { kind: "literal", value: "EUR" };
    expect(shape).toEqual({
      kind: "list",
      rows: { jmespath: "rows" },
      fields: [
        { kind: "columns", names: { kind: "expression", expression: { jmespath: "input.columns" } } },
        { kind: "column", name: "name", path: { jmespath: "name" } },
        { kind: "column", name: "cost", path: { jmespath: "cost" }, round: 2, unit },
        { kind: "column", name: "what", path: { jmespath: "price" }, clip: "first-sentence" },
        { kind: "column", name: "at", path: { jmespath: "created" }, form: { as: "unix" } },
        {
          kind: "column",
          name: "amount",
          path: { jmespath: "created" },
          form: { as: "minor", unit: fromInput },
          unit: fromInput,
        },
        {
          kind: "column",
          name: "dollars",
          path: { jmespath: "created" },
          form: { as: "minor", unit: currency },
          unit: currency,
        },
        {
          kind: "column",
          name: "euros",
          path: { jmespath: "created" },
          form: { as: "minor", unit: euros },
          unit: euros,
        },
      ],
      search: { kind: "expression", expression: { jmespath: "input.search" } },
      order: [
        { when: { jmespath: "$.input.day" }, by: [{ column: "name", descending: false }] },
        {
          by: [
            { column: "cost", descending: true },
            { column: "...", descending: false },
          ],
        },
      ],
      limit: { default: 10, max: 100 },
      budget: 8_000,
      text: { tail: 40 },
      emptyNote: "No rows; see `x_list_rows`.",
    });
  });

  test("the budget is 25 kB unless said, and plain names order by one rule", () => {
    expect(build({ rows: "rows", order: ["-cost", "name"] }).shape).toMatchObject({
      budget: 25_000,
      order: [
        {
          by: [
            { column: "cost", descending: true },
            { column: "name", descending: false },
          ],
        },
      ],
    });
    expect(build({ rows: "rows", order: "upstream" }).shape).not.toHaveProperty("order");
  });

  const at = (rest: string) => `tools.list_rows.result.${rest}`;
  test.each<[string, object, unknown[]]>([
    [
      "rows that are no list",
      { rows: "next" },
      ["rows_not_a_list", at("rows"), "Name the list of the body that holds the rows."],
    ],
    ["rows that the spec lacks", { rows: "row" }, ["path_not_in_spec", at("rows"), 'Did you mean "rows"?']],
    [
      "a path that rows lack",
      { rows: "rows", fields: { a: "nam" } },
      ["path_not_in_spec", at("fields.a"), 'Did you mean "name"?'],
    ],
    [
      "a path in a longer entry",
      { rows: "rows", fields: { a: { path: "coast", round: 1 } } },
      ["path_not_in_spec", at("fields.a.path"), 'Did you mean "cost"?'],
    ],
    [
      "a path of nothing near",
      { rows: "rows", fields: { a: "zzzzzz" } },
      ["path_not_in_spec", at("fields.a"), "There is name, cost, price, created, currency, tags, owner."],
    ],
    [
      "clip of a number",
      { rows: "rows", fields: { a: { path: "cost", clip: 20 } } },
      ["clip_not_text", at("fields.a.clip"), expect.any(String)],
    ],
    [
      "clip of a number shown as a time is fine, of one in minor units not",
      {
        rows: "rows",
        fields: {
          a: { path: "created", as: "unix", clip: 4 },
          b: { path: "created", as: "minor", unit: "USD", clip: 4 },
        },
      },
      ["clip_not_text", at("fields.b.clip"), expect.any(String)],
    ],
    [
      "round of a text",
      { rows: "rows", fields: { a: { path: "price", round: 2 } } },
      ["round_not_number", at("fields.a.round"), "Where it holds a number as text, write path: to_number(price)."],
    ],
    [
      "a form that the type cannot hold",
      { rows: "rows", fields: { a: { path: "tags", as: "unix" } } },
      ["form_mismatch", at("fields.a.as"), expect.any(String)],
    ],
    [
      "a unit that rows lack",
      { rows: "rows", fields: { a: { path: "cost", unit: "curency" } } },
      ["path_not_in_spec", at("fields.a.unit"), 'Did you mean "currency"?'],
    ],
    [
      "order by no column",
      { rows: "rows", fields: { cost: "cost" }, order: ["-costs"] },
      ["unknown_column", at("order.0"), 'Did you mean "cost"?'],
    ],
    [
      "order by a row's property that is no column",
      { rows: "rows", fields: { cost: "cost" }, order: [{ by: ["name"] }] },
      ["unknown_column", at("order.0.by.0"), "There is cost."],
    ],
    [
      "order by nothing that rows have",
      { rows: "rows", order: ["nome"] },
      ["unknown_column", at("order.0"), 'Did you mean "name"?'],
    ],
    [
      "order by columns that are not added",
      { rows: "rows", fields: { cost: "cost" }, order: ["..."] },
      ["unknown_column", at("order.0"), expect.any(String)],
    ],
    [
      "a rule by no input",
      { rows: "rows", order: [{ when: "$.input.dya", by: ["name"] }] },
      ["unknown_input", at("order.0.when"), 'Did you mean "day"?'],
    ],
    [
      "a search by no input",
      { rows: "rows", search: "${input.serch}" },
      ["unknown_input", at("search"), 'Did you mean "search"?'],
    ],
    [
      "a pin that is none",
      { rows: "rows[?name == $.pins.tenant]" },
      ["unknown_pin", at("rows"), 'Did you mean "tenantID"?'],
    ],
    [
      "columns that may be called as one that is named",
      { rows: "rows", fields: { "...": "${input.fixed}", cost: "cost" } },
      ["field_clash", at("fields...."), expect.any(String)],
    ],
    [
      "columns from what is no list",
      { rows: "rows", fields: { "...": "${input.search}" } },
      ["not_a_list_of_names", at("fields...."), "Name an input of type string[], as in ${input.columns}."],
    ],
    [
      "a call that always fails",
      { rows: "rows", fields: { n: "length(cost)" } },
      ["wrong_argument_type", at("fields.n"), expect.any(String)],
    ],
  ])("%s", (_, result, want) => {
    expect(found(result)).toEqual([want]);
  });

  test("what needs rows says so where there are none", () => {
    expect(found({ limit: { default: 1, max: 2 }, search: "x" }).map(([code]) => code)).toEqual([
      "needs_rows",
      "needs_rows",
    ]);
  });

  test("unchecked takes back what the spec says, and leaves the curation's own names", () => {
    const tool = { unchecked: true };
    expect(found({ rows: "elsewhere", fields: { a: "b.c" } }, { tool })).toEqual([]);
    expect(found({ rows: "next", fields: { a: { path: "cost", clip: 3 } } }, { tool })).toEqual([]);
    expect(found({ rows: "rows[?x == $.input.dya]" }, { tool }).map(([code]) => code)).toEqual(["unknown_input"]);
  });

  test("an open schema has no misses", () => {
    const operation = operationOf([{ status: "200", description: "", content: [] }]);
    expect(
      found({ rows: "a.b", fields: { c: "d.e", n: { path: "f", round: 2 } }, order: ["c"] }, { operation }),
    ).toEqual([]);
  });
});

describe("the shape of an object", () => {
  test("fields select from the body", () => {
    const { shape, problems } = build({ fields: { first: "rows[0].name", next: "next" } });
    expect(problems).toEqual([]);
    expect(shape).toMatchObject({ kind: "object", fields: [{ name: "first" }, { name: "next" }] });
  });

  test("without a result the body is the reply", () => {
    expect(build(undefined).shape).toEqual({ kind: "object", budget: 25_000 });
  });

  test("an object may be built of expressions at any depth, one alone too", () => {
    const { shape, problems } = build({ value: { n: "length(rows)", deep: { names: "rows[].name" } } });
    expect(problems).toEqual([]);
    expect(shape).toMatchObject({
      kind: "value",
      value: {
        kind: "object",
        entries: [
          ["n", { kind: "expression", expression: { jmespath: "length(rows)" } }],
          ["deep", { kind: "object", entries: [["names", { kind: "expression" }]] }],
        ],
      },
    });
    expect(build({ value: "rows[].name" }).shape).toMatchObject({ kind: "value", value: { kind: "expression" } });
    expect(found({ value: { deep: { names: "rows[].nam" } } })).toEqual([
      ["path_not_in_spec", "tools.list_rows.result.value.deep.names", 'Did you mean "name"?'],
    ]);
  });

  test("the name that says what was left out is ours", () => {
    expect(found({ value: { omitted: "next" } }).map(([code]) => code)).toEqual(["reserved_name"]);
    expect(found({ fields: { omitted: "next" } }).map(([code]) => code)).toEqual(["reserved_name"]);
    expect(found({ rows: "rows", fields: { omitted: "name" } })).toEqual([]);
  });
});

describe("the output schema", () => {
  const ours = {
    rowCount: { type: "integer" },
    hasMore: { type: "boolean" },
    note: { type: "string" },
    omitted: { type: "array", items: { type: "object" } },
  };
  const list = {
    rows: "rows",
    fields: { "...": "${input.columns}", name: "name", owner: "owner", "total cost": "cost" },
  };

  test("of a list names our keys and the columns, and types only what is ours", () => {
    expect(build(list).output).toEqual({
      type: "object",
      properties: {
        ...ours,
        data: {
          type: "array",
          items: {
            type: "object",
            properties: { name: {}, owner: { properties: { id: {}, team: { properties: { x: {} } } } } },
          },
        },
      },
    });
  });

  test("of rows as they come does not say that they are objects", () => {
    const data = build({ rows: "rows[].name" }).output?.properties?.data;
    expect(data).toEqual({ type: "array", items: {} });
  });

  test("of a value that is no object has it under `value`", () => {
    expect(build({ value: "rows[].{n: name}" }).output).toEqual({
      type: "object",
      properties: { value: { items: { properties: { n: {} } } }, omitted: {} },
    });
    expect(build({ value: "rows[0].{n: name}" }).output?.properties).toEqual({ n: {}, value: {}, omitted: {} });
    expect(build({ value: { n: "next" } }).output?.properties).toEqual({ n: {}, omitted: {} });
  });

  test("of a whole body goes as deep as 40 names allow", () => {
    const wide = (names: number, below: Schema): Schema => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: names }, (_, n) => [`p${n}`, below])),
    });
    const namesAt = (schema: Schema) => {
      const output = build(undefined, { operation: operationOf([jsonResponse(schema)]) }).output;
      return JSON.stringify(output).match(/"p\d+"/g)?.length;
    };
    expect(namesAt(wide(3, wide(3, wide(3, wide(3, {})))))).toBe(39);
    expect(namesAt(wide(6, wide(5, wide(5, {}))))).toBe(36);
    expect(namesAt(wide(20, wide(5, {})))).toBe(20);
    expect(namesAt(wide(90, {}))).toBe(40);
  });

  test("of a recursive body ends", () => {
    const node: Schema = { type: "object", properties: { children: { type: "array", items: { $ref: "Node" } } } };
    const lists: Schema = { type: "array", items: { $ref: "Lists" } };
    for (const [name, schema] of Object.entries({ Node: node, Lists: lists })) {
      const curation = curationOf({ t: { operation: "x" } });
      const operation = operationOf([jsonResponse({ $ref: name })]);
      const context = {
        curation,
        api: apiOf({ [name]: schema }),
        operation,
        inputs: [],
        pins: [],
        names: new Map(),
        structured: true,
        comparable: true,
      };
      expect(buildShape(curation.content.tools.t!, ["tools", "t"], context).output).toMatchObject({ type: "object" });
    }
  });

  test("says of bodies that are not JSON what they become", () => {
    const of = (...contents: string[]) =>
      operationOf(
        contents.map((mediaType, n) => ({
          status: mediaType === "accepted" ? "202" : String(200 + n),
          description: "",
          content: ["", "accepted"].includes(mediaType) ? [] : [{ mediaType, encoding: [] }],
        })),
      );
    const keys = (operation: Operation) => Object.keys(build(undefined, { operation }).output?.properties ?? {});
    expect(keys(of("text/csv"))).toEqual(["value", "text", "omitted"]);
    expect(keys(of("image/png"))).toEqual(["value", "mediaType", "bytes", "omitted"]);
    expect(keys(of(""))).toEqual(["value", "done", "omitted"]);
    expect(keys(of("accepted"))).toEqual(["value", "accepted", "omitted"]);
    expect(Object.keys(build(list, { operation: of("application/json", "") }).output?.properties ?? {})).toContain(
      "done",
    );
  });

  test("is absent where the server gives no structured content", () => {
    expect(build(list, { structured: false })).not.toHaveProperty("output");
  });

  const replies: readonly (readonly [shape: object | undefined, reply: object])[] = [
    [list, { rowCount: 1, hasMore: false, data: [{ name: null, owner: null, extra: 1 }] }],
    [
      list,
      {
        rowCount: 1,
        hasMore: true,
        note: "n",
        omitted: [{ what: "text", kept: 3 }],
        data: [{ name: 7, owner: "not what the spec says" }],
      },
    ],
    [list, { done: true }],
    [list, { accepted: true, note: "n", location: "/jobs/1", retryAfterMs: 1 }],
    [{ rows: "rows" }, { rowCount: 2, hasMore: false, data: [null, 3] }],
    [{ value: { n: "rows[].{a: name}" } }, { n: null }],
    [{ value: { n: "rows[].{a: name}" } }, { n: { a: 1 }, omitted: [{}] }],
    [{ value: "next" }, { value: null }],
    [undefined, { rows: "not a list", omitted: "the upstream's own", value: 1 }],
    [undefined, { text: "plain", omitted: [] }],
    [undefined, { mediaType: "image/png", bytes: 12 }],
  ];
  test.each(replies)("of %j holds for %j", (result, reply) => {
    const { output } = build(result);
    expect(new Ajv2020({ strict: false }).validate(output ?? {}, reply)).toBe(true);
  });
});
