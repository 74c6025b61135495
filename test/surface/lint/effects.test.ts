import { expect, test } from "vitest";
import { EFFECT_RULES } from "../../../src/surface/lint/rules-effects/effect-rules.ts";
import { FILTER_RULES } from "../../../src/surface/lint/rules-effects/filter-rules.ts";
import { lintWith } from "./lint-with.ts";

const body =
  "requestBody: {content: {application/json: {schema: {type: object, properties: {note: {type: string}, filter: {type: object}}}}}}, responses: {'200': {description: Fine, content: {application/json: {schema: {type: object, properties: {id: {type: string}, rows: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}";
const SPEC = `paths:
  /cancel: {post: {operationId: cancelOrder, ${body}}}
  /search: {post: {operationId: searchOrders, ${body}}}
  /create: {post: {operationId: createOrder, ${body}}}
  /orders:
    get: {operationId: getOrders, ${body.slice(body.indexOf("responses"))}}
    delete: {operationId: tidyOrders, responses: {'204': {description: Gone}}}
`;
const AT = "tools.act";
const it = (rest: string) => `act: {use: Some words., ${rest}}`;
const steps = (list: string, more = "") =>
  `act:\n  use: Some words.\n  ${more}\n  steps: ${list}\n  result: {value: {id: steps.a}}`;
const CONFIRM = "confirm: Sure?, ";

test.each([
  ["reads by a search", it("operation: searchOrders, effect: read"), []],
  ["reads by cancelling", it("operation: cancelOrder, effect: read"), [`warning declared_against_name ${AT}.effect`]],
  ["reads by what may only compute", it("operation: createOrder, effect: read"), []],
  ["only adds by creating", it("operation: createOrder, effect: write"), []],
  [
    "only adds by cancelling",
    it("operation: cancelOrder, effect: write"),
    [`warning declared_against_name ${AT}.effect`],
  ],
  ["only adds by DELETE", it("operation: tidyOrders, effect: write"), [`warning declared_against_name ${AT}.effect`]],
  ["says that a GET writes", it("operation: getOrders, effect: write"), []],
  ["destroys unasked", it("operation: cancelOrder, effect: destroy"), [`warning destroys_unasked ${AT}.effect`]],
  ["destroys and asks", it(`operation: cancelOrder, ${CONFIRM}effect: destroy`), []],
  ["says nothing of a POST", it("operation: createOrder"), [`note destroys_unasked ${AT}`]],
  [
    "declares a step against its name",
    steps("[{id: a, operation: getOrders}, {id: b, operation: cancelOrder, effect: read}]"),
    [`warning declared_against_name ${AT}.steps.1.effect`],
  ],
])("a tool that %s", async (_, tools, want) => {
  expect(await lintWith(EFFECT_RULES, { spec: SPEC, tools, server: "writes: true" })).toStrictEqual(want);
});

const INPUT = "input: {apply: {type: boolean}, ids: {type: 'string[]', required: true}}\n  confirm: Sure?";
const write = (id: string, more = "") => `{id: ${id}, operation: createOrder, effect: write, args: {note: x}${more}}`;
const READ = "{id: a, operation: getOrders}";

test.each([
  [
    "that writes where an argument says so",
    steps(
      `[${READ}, ${write("b", ", when: input.apply, forEach: input.ids").replace(", forEach: input.ids", "")}]`,
      INPUT.replace(", ids: {type: 'string[]', required: true}", ""),
    ),
    [`warning mode_switches_effect ${AT}.steps.1.when`],
  ],
  [
    "that writes where there is something to do",
    steps(`[${READ}, ${write("b", ", when: steps.a")}]`, "confirm: Sure?"),
    [],
  ],
  ["that writes once", steps(`[${READ}, ${write("b")}]`, "confirm: Sure?"), []],
  [
    "that writes twice",
    steps(`[${READ}, ${write("b")}, ${write("c")}]`, "confirm: Sure?"),
    [`warning partial_failure_unsaid ${AT}`],
  ],
  [
    "that writes for each",
    steps(`[${READ}, ${write("b", ", forEach: 'steps.a.rows[].id'")}]`, "confirm: Sure?"),
    [`warning partial_failure_unsaid ${AT}`],
  ],
  [
    "that writes twice and says so",
    steps(
      `[${READ}, ${write("b")}, ${write("c")}]`,
      "confirm: Sure?\n  returns: What was done already stays where a step fails.",
    ),
    [],
  ],
])("a workflow %s", async (_, tools, want) => {
  expect(await lintWith(EFFECT_RULES, { spec: SPEC, tools, server: "writes: true" })).toStrictEqual(want);
});

const filter = (fields: string, more = "") =>
  `act: {operation: searchOrders, effect: read, use: Some words., filter: {to: body/filter, dialect: json, templates: {single: {f: "{field}", o: "{op}", v: "{value}"}, all: {and: "{conditions}"}}, fields: ${fields}${more}}, result: {rows: rows}}`;

test.each([
  ["cannot say not", filter("{name: {type: string}}"), [`note filter_negation_left_out ${AT}.filter`]],
  ["may say not", filter("{name: {type: string}}", ", nullOnNegation: keep"), []],
  ["has a value always", filter("{name: {type: string, nullable: false}}"), []],
  ["has no word for not", filter("{name: {type: string}}").replace("all: {", "ops: {eq: IS}, all: {"), []],
  [
    "has a word for one of the two, and a value always",
    filter("{name: {type: string, nullable: false}}").replace("all: {", "ops: {eq: IS, not_in: OUT}, all: {"),
    [],
  ],
  ["says its operators", filter("{name: {type: string, ops: [eq]}}"), []],
  [
    "takes a moment for a text",
    filter("{created_at: {nullable: false}}"),
    [`note filter_type_unsaid ${AT}.filter.fields.created_at`],
  ],
  [
    "takes a number for a text",
    filter("{totalAmount: {nullable: false}}"),
    [`note filter_type_unsaid ${AT}.filter.fields.totalAmount`],
  ],
  ["says what a moment is", filter("{created_at: {nullable: false, type: date-time}}"), []],
  ["says that it is a text", filter("{created_at: {nullable: false, type: string}}"), []],
])("a filter that %s", async (_, tools, want) => {
  expect(await lintWith(FILTER_RULES, { spec: SPEC, tools })).toStrictEqual(want);
});
