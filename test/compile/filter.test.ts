import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filterKind, readFilterTarget } from "../../src/compile/filter/filter-target.ts";
import { DIALECT_NAMES } from "../../src/filter/find-dialect.ts";
import { sampleCondition } from "../../src/filter/offer-ops.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import type { FilterField } from "../../src/model/filter.ts";
import type { Tool } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { type CurationParts, compileText, compileTools, errorsOf, toolOf } from "./compile-text.ts";
import { portableFaults } from "./portable-faults.ts";

const SPEC = `
paths:
  /tasks:
    get:
      operationId: listTasks
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: status, in: query, schema: {type: string, enum: [open, done]}}
        - {name: created, in: query, style: deepObject, explode: true, schema: {type: object, properties: {gte: {type: string, format: date-time}, lt: {type: string, format: date-time}}}}
        - {name: label, in: query, schema: {type: array, items: {type: integer}}}
        - {name: X-Tenant, in: header, schema: {type: string}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}
  /search:
    get:
      operationId: searchTasks
      parameters: [{name: q, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
    post:
      operationId: queryTasks
      requestBody: {content: {application/json: {schema: {type: object, properties: {where: {type: object}, text: {type: string}, size: {type: integer}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
  /fields:
    get:
      operationId: listFields
      parameters: [{name: team, in: query, schema: {type: string}}, {name: page, in: query, schema: {type: integer}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {fields: {type: array, items: {type: object, properties: {name: {type: string}, kind: {type: string}}}}}}}}}}
  /names:
    get:
      operationId: listNames
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
`;

const LIST = "listTasks";
const compile = (keys: string, more?: CurationParts) => compileTools(SPEC, `list: {use: List., ${keys}}`, more);
const filterTool = async (filter: string, operation = LIST, more?: CurationParts): Promise<Tool> =>
  toolOf(
    await compile(
      `operation: ${operation}, filter: ${filter}${operation === "queryTasks" ? ", effect: read" : ""}`,
      more,
    ),
    "list",
  );
const propertiesOf = (tool: Tool) => tool.inputSchema.properties ?? {};
const callOf = ({ plan }: Tool) => {
  if (plan.kind !== "call") throw new Error("no call");
  return plan.call;
};

describe("the fields of a filter", () => {
  const odata = (fields: string) => `{dialect: odata, to: query.q, fields: {${fields}}}`;
  const cases: readonly (readonly [title: string, filter: string, want: Partial<FilterField>])[] = [
    [
      "is a text under its own name that rows may lack",
      odata("a: "),
      { name: "a", to: "a", type: "string", nullable: true },
    ],
    [
      "takes what the author says",
      odata("a: {to: A/b, type: integer, nullable: false}"),
      { to: "A/b", type: "integer", nullable: false },
    ],
    [
      "has a list of values",
      odata("a: {type: [1, two, true]}"),
      {
        type: "enum",
        values: [
          { text: "1", wire: 1 },
          { text: "two", wire: "two" },
          { text: "true", wire: true },
        ],
      },
    ],
    ["in a form has the type of the form", odata("a: {as: unix}"), { type: "date-time", as: { as: "unix" } }],
    ["of days may be of times", odata("a: {as: date, type: date-time}"), { type: "date-time", as: { as: "date" } }],
    [
      "in minor units knows the unit",
      odata("a: {as: minor, unit: EUR}"),
      { type: "decimal", as: { as: "minor", unit: { kind: "literal", value: "EUR" } } },
    ],
    ["has the operators that the author lists", odata("a: {ops: [gte, eq], type: date}"), { ops: ["eq", "gte"] }],
    [
      "has no operators that the language lacks",
      odata("a: {type: boolean}"),
      { ops: ["eq", "ne", "in", "not_in", "is_null", "is_not_null"] },
    ],
    [
      "has the operators of its templates",
      "{dialect: params, fields: {made: {to: query.created, ops: {gte: {gte: '{value}'}, lt: {lt: '{value}'}}}}}",
      { ops: ["lt", "gte"], templates: { gte: { gte: "{value}" }, lt: { lt: "{value}" } } },
    ],
    [
      "of one operator alone is a parameter that means it",
      "{dialect: params, fields: {since: {to: created/gte, ops: [gte]}}}",
      { ops: ["gte"], templates: { gte: "{value}" } },
    ],
    [
      "may take a list beside one value",
      "{dialect: params, fields: {label: {ops: [eq, in]}}}",
      { ops: ["eq", "in"], templates: { eq: "{value}", in: "{values}" } },
    ],
    [
      "that may lack values has no negation where nothing is known of it",
      "{dialect: json, to: query.q, templates: {single: {f: '{field}', o: '{op}', v: '{value}'}}, fields: {a: {type: boolean}}}",
      { ops: ["eq"] },
    ],
    [
      "that always has a value can be negated",
      "{dialect: json, to: query.q, templates: {single: {f: '{field}', o: '{op}', v: '{value}'}}, fields: {a: {type: boolean, nullable: false}}}",
      { ops: ["eq", "ne"] },
    ],
  ];
  test.each(cases)("%s", async (_, filter, want) => {
    const [field] = (await filterTool(filter)).filter!.fields;
    expect(field).toMatchObject(want);
    expect(field!.ops).toEqual(want.ops ?? field!.ops);
  });

  test("of plain parameters have the types of their places", async () => {
    const fields = "{status: , from: {to: created/gte}, label: , q: {type: integer}}";
    const tool = await filterTool(`{dialect: params, fields: ${fields}}`);
    expect(tool.filter!.fields.map(({ name, type, values }) => [name, type, values?.map(({ text }) => text)])).toEqual([
      ["status", "enum", ["open", "done"]],
      ["from", "date-time", undefined],
      ["label", "integer", undefined],
      ["q", "integer", undefined],
    ]);
  });
});

