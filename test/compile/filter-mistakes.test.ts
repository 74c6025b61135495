import { describe, expect, test } from "vitest";
import { compileTools, shown } from "./compile-text.ts";

const SPEC = `
paths:
  /tasks:
    get:
      operationId: listTasks
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: status, in: query, schema: {type: string, enum: [open, done]}}
        - {name: level, in: query, required: true, schema: {type: integer, default: 1}}
        - {name: created, in: query, style: deepObject, explode: true, schema: {type: object, properties: {gte: {type: string, format: date-time}, lt: {type: string, format: date-time}}}}
        - {name: X-Tenant, in: header, schema: {type: string}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
    post:
      operationId: queryTasks
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [where], properties: {where: {type: object}, list: {type: array, items: {}}, pair: {type: object, properties: {a: {type: string}}}, size: {type: integer}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
  /writes:
    post: {operationId: write, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}}
  /names:
    get: {operationId: listNames, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}}
  /rows:
    get: {operationId: listRows, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
`;

const listed = (keys: string) => `operation: listTasks, ${keys}`;
const filter = (keys: string, more = "") => listed(`filter: {${keys}}${more}`);
const SINGLE = "templates: {single: {f: '{field}', v: '{value}'}}";

/** What a tool says, `code: …` of the finding that comes of it. */
const cases: readonly (readonly [title: string, tool: string, want: string])[] = [
  [
    "an object where a list belongs",
    "operation: queryTasks, effect: read, input: {where: {}}, filter: {dialect: hubspot, to: body/list, fields: {a: }}",
    "bad_value: .*writes an object.*takes an array",
  ],
  [
    "a part of a whole body that an argument fills",
    "operation: queryTasks, effect: read, unchecked: true, args: {body/where: {}, body/filterGroups: []}, filter: {dialect: hubspot, to: body, fields: {a: }}",
    "place_twice: `body/filterGroups`",
  ],
  ["no place for one text", filter("dialect: odata, fields: {a: }"), "missing_key: .*one text.*`to`"],
  ["a place for parameters", filter("dialect: django, to: q, fields: {a: }"), "conflicting_keys: .*several parameters"],
  [
    "a place for plain parameters",
    filter("dialect: params, to: q, fields: {status: }"),
    "conflicting_keys: .*Each field",
  ],
  ["a place that takes a number", filter("dialect: odata, to: level, fields: {a: }"), "bad_value: .*takes an integer"],
  [
    "a text where an object belongs",
    "operation: queryTasks, effect: read, filter: {dialect: odata, to: body/where, fields: {a: }}",
    "bad_value: .*takes an object",
  ],
  [
    "a place that an input fills",
    filter("dialect: odata, to: q, fields: {a: }", ", input: {q: {}}"),
    "place_twice: `query.q`",
  ],
  [
    "a place that holds what an argument fills",
    "operation: queryTasks, effect: read, args: {body/where/a: 1}, filter: {dialect: mongo, to: body/where, fields: {a: }}",
    "place_twice: `body/where`",
  ],
  [
    "the parameter of a field that an input fills",
    filter("dialect: params, fields: {status: }", ", input: {status: {}}"),
    "place_twice: `query.status`",
  ],
  [
    "a parameter of the language that an input fills",
    filter("dialect: django, fields: {status: }", ", input: {status: {}}"),
    "place_twice: `query.status`",
  ],
  [
    "a place of `always` that an input fills",
    filter("dialect: params, hidden: true, always: {status: open}", ", input: {status: {}}"),
    "place_twice: `query.status`",
  ],
  [
    "a list where one value belongs",
    filter("dialect: params, fields: {x: {to: q, ops: {in: '{values}'}}}"),
    "filter_not_expressible: `query.q` takes one value, and `in` sends a list there",
  ],
  ["a field without its parameter", filter("dialect: params, fields: {stat: }"), 'unknown_place: .*"status"'],
  ["a condition without its parameter", filter("dialect: params, hidden: true, always: {stat: 1}"), "unknown_place: "],
  ["a parameter that is needed", filter("dialect: params, fields: {level: }"), "required_unfilled: .*may leave"],
  [
    "a needed place and nothing in it",
    "operation: queryTasks, effect: read, filter: {dialect: mongo, to: body/where, hidden: true, always: {a: '${input.a}'}}, input: {a: {type: string}}",
    "required_unfilled: .*always filtered",
  ],
  ["no templates", filter("dialect: json, to: q, fields: {a: }"), "missing_key: .*`templates`.*single"],
  [
    "templates without a condition",
    filter("dialect: text, to: q, templates: {all: '{conditions}'}, fields: {a: }"),
    "bad_template: `single` is needed",
  ],
  [
    "templates of a language with rules",
    filter(`dialect: odata, to: q, ${SINGLE}, fields: {a: }`),
    "conflicting_keys: .*rules of its own",
  ],
  ["no field at all", filter("dialect: odata, to: q"), "nothing_to_filter: .*hidden"],
  ["nothing that is hidden", filter("dialect: odata, to: q, hidden: true, fields: {a: }"), "nothing_to_filter: "],
  [
    "discovered plain parameters",
    filter("dialect: params, fields: {from: {operation: listRows, field: id}}"),
    "conflicting_keys: .*Name the fields",
  ],
  [
    "an operator that the language lacks",
    filter("dialect: json-api, fields: {a: {ops: [eq, gte]}}"),
    "filter_not_expressible: .*gte",
  ],
  [
    "a negation of which nothing is known",
    filter(`dialect: json, to: q, ${SINGLE}, fields: {a: {ops: [ne]}}`),
    "filter_not_expressible: ",
  ],
  ["a list as a value", filter("dialect: odata, to: q, fields: {a: {as: csv}}"), "bad_form: .*one value"],
  [
    "a field name that would be something else",
    filter("dialect: odata, to: q, fields: {'a b': }"),
    "filter_not_expressible: .*name",
  ],
  [
    "a condition of another type",
    filter("dialect: odata, to: q, hidden: true, fields: {a: {type: date}}, always: {a: soon}"),
    "filter_not_expressible: .*date",
  ],
  [
    "an order among texts",
    filter(
      "dialect: odata, to: q, hidden: true, always: {a.gte: '${input.since}'}",
      ", input: {since: {type: date-time}}",
    ),
    "filter_not_expressible: .*`type`",
  ],
  [
    "a value in the form of an input",
    filter(
      "dialect: odata, to: q, hidden: true, fields: {a: {type: date-time}}, always: {a.gte: '${input.since}'}",
      ", input: {since: {as: unix}}",
    ),
    "filter_not_expressible: .*date-time",
  ],
  [
    "two conditions where one can be said",
    filter(`dialect: json, to: q, hidden: true, ${SINGLE}, always: {a: 1, b: 2}`),
    "filter_not_expressible: .*AND",
  ],
  [
    "a condition that leaves no room for a caller's",
    filter(`dialect: json, to: q, ${SINGLE}, fields: {a: }, always: {b: 2}`),
    "filter_not_expressible: .*hidden",
  ],
  ["a list that writes", listed("input: {q: {valuesFrom: {operation: write}}}"), "unsafe_source: "],
  ["a list of rows without a value", listed("input: {q: {valuesFrom: {operation: listRows}}}"), "not_a_value: .*id"],
  [
    "rows that are none",
    listed("input: {q: {valuesFrom: {operation: listRows, rows: '[0]', field: id}}}"),
    "rows_not_a_list: ",
  ],
  [
    "a list for what no caller writes in a word",
    "operation: queryTasks, effect: read, input: {where: {}, pair: {valuesFrom: {operation: listNames}}}",
    "bad_value: .*valuesFrom",
  ],
];

