import { expect, test } from "vitest";
import { DESCRIPTION_RULES } from "../../../src/surface/lint/rules-words/description-rules.ts";
import { TEXT_RULES } from "../../../src/surface/lint/rules-words/text-rules.ts";
import { contentWords } from "../../../src/surface/lint/rules-words/words.ts";
import { sharedPart } from "../../../src/surface/shared-part.ts";
import { lintWith } from "./lint-with.ts";

const SPEC = `paths:
  /orders:
    get:
      operationId: listOrders
      summary: Gives back what was ordered, the newest first
      responses: {'200': &orders {description: Fine, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
    post:
      operationId: createOrder
      requestBody: {content: {application/json: {schema: {type: object, properties: {note: {type: string}}}}}}
      responses: {'201': {description: Made}}
  /silent:
    get: {operationId: silent, responses: {'200': *orders}}
  /endpoint:
    get: {operationId: endpoint, summary: Like GET /orders with more of it, responses: {'200': *orders}}
  /todo:
    get: {operationId: todo, summary: "TODO: describe", responses: {'200': *orders}}
`;
const list = (rest: string, operation = "listOrders") =>
  `list_orders: {operation: ${operation}, ${rest}result: {rows: "@", fields: {id: id}}}`;
const use = (text: string) => list(`use: ${JSON.stringify(text)}, `);
const WRITES = "writes: true";

test.each([
  ["no word at all", list("", "silent"), "", ["warning description_missing tools.list_orders"]],
  ["the spec's words", list(""), "", ["note description_of_spec tools.list_orders"]],
  ["the name again", use("Lists all of the orders"), "", ["warning description_repeats_name tools.list_orders.use"]],
  ["a short word", use("Find what a customer bought."), "", ["note description_short tools.list_orders.use"]],
  ["a short word that is meant to be", use("Find what a customer bought."), "descriptions: compact", []],
  ["enough", use("Find what a customer bought, before a refund is given."), "", []],
  [
    "no reply",
    "find_it: {operation: listOrders, use: Find what a customer bought before a refund is given}",
    "",
    ["note returns_unsaid tools.find_it"],
  ],
  [
    "a reply",
    "find_it: {operation: listOrders, use: Find what a customer bought before a refund is given, returns: All.}",
    "",
    [],
  ],
  [
    "a write that says nothing",
    "order: {operation: createOrder, use: Handles what a customer wants from the shop, returns: All., input: {note: {}}}",
    WRITES,
    ["note effect_unsaid tools.order.use"],
  ],
  [
    "a write that says so",
    "order: {operation: createOrder, use: Creates an order of what a customer wants, returns: All., input: {note: {}}}",
    WRITES,
    [],
  ],
])("a description with %s", async (_, tools, server, want) => {
  expect(await lintWith(DESCRIPTION_RULES, { spec: SPEC, tools, server })).toStrictEqual(want);
});

test.each([
  ["a placeholder", use("TODO: say what it does."), ["warning placeholder_text tools.list_orders.use"]],
  ["a placeholder of the spec", list("", "todo"), ["warning placeholder_text tools.list_orders.operation"]],
  ["a state that is called so", use("Lists orders in the state TODO or DONE."), []],
  ["HTML", use("Lists <b>all</b> orders."), ["warning markup_text tools.list_orders.use"]],
  ["a comment", use("Lists orders. <!-- soon -->"), ["warning markup_text tools.list_orders.use"]],
  ["a place to fill in", use("Lists orders; write <name> as it stands, where a < b > c."), []],
  ["a path", use("Like GET /orders."), ["note endpoint_named tools.list_orders.use"]],
  ["the spec's path", list("", "endpoint"), ["note endpoint_named tools.list_orders.operation"]],
  [
    "a tool that is not there",
    use("Not needed at once; call `fetch_everything` first."),
    ["warning tool_reference_unknown tools.list_orders.use"],
  ],
  [
    "a tool that is not there, by its verb",
    use("Filter by `list_customers` first, see `list_customers`."),
    ["warning tool_reference_unknown tools.list_orders.use"],
  ],
  ["an input in backticks", use("Narrow with `order_state`, see `list_orders`."), []],
  ["a tool that the server has by itself", use("Say who you are; call `describe_access`."), []],
])("a text with %s", async (_, tools, want) => {
  expect(await lintWith(TEXT_RULES, { spec: SPEC, tools })).toStrictEqual(want);
});

test("every text of a tool is read", async () => {
  const tools = `list_orders:
  operation: listOrders
  title: "TODO"
  use: "TODO"
  notFor: "TODO"
  returns: "TODO"
  next: { find_it: "TODO" }
  result: { rows: "@", fields: { id: id }, emptyNote: "TODO" }
  errors: [{ status: 404, error: gone, recover: "TODO" }]
  suggest: [{ tool: find_it, why: "TODO" }]
find_it: { operation: silent }
order: { operation: createOrder, input: { note: { describe: "TODO" } }, confirm: { text: "TODO" } }`;
  const found = await lintWith(TEXT_RULES, {
    spec: SPEC,
    tools,
    server: 'writes: true, instructions: "TODO", title: "TODO"',
  });
  expect(found.map((one) => one.replace("warning placeholder_text ", ""))).toStrictEqual([
    "server.title",
    "server.instructions",
    ...[
      "title",
      "use",
      "notFor",
      "returns",
      "next.find_it",
      "result.emptyNote",
      "errors.0.recover",
      "suggest.0.why",
    ].map((key) => `tools.list_orders.${key}`),
    "tools.order.input.note.describe",
    "tools.order.confirm",
  ]);
});

test("words are compared without endings and without what says nothing", () => {
  expect([...contentWords("List the invoices, addresses and companies that are used.")]).toStrictEqual([
    "invoice",
    "address",
    "company",
  ]);
  expect([...contentWords("getOrderItems_byID")]).toStrictEqual(["order", "id"]);
  expect(sharedPart(new Set(["a", "b"]), new Set(["b", "c"]))).toBeCloseTo(1 / 3);
  expect(sharedPart(new Set(), new Set())).toBe(0);
});
