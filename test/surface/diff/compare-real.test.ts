import { describe, expect, test } from "vitest";
import { compareManifests } from "../../../src/surface/diff/compare-manifests.ts";
import { makeManifest } from "../../../src/surface/manifest.ts";
import type { Manifest } from "../../../src/surface/manifest-format.ts";
import { apiOfText, compileText, shown } from "../../compile/compile-text.ts";

// Specs and curations as people edit them: what one edit makes of the list, told once.

const SPEC = `
components:
  securitySchemes:
    login: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example.com/t', scopes: {read: r, write: w}}}}
paths:
  /bugs:
    get:
      operationId: listBugs
      security: [{login: [read]}]
      parameters:
        - {name: status, in: query, description: The state of a bug, schema: {type: string, enum: [open, closed]}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 9}}
        - {name: owner, in: query, schema: {type: string, pattern: '^[a-z]+$'}}
        - {name: pageSize, in: query, schema: {type: integer, maximum: 100}}
        - {name: page, in: query, schema: {type: integer}}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  bugs:
                    type: array
                    items:
                      type: object
                      required: [id, status]
                      properties:
                        id: {type: string}
                        status: {type: string, enum: [open, closed]}
                        cost: {type: integer}
                        opened: {type: string, format: date-time}
  /bugs/{id}:
    get:
      operationId: getBug
      security: [{login: [read]}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, text: {type: string}}}}}}}
  /bugs/{id}/close:
    post:
      operationId: closeBug
      security: [{login: [write]}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: done}}
`;

const CURATION = `
vitrine: 1
api: {spec: spec.yaml, pages: [{style: page, send: query.page, size: query.pageSize}], auth: {login: {bearer: "\${env.T}"}}}
server: {name: bugs, writes: true, expose: flat}
tools:
  bug.list:
    operation: listBugs
    use: Bugs of a project.
    input: {status: {default: open}, size: {}, owner: {}}
    filter: {to: query.size, dialect: rsql, hidden: true, fields: {}}
    result:
      rows: bugs
      fields: {id: id, status: status, opened: opened, cost: {path: cost, as: minor, unit: USD}}
      limit: {default: 20, max: 100}
      budget: 12kB
  bug.get:
    operation: getBug
    use: One bug, whole.
    notFor: Many; call \`bug.list\`.
    input: {id: {}}
  bug.close:
    operation: closeBug
    effect: destroy
    use: Closes a bug.
    input: {id: {}}
`.replace(/\n {4}filter:.*/, "");

type Edit = readonly [from: string, to: string];

async function manifest(spec: readonly Edit[] = [], curation: readonly Edit[] = []): Promise<Manifest> {
  const { toolset, problems } = compileText(await apiOfText(edit(SPEC, spec)), edit(CURATION, curation));
  if (toolset === undefined) throw new Error(shown(problems).join("\n"));
  return makeManifest(toolset, { vitrine: "1.0.0", from: [] });
}

function edit(text: string, edits: readonly Edit[]): string {
  return edits.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`There is no ${from}`);
    return done.replace(from, () => to);
  }, text);
}

function told(base: Manifest, head: Manifest): string[] {
  return compareManifests(base, head).map(({ rule, tool, path }) => `${rule} ${tool ?? "server"}${path}`);
}