const isGrave = ({ severity }: { severity: string }) => severity !== "note";

describe("a mistake in a filter is found, with a way out", () => {
  test.each(cases)("%s", async (_, tool, want) => {
    const { problems } = await compileTools(SPEC, `list: {use: List., ${tool}}`);
    const found = problems.filter(isGrave);
    expect(shown(found)).toEqual([expect.stringMatching(new RegExp(`^5 ${want}`))]);
    expect(found[0]?.hint).toMatch(/\w/);
  });

  test.each([
    ["pinned by name", "{dialect: params, fields: {status: }}", "{status: open}"],
    ["among the places of a pin", "{dialect: odata, to: q, fields: {a: }}", "{tenant: {value: a, places: [query.q]}}"],
    ["a parameter of the language", "{dialect: django, fields: {status: }}", "{Status: open}"],
  ])("a place that is %s", async (_, keys, pins) => {
    const { problems } = await compileTools(SPEC, `list: {use: List., operation: listTasks, filter: ${keys}}`, {
      pins,
    });
    expect(problems.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual(["pinned_place"]);
  });
});

test("what is right has no finding", async () => {
  const right = [
    filter("dialect: odata, to: q, fields: {a: }, always: {b: 1, c: [x, y], d.is_null: true, e: }"),
    filter(
      "dialect: params, fields: {made: {to: created, ops: {gte: {gte: '{value}'}, lt: {lt: '{value}'}}}}, always: {status: open}",
    ),
    filter(
      "dialect: odata, to: q, hidden: true, fields: {a: {as: unix}}, always: {a.gte: '${input.since}'}",
      ", input: {since: {type: date-time}}",
    ),
    filter(
      "dialect: odata, to: q, hidden: true, fields: {a: {type: integer}}, always: {a.gte: '${input.since}'}",
      ", input: {since: {as: unix}}",
    ),
    filter("dialect: params, hidden: true, always: {level: 2}"),
    "operation: queryTasks, effect: read, args: {body/size: 5, body/where: {}}, filter: {dialect: hubspot, to: body, fields: {a: }}",
    listed("input: {q: {valuesFrom: {operation: listNames}}, status: {}}"),
  ];
  for (const tool of right)
    expect(shown((await compileTools(SPEC, `list: {use: List., ${tool}}`)).problems.filter(isGrave))).toEqual([]);
});
