import { describe, expect, test } from "vitest";
import type { LintSubject } from "../../../src/surface/lint/lint-rule.ts";
import { LIST_RULES } from "../../../src/surface/lint/rules-list/list-rules.ts";
import { UPSTREAM_RULES } from "../../../src/surface/lint/rules-list/upstream-rules.ts";
import { lintWith, subjectOf } from "./lint-with.ts";

const SPEC = `paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - {name: state, in: query, schema: {type: string}}
        - {name: old, in: query, deprecated: true, schema: {type: string}}
      responses: {'200': &orders {description: Fine, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, total: {type: integer}}}}}}}}
    post:
      operationId: createOrder
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {'201': {description: Made}}
  /old: {get: {operationId: oldOrders, deprecated: true, responses: {'200': *orders}}}
components: {schemas: {Order: {type: object, properties: {note: {type: string}, legacy: {type: string, deprecated: true}}}}}
`;
const list = (name: string, use: string, more = "") =>
  `${name}: {operation: listOrders, use: ${JSON.stringify(use)}, input: {state: {}}, result: {rows: "@"}${more}}`;
const OPEN = "Find orders that are open and not yet paid by the customer.";
const INSTRUCTIONS = "instructions: Times are UTC.";

test.each([
  [
    "send the same",
    [list("open_orders", "Some words."), list("unpaid_orders", "And others.")],
    ["warning tools_overlap tools.unpaid_orders"],
  ],
  [
    "are told apart",
    [list("open_orders", "Some words."), list("unpaid_orders", "And others.", ", notFor: All; call `open_orders`.")],
    [],
  ],
  [
    "are told apart by the first",
    [list("open_orders", "Some words.", ", notFor: Any; call `unpaid_orders`."), list("unpaid_orders", "And others.")],
    [],
  ],
  [
    "send another constant",
    [list("open_orders", "Some words."), list("unpaid_orders", "And others.", ", args: {old: x}")],
    [],
  ],
  [
    "read as one",
    [list("open_orders", OPEN), list("unpaid_orders", OPEN, ", args: {old: x}")],
    ["note tools_overlap tools.unpaid_orders"],
  ],
  [
    "read alike and differ in effect",
    [list("open_orders", OPEN), `pay: {operation: createOrder, use: ${JSON.stringify(OPEN)}, input: {note: {}}}`],
    [],
  ],
])("two tools that %s", async (_, tools, want) => {
  expect(
    await lintWith(LIST_RULES, { spec: SPEC, tools: tools.join("\n"), server: `writes: true, ${INSTRUCTIONS}` }),
  ).toStrictEqual(want);
});

describe("the length of the list", () => {
  const [, listLong, toolLong] = LIST_RULES;
  const long = async (tools: number, tokens: number, each = 10) => {
    const subject = await subjectOf({ spec: SPEC, tools: list("list_orders", "Some words.") });
    const many = Array.from({ length: tools }, () => subject.listed[0]!);
    const cost = { list: { tokens, bytes: 0 }, tools: many.map(() => ({ tokens: each, bytes: 0 })) };
    const grown: LintSubject = { ...subject, listed: many, cost };
    return [...listLong!.check(grown), ...(tools === 1 ? toolLong!.check(grown) : [])].map(
      ({ severity, at }) => `${severity} ${at.join(".")}`,
    );
  };
  test.each([
    [20, 8_000, 10, []],
    [21, 100, 10, ["note tools"]],
    [1, 8_001, 10, ["note tools"]],
    [41, 100, 10, ["warning tools"]],
    [1, 20_001, 10, ["warning tools"]],
    [1, 1_500, 1_500, []],
    [1, 1_501, 1_501, ["note tools.list_orders"]],
  ])("%i tools of %i tokens, one of %i", async (tools, tokens, each, want) => {
    expect(await long(tools, tokens, each)).toStrictEqual(want);
  });
});

test("three tools need words that hold for all of them", async () => {
  const tools = ["one", "two", "three"].map(
    (name, at) => `${name}: {operation: listOrders, use: ${name}, args: {old: "${at}"}}`,
  );
  const found = (server: string, count: number) =>
    lintWith(LIST_RULES, { spec: SPEC, tools: tools.slice(0, count).join("\n"), server });
  expect(await found("", 3)).toStrictEqual(["note instructions_missing server"]);
  expect(await found("", 2)).toStrictEqual([]);
  expect(await found(INSTRUCTIONS, 3)).toStrictEqual([]);
});

const STEPS = `flow:
  steps:
    - {id: a, operation: listOrders}
    - {id: b, operation: GET /old}
    - {id: c, operation: oldOrders}
  result: {value: {all: steps.b}}`;

test.each([
  [
    "an operation that goes",
    "list_orders: {operation: oldOrders, result: {rows: '@'}}",
    ["warning deprecated_operation tools.list_orders.operation"],
  ],
  ["one that goes in a step, once", STEPS, ["warning deprecated_operation tools.flow.steps.1.operation"]],
  [
    "a parameter that goes",
    "list_orders: {operation: listOrders, input: {old: {}, state: {}}}",
    ["note deprecated_input tools.list_orders.input.old"],
  ],
  [
    "a property that goes",
    "make: {operation: createOrder, input: {legacy: {}, note: {}}}",
    ["note deprecated_input tools.make.input.legacy"],
  ],
  ["what stays", "list_orders: {operation: listOrders, input: {state: {}}}", []],
])("a tool over %s", async (_, tools, want) => {
  expect(await lintWith(UPSTREAM_RULES, { spec: SPEC, tools, server: "writes: true" })).toStrictEqual(want);
});