describe("an edit of the spec", () => {
  test.each<[string, readonly Edit[], readonly string[], readonly string[]]>([
    [
      "a value of a parameter goes",
      [["{type: string, enum: [open, closed]}}", "{type: string, enum: [open]}}"]],
      ["input_enum_narrowed bug_list/inputSchema/properties/status/enum"],
      ["input_enum_widened bug_list/inputSchema/properties/status/enum"],
    ],
    [
      "a bound",
      [["maximum: 9", "maximum: 8"]],
      ["input_bound_tightened bug_list/inputSchema/properties/size/maximum"],
      ["input_bound_relaxed bug_list/inputSchema/properties/size/maximum"],
    ],
    [
      "a pattern",
      [["'^[a-z]+$'", "'^[a-z]*$'"]],
      ["input_pattern_changed bug_list/inputSchema/properties/owner/pattern"],
      ["input_pattern_changed bug_list/inputSchema/properties/owner/pattern"],
    ],
    [
      "a type",
      [["{type: integer, minimum: 1, maximum: 9}", "{type: string}"]],
      ["input_type_changed bug_list/inputSchema/properties/size/type"],
      ["input_type_changed bug_list/inputSchema/properties/size/type"],
    ],
    [
      "a parameter's words",
      [["The state of a bug", "Which bugs"]],
      ["input_text_changed bug_list/inputSchema/properties/status/description"],
      ["input_text_changed bug_list/inputSchema/properties/status/description"],
    ],
    [
      "a parameter becomes required",
      [["name: owner, in: query", "name: owner, required: true, in: query"]],
      ["input_required bug_list/inputSchema/properties/owner"],
      ["input_optional bug_list/inputSchema/properties/owner"],
    ],
    [
      "a parameter that no tool sends",
      [
        [
          "        - {name: page, in",
          "        - {name: sort, in: query, schema: {type: string}}\n        - {name: page, in",
        ],
      ],
      [],
      [],
    ],
    // A column is always there: what the upstream leaves out is null.
    [
      "a column is no longer promised",
      [["required: [id, status]", "required: [id]"]],
      ["output_nullable bug_list/conduct/said/properties/status/nullable"],
      ["output_never_null bug_list/conduct/said/properties/status/nullable"],
    ],
    [
      "a column has a further value",
      [["status: {type: string, enum: [open, closed]}", "status: {type: string, enum: [open, closed, lost]}"]],
      ["output_enum_widened bug_list/conduct/said/properties/status/enum"],
      ["output_enum_narrowed bug_list/conduct/said/properties/status/enum"],
    ],
    [
      "a column of another type",
      [["id: {type: string}\n", "id: {type: integer}\n"]],
      ["output_type_changed bug_list/conduct/said/properties/id/type"],
      ["output_type_changed bug_list/conduct/said/properties/id/type"],
    ],
    [
      "a column of another format",
      [["format: date-time", "format: date"]],
      ["output_format_changed bug_list/conduct/said/properties/opened/format"],
      ["output_format_changed bug_list/conduct/said/properties/opened/format"],
    ],
    [
      "a required column may be null",
      [["id: {type: string}\n", "id: {type: [string, 'null']}\n"]],
      ["output_nullable bug_list/conduct/said/properties/id/nullable"],
      ["output_never_null bug_list/conduct/said/properties/id/nullable"],
    ],
    [
      "a column that is read in a form",
      [["cost: {type: integer}", "cost: {type: string}"]],
      ["output_type_changed bug_list/conduct/said/properties/cost/type"],
      ["output_type_changed bug_list/conduct/said/properties/cost/type"],
    ],
    [
      "a column of no type",
      [["id: {type: string}\n", "id: {}\n"]],
      ["output_type_untold bug_list/conduct/said/properties/id/type"],
      ["output_type_told bug_list/conduct/said/properties/id/type"],
    ],
    [
      "a field of an uncurated reply of another type",
      [["text: {type: string}", "text: {type: array, items: {type: string}}"]],
      ["output_type_changed bug_get/conduct/said/properties/text/type"],
      ["output_type_changed bug_get/conduct/said/properties/text/type"],
    ],
    [
      "a field of an uncurated reply is promised",
      [
        [
          "{schema: {type: object, properties: {id: {type: string}, text",
          "{schema: {type: object, required: [id], properties: {id: {type: string}, text",
        ],
      ],
      ["output_field_promised bug_get/conduct/said/properties/id/optional"],
      ["output_field_optional bug_get/conduct/said/properties/id/optional"],
    ],
    [
      "a scope",
      [["[{login: [read]}]", "[{login: [read, write]}]"]],
      ["access_added bug_list/conduct/access"],
      ["access_removed bug_list/conduct/access"],
    ],
    [
      "another path",
      [["/bugs/{id}/close:", "/bugs/{id}/shut:"]],
      ["operations_changed bug_close/conduct/operations"],
      ["operations_changed bug_close/conduct/operations"],
    ],
    [
      "another method",
      [["    post:", "    put:"]],
      ["operations_changed bug_close/conduct/operations", "became_idempotent bug_close/annotations/idempotentHint"],
      ["no_longer_idempotent bug_close/annotations/idempotentHint", "operations_changed bug_close/conduct/operations"],
    ],
    [
      "a field of an object goes",
      [[", text: {type: string}", ""]],
      ["output_field_removed bug_get/outputSchema/properties/text"],
      ["output_field_added bug_get/outputSchema/properties/text"],
    ],
    ["words of a field", [["text: {type: string}", "text: {type: string, description: Hm}"]], [], []],
    ["a summary", [["operationId: getBug", "operationId: getBug\n      summary: Hm"]], [], []],
  ])("%s", async (_, edits, there, back) => {
    const [base, head] = [await manifest(), await manifest(edits)];
    expect([told(base, head), told(head, base)]).toStrictEqual([there, back]);
  });
});

