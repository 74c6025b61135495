import { describe, expect, test } from "vitest";
import { MEANING_RULES } from "../../../src/surface/lint/rules-reply/meaning-rules.ts";
import { schemaAt } from "../../../src/surface/lint/rules-reply/schema-at.ts";
import { SIZE_RULES } from "../../../src/surface/lint/rules-reply/size-rules.ts";
import { apiOf } from "../../compile/spec-stub.ts";
import { type LintCase, lintWith } from "./lint-with.ts";

const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}: {type: string}`).join(", ");
const SPEC = `paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{name: state, in: query, schema: {type: string}}]
      responses: {'200': {description: Fine, content: {application/json: {schema: {type: object, properties: {orders: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}}}}
  /small: {get: {operationId: small, responses: {'200': {description: Fine, content: {application/json: {schema: {type: object, properties: {${names(15)}}}}}}}}}
  /middle: {get: {operationId: middle, responses: {'200': {description: Fine, content: {application/json: {schema: {type: object, properties: {${names(16)}}}}}}}}}
  /large: {get: {operationId: large, responses: {'200': {description: Fine, content: {application/json: {schema: {type: array, items: {type: object, properties: {${names(41)}}}}}}}}}}
  /text: {get: {operationId: text, responses: {'200': {description: Fine, content: {text/plain: {schema: {type: string}}, application/json: {schema: {type: object, properties: {${names(41)}}}}}}}}}
components:
  schemas:
    Order:
      type: object
      properties:
        id: {type: string, format: uuid}
        orderId: {type: string}
        name: {type: string, maxLength: 50}
        description: {type: string}
        note: {type: string, maxLength: 9000}
        scan: {type: string, format: byte}
        amount: {type: integer}
        paid: {type: boolean}
        currency: {type: string}
        createdAt: {type: string, format: date-time}
`;
const list = (result: string, more = ""): LintCase => ({
  spec: SPEC,
  tools: `list_orders: {operation: listOrders, use: List orders., ${more}result: {rows: orders, ${result}}}`,
});
const LIMIT = "limit: {default: 20, max: 100}";
const AT = "tools.list_orders.result";

test.each([
  ["a budget of 40 kB", list(`fields: {id: id}, ${LIMIT}, budget: 40kB`), []],
  ["one that clients warn of", list(`fields: {id: id}, ${LIMIT}, budget: 41kB`), [`note reply_large ${AT}.budget`]],
  ["one that clients hide", list(`fields: {id: id}, ${LIMIT}, budget: 51kB`), [`warning reply_large ${AT}.budget`]],
  ["a limit that fits", list("fields: {id: id}, limit: {default: 40, max: 1000}, budget: 2kB"), []],
  [
    "a limit that never fits",
    list("fields: {id: id}, limit: {default: 50, max: 1000}, budget: 2kB"),
    [`warning limit_over_budget ${AT}.limit`],
  ],
  [
    "a value that may be cut",
    list(`fields: {note: note}, ${LIMIT}, budget: 8kB`),
    [`note cell_over_budget ${AT}.fields.note`],
  ],
  ["a value that is clipped", list(`fields: {note: {path: note, clip: 200}}, ${LIMIT}, budget: 8kB`), []],
  ["no limit", list("fields: {id: id}"), [`note list_without_limit ${AT}`]],
  ["a text without an end", list(`fields: {text: description}, ${LIMIT}`), [`note column_unbounded ${AT}.fields.text`]],
  ["a text that is clipped", list(`fields: {text: {path: description, clip: first-sentence}}, ${LIMIT}`), []],
  ["bytes", list(`fields: {id: id, scan: scan}, ${LIMIT}`), [`warning column_unbounded ${AT}.fields.scan`]],
  ["a computed column", list(`fields: {id: id, text: "description || name"}, ${LIMIT}`), []],
  ["a small body", { spec: SPEC, tools: "read: {operation: small}" }, []],
  ["a middling body", { spec: SPEC, tools: "read: {operation: middle}" }, ["note reply_unselected tools.read"]],
  [
    "a large body",
    { spec: SPEC, tools: 'read: {operation: large, result: {rows: "@", limit: {default: 5, max: 10}}}' },
    ["warning reply_unselected tools.read.result"],
  ],
  ["a text body", { spec: SPEC, tools: "read: {operation: text, accept: text/plain}" }, []],
])("a reply with %s", async (_, given, want) => {
  expect(await lintWith(SIZE_RULES, given)).toStrictEqual(want);
});

const MONEY = "fields: {name: name, amount: {path: amount, as: minor, unit: '${currency}'}}";
test.each([
  [
    "identifiers alone",
    list("fields: {id: id, order: orderId, at: createdAt, paid: paid}"),
    [`note ids_without_names ${AT}.fields`],
  ],
  ["identifiers and a name", list("fields: {id: id, name: name}"), []],
  ["no identifiers", list("fields: {at: createdAt, paid: paid}"), []],
  ["money", list(MONEY), [`note total_missing ${AT}.fields.amount`]],
  ["money that is added up elsewhere", list(MONEY, "notFor: Sums of them., "), []],
  ["money with a total", list(`${MONEY}, all: {max: 1000}, totals: {count: length(orders)}`), []],
])("rows of %s", async (_, given, want) => {
  expect(await lintWith(MEANING_RULES, given)).toStrictEqual(want);
});

describe("the schema of a value", () => {
  const api = apiOf({
    Node: { type: "object", properties: { next: { $ref: "Node" }, name: { type: "string" } } },
    Both: { allOf: [{ $ref: "Node" }, { properties: { more: { type: "array", items: { type: "integer" } } } }] },
    Loop: { allOf: [{ $ref: "Loop" }] },
    Maybe: { anyOf: [{ $ref: "Node" }, { type: "null" }] },
    Either: { oneOf: [{ $ref: "Node" }, { $ref: "Both" }] },
  });
  test.each([
    ["Node", ["next", "next", "name"], "string"],
    ["Both", ["more", "*"], "integer"],
    ["Both", ["name"], "string"],
    ["Maybe", ["name"], "string"],
    ["Either", ["name"], undefined],
    ["Loop", ["name"], undefined],
    ["Gone", [], undefined],
    ["Node", ["constructor"], undefined],
  ])("of %s at %j is %s", (name, path, want) => {
    expect(schemaAt({ $ref: name }, path, api)?.type).toBe(want);
  });
});