describe("where a filter goes", () => {
  test.each(DIALECT_NAMES.map((dialect) => [dialect]))("%s is sent as it is written", (dialect) => {
    const to = dialect === "aws-cost-explorer" ? "SERVICE" : "a";
    const field: FilterField = { name: "a", to, type: "string", nullable: false };
    const target = readFilterTarget({ dialect: dialect as "odata", templates: { single: { "{field}": "{value}" } } });
    const texts = readFilterTarget({ dialect: dialect as "odata", templates: { single: "{field}={value}" } });
    expect(writeFilter(sampleCondition(field, "eq"), dialect === "text" ? texts : target).kind).toBe(
      filterKind(dialect),
    );
  });

  test.each([
    [
      "a text to a parameter",
      "{dialect: odata, to: q, fields: {a: }}",
      LIST,
      { to: { place: { in: "query", name: "q", pointer: [] }, type: "string" } },
    ],
    [
      "JSON to a text",
      "{dialect: mongo, to: query.q, fields: {a: }}",
      LIST,
      { to: { place: { in: "query", name: "q", pointer: [] }, type: "string" } },
    ],
    [
      "JSON into a body",
      "{dialect: mongo, to: body/where, fields: {a: }}",
      "queryTasks",
      { to: { place: { in: "body", pointer: ["where"] }, type: "object" } },
    ],
    [
      "parameters nowhere in particular",
      "{dialect: strapi, parameter: w, fields: {a: }}",
      LIST,
      { target: { dialect: "strapi", parameter: "w" } },
    ],
    [
      "each field to its place, those of `always` too",
      "{dialect: params, fields: {a: {to: status}}, always: {created/lt: 2026-01-01}}",
      LIST,
      {
        places: [
          ["status", { place: { in: "query", name: "status", pointer: [] }, type: "string" }],
          ["created/lt", { place: { in: "query", name: "created", pointer: ["lt"] }, type: "string" }],
        ],
      },
    ],
  ] as const)("%s", async (_, filter, operation, want) => {
    const call = callOf(await filterTool(filter, operation));
    expect(call.filter).toMatchObject(want);
    expect(Object.keys(call.filter!).sort()).toEqual([...new Set(["target", ...Object.keys(want)])].sort());
  });

  test("carries what the author says of the language", async () => {
    const said = "limits: {leaves: 3}, nullOnNegation: keep, templates: {single: {f: '{field}', v: '{value}'}}";
    const call = callOf(await filterTool(`{dialect: json, to: q, fields: {a: }, ${said}}`));
    expect(call.filter?.target).toEqual({
      dialect: "json",
      limits: { leaves: 3 },
      nullOnNegation: "keep",
      templates: { single: { f: "{field}", v: "{value}" } },
    });
  });

  test("is a parameter of the operation's plan", async () => {
    const { toolset } = await compile("operation: listTasks, filter: {dialect: odata, to: q, fields: {a: }}");
    expect(toolset?.operations[0]?.parameters.map(({ name }) => name)).toEqual(["q"]);
  });
});