describe("an edit of the curation", () => {
  test.each<[string, readonly Edit[], readonly string[], readonly string[]]>([
    ["a tool is renamed", [["bug.get:", "bug.show:"]], ["tool_renamed bug_show/name"], ["tool_renamed bug_get/name"]],
    [
      "a tool is renamed with an alias",
      [["bug.get:", "bug.show:\n    aliases: [bug.get]"]],
      ["tool_renamed_served bug_show/name"],
      ["tool_renamed bug_get/name"],
    ],
    [
      "in groups",
      [["expose: flat", "expose: grouped"]],
      ["exposure_changed server/tools", "list_tokens_changed server/tokens"],
      ["exposure_changed server/tools", "list_tokens_changed server/tokens"],
    ],
    [
      "a prefix",
      [["expose: flat", "prefix: my_"]],
      ["tool_renamed my_bug_close/name", "tool_renamed my_bug_get/name", "tool_renamed my_bug_list/name"],
      ["tool_renamed bug_close/name", "tool_renamed bug_get/name", "tool_renamed bug_list/name"],
    ],
    [
      "the largest limit",
      [["max: 100}", "max: 50}"]],
      ["max_limit_lowered bug_list/conduct/limit/max"],
      ["max_limit_raised bug_list/conduct/limit/max"],
    ],
    [
      "the default limit",
      [["default: 20", "default: 10"]],
      ["default_limit_changed bug_list/conduct/limit/default"],
      ["default_limit_changed bug_list/conduct/limit/default"],
    ],
    [
      "the budget",
      [["12kB", "9kB"]],
      ["budget_changed bug_list/conduct/budget"],
      ["budget_changed bug_list/conduct/budget", "portability_worsened bug_list/conduct/budget"],
    ],
    [
      "a default",
      [["default: open", "default: closed"]],
      ["input_default_changed bug_list/conduct/defaults/status"],
      ["input_default_changed bug_list/conduct/defaults/status"],
    ],
    [
      "a unit",
      [["unit: USD", "unit: EUR"]],
      ["field_unit_changed bug_list/conduct/fields/cost/unit"],
      ["field_unit_changed bug_list/conduct/fields/cost/unit"],
    ],
    [
      "an effect",
      [["effect: destroy", "effect: write"]],
      ["no_longer_destructive bug_close/annotations/destructiveHint"],
      ["became_destructive bug_close/annotations/destructiveHint"],
    ],
    [
      "a column goes",
      [["opened: opened, ", ""]],
      ["output_field_removed bug_list/outputSchema/properties/data/items/properties/opened"],
      ["output_field_added bug_list/outputSchema/properties/data/items/properties/opened"],
    ],
    [
      "a column is renamed",
      [["opened: opened, ", "openedAt: opened, "]],
      ["output_field_renamed bug_list/outputSchema/properties/data/items/properties/opened"],
      ["output_field_renamed bug_list/outputSchema/properties/data/items/properties/openedAt"],
    ],
    [
      "a column is renamed to a name that is not alike",
      [["opened: opened, ", "since: opened, "]],
      ["output_field_renamed bug_list/outputSchema/properties/data/items/properties/opened"],
      ["output_field_renamed bug_list/outputSchema/properties/data/items/properties/since"],
    ],
    [
      "a column is renamed, and its unit is another",
      [["cost: {path: cost, as: minor, unit: USD}", "price: {path: cost, as: minor, unit: EUR}"]],
      [
        "output_field_removed bug_list/outputSchema/properties/data/items/properties/cost",
        "output_field_added bug_list/outputSchema/properties/data/items/properties/price",
      ],
      [
        "output_field_removed bug_list/outputSchema/properties/data/items/properties/price",
        "output_field_added bug_list/outputSchema/properties/data/items/properties/cost",
      ],
    ],
    [
      "another upstream than the spec's",
      [["api: {spec: spec.yaml,", "api: {spec: spec.yaml, baseUrl: 'https://b.example.com',"]],
      ["upstream_address_changed server/server/upstream/address"],
      ["upstream_address_changed server/server/upstream/address"],
    ],
    [
      "headers of every request",
      [["api: {spec: spec.yaml,", "api: {spec: spec.yaml, headers: {Accept-Language: de, X-Of: '${env.OF}'},"]],
      ["upstream_settings_changed server/server/upstream/headers"],
      ["upstream_settings_changed server/server/upstream/headers"],
    ],
    [
      "certificates, and how many requests at once",
      [["api: {spec: spec.yaml,", "api: {spec: spec.yaml, tls: {ca: ca.pem}, concurrency: 4,"]],
      [
        "upstream_settings_changed server/server/upstream/concurrency",
        "upstream_settings_changed server/server/upstream/tls",
      ],
      [
        "upstream_settings_changed server/server/upstream/concurrency",
        "upstream_settings_changed server/server/upstream/tls",
      ],
    ],
    [
      "a column is read elsewhere",
      [["opened: opened, ", "opened: id, "]],
      [
        "output_format_changed bug_list/conduct/said/properties/opened/format",
        "replies_changed bug_list/conduct/replies",
        "output_never_null bug_list/conduct/said/properties/opened/nullable",
      ],
      [
        "replies_changed bug_list/conduct/replies",
        "output_nullable bug_list/conduct/said/properties/opened/nullable",
        "output_format_added bug_list/conduct/said/properties/opened/format",
      ],
    ],
    [
      "a question",
      [["effect: destroy", "effect: destroy\n    confirm: Really?"]],
      ["confirm_added bug_close/conduct/confirm"],
      ["confirm_removed bug_close/conduct/confirm"],
    ],
    [
      "a purpose",
      [["One bug, whole", "A bug"]],
      ["description_changed bug_get/description"],
      ["description_changed bug_get/description"],
    ],
    [
      "an order",
      [["      budget", "      all: {max: 500}\n      order: [-cost]\n      budget"]],
      ["read_whole_changed bug_list/conduct/all", "order_changed bug_list/conduct/order"],
      ["read_whole_changed bug_list/conduct/all", "order_changed bug_list/conduct/order"],
    ],
    [
      "an input goes",
      [["size: {}, ", ""]],
      ["input_removed bug_list/inputSchema/properties/size"],
      ["optional_input_added bug_list/inputSchema/properties/size"],
    ],
    [
      "an input is renamed",
      [
        ["size: {}, ", "width: {}, "],
        ["    result:\n", '    args: {size: "${input.width}"}\n    result:\n'],
      ],
      ["input_renamed bug_list/inputSchema/properties/size"],
      ["input_renamed bug_list/inputSchema/properties/width"],
    ],
    [
      "an input goes elsewhere",
      [
        ["    result:\n", '    args: {owner: "${input.size}"}\n    result:\n'],
        [", owner: {}", ""],
      ],
      [
        "input_removed bug_list/inputSchema/properties/owner",
        "input_type_changed bug_list/inputSchema/properties/size/type",
        "requests_changed bug_list/conduct/requests",
      ],
      [
        "input_type_changed bug_list/inputSchema/properties/size/type",
        "requests_changed bug_list/conduct/requests",
        "optional_input_added bug_list/inputSchema/properties/owner",
      ],
    ],
    [
      "not structured",
      [["expose: flat", "structured: false"]],
      ["structured_removed server/server/structured", "list_tokens_changed server/tokens"],
      ["list_tokens_changed server/tokens", "structured_added server/server/structured"],
    ],
  ])("%s", async (_, edits, there, back) => {
    const [base, head] = [await manifest(), await manifest([], edits)];
    expect([told(base, head), told(head, base)]).toStrictEqual([there, back]);
  });
});