describe("the caller's input", () => {
  test("stands behind the author's own and before the other built-in ones, and is portable", async () => {
    const keys = "operation: listTasks, input: {status: {}}, result: {rows: items, limit: {default: 1, max: 2}}";
    const tool = toolOf(await compile(`${keys}, filter: {dialect: odata, to: q, fields: {a: {type: decimal}, b: }}`));
    expect(Object.keys(propertiesOf(tool)).slice(0, 3)).toEqual(["status", "filter", "limit"]);
    expect(portableFaults(tool.inputSchema)).toEqual([]);
    expect(propertiesOf(tool)["filter"]).toMatchObject({
      type: "object",
      description:
        "Conditions on the rows; all other arguments hold as well. Rows without a value pass ne, not_in and none.",
      properties: { field: { enum: ["a", "b"], description: "a decimal." } },
      required: ["kind"],
    });
    expect(tool.inputSchema.required).toBeUndefined();
    expect(tool.inputs.map(({ name }) => name)).toEqual(["status", "limit"]);
  });

  test.each([
    ["as deep as the language goes, and twice at most", "{dialect: odata, to: q, fields: {a: , b: }}", 2],
    ["one list of conditions where the language has no more", "{dialect: json-api, fields: {a: , b: }}", 1],
    [
      "a condition alone",
      "{dialect: json, to: q, templates: {single: {f: '{field}', v: '{value}'}}, fields: {a: , b: }}",
      0,
    ],
    ["as deep as the author says", "{dialect: odata, to: q, depth: 3, fields: {a: , b: }}", 3],
  ])("is %s", async (_, filter, depth) => {
    const tool = await filterTool(filter);
    expect(tool.filter?.depth).toBe(depth);
    let node = propertiesOf(tool)["filter"];
    let found = 0;
    for (; node?.properties?.["conditions"] !== undefined; found += 1) node = node.properties["conditions"].items;
    expect(found).toBe(depth);
  });

  test("offers no operator and no group that the language lacks", async () => {
    const filter = propertiesOf(await filterTool("{dialect: stripe-search, to: q, fields: {a: , n: {type: integer}}}"))[
      "filter"
    ];
    expect(filter?.properties?.["op"]?.enum).not.toContain("is_not_in");
    const flat = propertiesOf(await filterTool("{dialect: json-api, fields: {a: , b: }}"))["filter"];
    expect(flat?.properties?.["op"]?.enum).toEqual(["eq", "in"]);
    expect(flat?.properties?.["match"]?.enum).toEqual(["all"]);
  });

  test("is absent where the filter is hidden", async () => {
    const tool = await filterTool("{dialect: odata, to: q, hidden: true, always: {a: 1}}");
    expect(tool.filter).toMatchObject({ offered: false, always: [["a", { kind: "literal", value: 1 }]] });
    expect(propertiesOf(tool)).toEqual({});
  });

  test.each([
    ["is required where the operation needs the place", "{dialect: odata, to: q, fields: {a: }}", true],
    [
      "is not where something is always filtered by",
      "{dialect: odata, to: q, fields: {a: }, always: {b: 1}}",
      undefined,
    ],
    [
      "is where what is always filtered by may be absent",
      "{dialect: odata, to: q, fields: {a: }, always: {b: null}}",
      true,
    ],
  ])("%s", async (_, filter, want) => {
    const tool = await filterTool(filter, "searchTasks");
    expect(tool.filter?.required).toBe(want);
    expect(tool.inputSchema.required).toEqual(want && ["filter"]);
  });
});