test("where no schema is shown, names that go and types that change are told", async () => {
  const bare: readonly Edit[] = [["expose: flat", "structured: false"]];
  const gone: readonly Edit[] = [[", text: {type: string}", ""]];
  const [base, head] = [await manifest([], bare), await manifest(gone, bare)];
  expect(told(base, head)).toStrictEqual(["output_field_removed bug_get/conduct/said/properties/text"]);
  expect(told(head, base)).toStrictEqual(["output_field_added bug_get/conduct/said/properties/text"]);
});

describe("of an operation that tools share", () => {
  const shared: readonly Edit[] = [
    ["expose: flat}", "expose: flat}\nstates: {any: {operation: listBugs, when: bugs}}"],
    [
      "  bug.get:\n",
      "  bug.count:\n    use: How many bugs.\n    steps: [{id: all, operation: listBugs}]\n    result: {value: {n: 'length(steps.all.bugs)'}}\n  bug.get:\n    states: [any]\n",
    ],
  ];
  test.each<[string, Edit, readonly string[], readonly string[]]>([
    [
      "an input that one of them loses says nothing of the others",
      ["size: {}, ", ""],
      ["input_removed bug_list/inputSchema/properties/size"],
      ["optional_input_added bug_list/inputSchema/properties/size"],
    ],
    [
      "what only one of them sends says nothing of the others",
      ["    result:\n      rows", "    args: {query.size: 3}\n    result:\n      rows"],
      ["requests_changed bug_list/conduct/requests"],
      ["requests_changed bug_list/conduct/requests"],
    ],
  ])("%s", async (title, change, there, back) => {
    const before: readonly Edit[] = title.startsWith("what") ? [...shared, ["size: {}, ", ""]] : shared;
    const [base, head] = [await manifest([], before), await manifest([], [...before, change])];
    expect([told(base, head), told(head, base)]).toStrictEqual([there, back]);
  });
});