describe("pins in `always`", () => {
  const pins = "{tenant: 't-1'}";
  const filterBy = (always: string, more = "") =>
    compile(`operation: listTasks, filter: {dialect: odata, to: q, hidden: true, always: {${always}}${more}}`, {
      pins,
    });
  test.each([
    ["stand for a place", "owner: '${pins.tenant}'", []],
    ["stand for a place, with the operator", "owner.eq: '${$.pins.\"tenant\"}'", []],
    ["do not where they are negated", "owner.ne: '${pins.tenant}'", ["pin_unreached"]],
    ["do not where they are a part", "owner: 'x${pins.tenant}'", ["pin_unreached"]],
    ["do not where they may be something else", "owner: '${pins.tenant || ''a''}'", ["pin_unreached"]],
    ["do not where they are one of several", "owner: ['${pins.tenant}', a]", ["pin_unreached"]],
  ])("%s", async (_, always, want) => expect(errorsOf(await filterBy(always))).toEqual(want));

  test("do not where the key is the name of a field", async () => {
    const result = await filterBy("owner.eq: '${pins.tenant}', a: '${pins.tenant}'");
    expect(errorsOf(result)).toEqual([]);
    expect(errorsOf(await filterBy("owner.contains: '${pins.tenant}'", ", fields: {owner.contains: {}}"))).toEqual([]);
  });

  test("are carried by the tool's own request only", async () => {
    const source = "fields: {from: {operation: listFields, rows: fields, field: name}}";
    const result = await compile(
      `operation: listTasks, filter: {dialect: odata, to: q, ${source}, always: {owner: '\${pins.tenant}'}}`,
      { pins },
    );
    expect(result.problems.map(({ code, message }) => `${code} ${/`\w+`/.exec(message)?.[0]}`)).toEqual([
      "pin_unreached `listFields`",
    ]);
  });
});

describe("inputs of `always`", () => {
  test("go nowhere else", async () => {
    const filter = "{dialect: odata, to: q, hidden: true, always: {status: '${input.status}', a.gte: '${input.n}'}}";
    const result = await compile(
      `operation: listTasks, input: {status: {type: string}, n: {type: integer}}, filter: ${filter}`,
    );
    expect(result.problems).toEqual([]);
    expect(callOf(toolOf(result)).bindings).toEqual([]);
    expect(toolOf(result).filter?.always[0]).toEqual([
      "status",
      { kind: "expression", expression: { jmespath: "input.status" } },
    ]);
  });
});

describe("what the upstream lists", () => {
  const lister = "show_fields: {operation: listFields, use: Show., result: {rows: fields}}";
  const withLister = async (keys: string, more: CurationParts = {}) =>
    toolOf(
      await compileTools(SPEC, `list: {use: List., ${keys}}\n${lister}`, { server: "prefix: t_", ...more }),
      "t_list",
    );
  const from = "from: {operation: listFields, rows: fields, field: name, type: kind}";

  test("gives the fields, and the input says which tool shows them", async () => {
    const tool = await withLister(`operation: listTasks, filter: {dialect: odata, to: q, fields: {${from}, extra: }}`);
    expect(tool.filter?.from).toMatchObject({
      rows: { jmespath: "fields" },
      field: { jmespath: "name" },
      type: { jmespath: "kind" },
      tool: "t_show_fields",
    });
    const input = propertiesOf(tool)["filter"];
    expect(input?.description).toContain("Fields: exact names of `t_show_fields`. Also: extra.");
    expect(input?.properties?.["field"]).toEqual({ type: "string" });
    expect(input?.properties?.["op"]?.enum).toContain("gte");
  });

  test.each(DIALECT_NAMES.filter((name) => !["params", "json", "text"].includes(name)).map((name) => [name]))(
    "gives fields that can be asked for in %s",
    async (dialect) => {
      const place = ["parameters", "places"].includes(filterKind(dialect)) ? "" : "to: q, ";
      const tool = await withLister(`operation: listTasks, filter: {dialect: ${dialect}, ${place}fields: {${from}}}`);
      const { op, kind } = propertiesOf(tool)["filter"]?.properties ?? {};
      expect(op?.enum).toContain("eq");
      expect(kind?.enum).toContain("single");
    },
  );

  test("gives the values of an input, whose arguments send theirs as ever", async () => {
    const values = "valuesFrom: {operation: listFields, args: {team: '${input.status}'}, rows: fields, field: name}";
    const tool = await withLister(`operation: listTasks, input: {status: {}, q: {describe: One., ${values}}}`);
    const q = tool.inputs.find(({ name }) => name === "q");
    expect(q?.type.description).toBe("One. Exact value of `t_show_fields`.");
    expect(q?.valuesFrom?.call.bindings).toMatchObject([
      { place: { in: "query", name: "team" }, value: { expression: { jmespath: "input.status" } } },
    ]);
    expect(callOf(tool).bindings.map(({ place }) => "name" in place && place.name)).toEqual(["status", "q"]);
  });

  test("may be a list of the values themselves, which no tool shows", async () => {
    const tool = await withLister("operation: listTasks, input: {q: {valuesFrom: {operation: listNames}}}");
    const { valuesFrom, type } = tool.inputs[0]!;
    expect(valuesFrom).toMatchObject({ rows: { jmespath: "@" }, field: { jmespath: "@" } });
    expect(valuesFrom?.tool).toBeUndefined();
    expect(type.description).toBeUndefined();
  });

  test("names no tool where only the tool itself lists it", async () => {
    const keys =
      "operation: listFields, input: {team: {valuesFrom: {operation: listFields, rows: fields, field: name}}}";
    expect(toolOf(await compile(keys)).inputs[0]?.valuesFrom?.tool).toBeUndefined();
  });

  test("is read by the API's pages", async () => {
    const tool = await withLister(
      "operation: listTasks, input: {q: {valuesFrom: {operation: listFields, rows: fields, field: name}}}",
      {
        api: "pages: [{style: page, send: query.page}]",
      },
    );
    expect(tool.inputs[0]?.valuesFrom?.call.pages).toMatchObject({ style: "page", send: { place: { name: "page" } } });
  });

  test("is an operation of the toolset, with the pins", async () => {
    const keys = "operation: listTasks, input: {q: {valuesFrom: {operation: listFields, rows: fields, field: name}}}";
    const result = await compileTools(SPEC, `list: {use: List., unpinned: {team: why}, ${keys}}`, {
      pins: "{team: red}",
    });
    const source = toolOf(result, "list").inputs[0]!.valuesFrom!;
    expect(result.toolset?.operations[source.call.operation]?.id).toBe("listFields");
    expect(source.call.bindings).toMatchObject([{ pinned: true, place: { name: "team" } }]);
    expect(result.problems.map(({ code, message }) => `${code} ${/`\w+`/.exec(message)?.[0]}`)).toEqual([
      "unpinned `listTasks`",
    ]);
  });
});

test("the contract's sample filters the ledger", async () => {
  const root = join(import.meta.dirname, "../..");
  const text = readFileSync(join(root, "test/fixtures/contract/ledger.yaml"), "utf8").replace(
    /^ *idempotencyKey:.*$/m,
    "",
  );
  const result = compileText(await loadApi(join(root, "specs/ledger.yaml"), {}), text);
  const tool = toolOf(result, "ledger_run_cost_query");
  expect(callOf(tool).filter?.to).toEqual({ place: { in: "body", pointer: ["filter"] }, type: "object" });
  expect(tool.filter?.from?.tool).toBe("ledger_list_dimensions");
  expect(tool.inputs.find(({ name }) => name === "dimensions")?.valuesFrom?.tool).toBe("ledger_list_dimensions");
  expect(Object.keys(propertiesOf(tool))).toEqual([
    "start",
    "end",
    "dimensions",
    "bucket",
    "filter",
    "limit",
    "pageToken",
  ]);
});