describe("the address of the upstream", () => {
  const at = (server: string): Edit => [
    "\ncomponents:\n",
    `openapi: 3.1.0\ninfo: {title: Test, version: '1'}\nservers: [{url: '${server}'}]\ncomponents:\n`,
  ];
  const own = (server: string): Edit => [
    "      operationId: getBug\n",
    `      operationId: getBug\n      servers: [{url: '${server}'}]\n`,
  ];
  const [a, b] = ["https://a.example.com", "https://b.example.com"];
  test.each<[string, readonly Edit[], readonly Edit[], readonly string[]]>([
    ["of all operations", [at(a)], [at(b)], ["upstream_address_changed server/server/upstream/address"]],
    [
      "of one operation",
      [at(a)],
      [at(a), own(b)],
      ["upstream_address_changed bug_get/conduct/addresses/GET ~1bugs~1{id}"],
    ],
    ["by another word of the same", [at(a)], [at(a), own(a)], []],
  ])("%s is told once", async (_, before, after, want) => {
    const [base, head] = [await manifest(before), await manifest(after)];
    expect([told(base, head), told(head, base)]).toStrictEqual([want, want]);
  });
});

test.each([
  ["a type that may be null", "{type: [string, 'null'], pattern: '^[a-z]+$'}"],
  ["a choice with null", "{anyOf: [{type: string, pattern: '^[a-z]+$'}, {type: 'null'}]}"],
])("an input that may be null takes all that it took: %s", async (_, schema) => {
  const [base, head] = [await manifest(), await manifest([["{type: string, pattern: '^[a-z]+$'}", schema]])];
  expect(told(base, head)).toStrictEqual(["input_type_widened bug_list/conduct/inputs/owner/takes"]);
  expect(told(head, base)).toStrictEqual(["input_type_changed bug_list/conduct/inputs/owner/takes"]);
});

test.each([
  ["what it must have", "required: [a]"],
  ["that it has no more", "additionalProperties: false"],
  ["how much it must have", "minProperties: 1"],
])("of an object whose names are not compared it is told: %s", async (_, words) => {
  const deep = (more: string): readonly Edit[] => {
    const inner = `{type: object, ${more}properties: {a: {type: string}}}`;
    const levels = [...Array(2)].reduce((one: string) => `{type: object, properties: {a: ${one}}}`, inner);
    return [["text: {type: string}", `text: ${levels}`]];
  };
  const [base, head] = [await manifest(deep("")), await manifest(deep(`${words}, `))];
  const want = ["output_below_changed bug_get/conduct/said/properties/text/properties/a/properties/a/below"];
  expect([told(base, head), told(head, base)]).toStrictEqual([want, want]);
});

test("what changes below the names that are compared is told as such, whatever it is", async () => {
  const deep = (leaf: string): readonly Edit[] => {
    const levels = [...Array(6)].reduce((inner: string) => `{type: object, properties: {a: ${inner}}}`, leaf);
    return [["text: {type: string}", `text: ${levels}`]];
  };
  const [base, head] = [await manifest(deep("{type: string}")), await manifest(deep("{type: integer}"))];
  const at = "bug_get/conduct/said/properties/text/properties/a/properties/a/below";
  expect(told(base, head)).toStrictEqual([`output_below_changed ${at}`]);
  expect(told(base, await manifest(deep("{type: string, description: In other words}")))).toStrictEqual([]);
  const message = compareManifests(base, head)[0]?.message;
  expect(message).toBe(
    "Inside `text.a.a`, below the names that are compared one by one, something is another, as the spec says.",
  );
});
