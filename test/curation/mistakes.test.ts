import { describe, expect, test } from "vitest";
import { loadCuration } from "../../src/curation/load-curation.ts";

const HEAD = "vitrine: 1\napi: { spec: a.yaml }\nserver: { name: demo }\n";
/** One tool, whose keys begin at line 6, column 5. */
const tool = (keys: string) => `${HEAD}tools:\n  list:\n    operation: listItems\n${keys}`;
/** Line 7, column 5 on. */
const line7 = (keys: string) => tool(`    ${keys}\n`);

interface Case {
  readonly text: string;
  /** `code line:column` of each problem, in order. */
  readonly want: readonly string[];
  readonly hint?: RegExp;
  readonly message?: RegExp;
}

const cases: readonly (readonly [title: string, Case])[] = [
  ["an empty file", { text: "", want: ["wrong_type 1:1"], hint: /vitrine: 1/ }],
  [
    "a pin and a variable of a server that lack the quotes of a text",
    {
      text: tool("")
        .replace("a.yaml }", "a.yaml, serverVariables: { v: 1.0, n: 2 } }")
        .replace("tools:", "pins: { t: 0123, u: 7 }\ntools:"),
      want: ["bad_value 2:44", "bad_value 4:12"],
      message: /`1.0` is the number 1, and would be sent so/,
      hint: /quotes/,
    },
  ],
  [
    "numbers that JSON does not have, and nothing more of what stands in their place",
    {
      text: line7("input: { n: { minimum: -.inf, maximum: 123456789012345678901 } }"),
      want: ["bad_value 7:28", "bad_value 7:44"],
      message: /`-.inf` is not a value that JSON can hold exactly/,
    },
  ],
  ["a list instead of a file", { text: "- a\n", want: ["wrong_type 1:1"] }],
  [
    "an OpenAPI document in its place",
    {
      text: "openapi: 3.1.0\ninfo: { title: A, version: 1 }\npaths: {}\n",
      want: ["wrong_type 1:1"],
      hint: /vitrine draft/,
    },
  ],
  [
    "a Swagger document in its place",
    { text: '{"swagger":"2.0","paths":{}}', want: ["wrong_type 1:1"], hint: /--spec/ },
  ],
  [
    "nothing but a version",
    { text: "vitrine: 1\n", want: ["missing_key 1:1", "missing_key 1:1", "missing_key 1:1"], hint: /api: \{ spec/ },
  ],
  [
    "another version",
    { text: tool("").replace("vitrine: 1", "vitrine: 2"), want: ["bad_version 1:10"], hint: /vitrine: 1/ },
  ],
  ["the version as a text", { text: tool("").replace(": 1", ': "1"'), want: ["bad_version 1:10"] }],
  ["an unknown key at the top", { text: `${tool("")}toolz: {}\n`, want: ["unknown_key 7:1"], hint: /`tools`/ }],
  [
    "a required key that is misspelt",
    { text: `${HEAD}tools:\n  list:\n    operaton: listItems\n`, want: ["unknown_key 6:5"], hint: /`operation`/ },
  ],
  [
    "a required section that is misspelt",
    { text: tool("").replace("server:", "sever:"), want: ["unknown_key 3:1"], hint: /`server`/ },
  ],
  ["a key of api at the top", { text: `${tool("")}baseUrl: x\n`, want: ["unknown_key 7:1"], hint: /under `api`/ }],
  [
    "an unknown key of a tool",
    { text: line7("budgte: 8kB"), want: ["unknown_key 7:5"], hint: /`budget`, under `result`/ },
  ],
  ["a key of result on the tool", { text: line7("rows: items"), want: ["unknown_key 7:5"], hint: /under `result`/ }],
  ["a foreign word for a key", { text: line7("description: x"), want: ["unknown_key 7:5"], hint: /`use`/ }],
  [
    "a misspelt key in a flow mapping",
    {
      text: line7("result: { rows: items, limt: { default: 1, max: 2 } }"),
      want: ["unknown_key 7:28"],
      hint: /`limit`/,
    },
  ],
  [
    "a missing key deep inside",
    { text: line7("result: { rows: items, limit: { default: 5 } }"), want: ["missing_key 7:28"], hint: /max: 200/ },
  ],
  [
    "a style of pages without its next token: the example is one of pages",
    {
      text: line7("pages: { style: token, send: query.page }"),
      want: ["missing_key 7:5"],
      hint: /^For example next: nextPageToken/,
    },
  ],
  [
    "a group without columns: the example is one of groups",
    {
      text: line7("result: { rows: items, group: { sum: [cost] } }"),
      want: ["missing_key 7:28"],
      hint: /^For example by: \[service\]/,
    },
  ],
  ["no spec", { text: tool("").replace("{ spec: a.yaml }", "{}"), want: ["missing_key 2:1"], hint: /spec: / }],
  [
    "a text where a flag belongs",
    {
      text: tool("").replace("name: demo", "name: demo, writes: NO"),
      want: ["wrong_type 3:31"],
      hint: /writes: false/,
    },
  ],
  ["a list where a mapping belongs", { text: line7("input: [search]"), want: ["wrong_type 7:12"], hint: /search/ }],
  ["an empty section", { text: line7("result:"), want: ["wrong_type 7:5"], message: /not empty/ }],
  [
    "a fraction where a whole number belongs",
    { text: tool("").replace("a.yaml", "a.yaml, retries: 1.5"), want: ["wrong_type 2:31"] },
  ],
  [
    "a number out of bounds",
    { text: tool("").replace("a.yaml", "a.yaml, retries: 99"), want: ["bad_value 2:31"], message: /at most 10/ },
  ],
  ["a size in a unit that is none", { text: line7("result: { budget: 8kb }"), want: ["bad_value 7:23"], hint: /8kB/ }],
  ["a negative size", { text: line7("result: { budget: -1 }"), want: ["bad_value 7:23"], message: /at least 1/ }],
  ["a duration without a unit", { text: line7("deadline: 45"), want: ["wrong_type 7:15"], hint: /45s/ }],
  ["a duration of nothing", { text: line7("deadline: 0.0s"), want: ["bad_value 7:15"], hint: /20s/ }],
  [
    "more items of a step than there may be",
    {
      text: `${HEAD}tools:\n  list:\n    steps: [{ id: a, operation: listItems, forEach: input.x, max: 51 }]\n`,
      want: ["bad_value 6:67"],
      hint: /max: 20$/,
    },
  ],
  [
    "a name that JavaScript keeps",
    { text: line7("args: { __proto__: 1 }"), want: ["unknown_key 7:13"], hint: /another name/ },
  ],
  ["a duration in words", { text: line7("deadline: a minute"), want: ["bad_value 7:15"], hint: /20s/ }],
  [
    "a server's name in capitals",
    { text: tool("").replace("name: demo", "name: Demo"), want: ["bad_value 3:17"], hint: /lower-case/ },
  ],
  ["a value near an allowed one", { text: line7("effect: reed"), want: ["bad_value 7:13"], hint: /`read`/ }],
  [
    "a way to expose tools that is none",
    { text: tool("").replace("name: demo", "name: demo, expose: groupd"), want: ["bad_value 3:31"], hint: /`grouped`/ },
  ],
  [
    "a type that is none",
    { text: line7("input: { from: { type: datetime } }"), want: ["bad_value 7:28"], hint: /`date-time`/ },
  ],
  [
    "a clip that is none",
    {
      text: line7("result: { rows: a, fields: { t: { path: t, clip: first-sentense } } }"),
      want: ["bad_value 7:54"],
      hint: /first-sentence/,
    },
  ],
  [
    "a field without a path",
    { text: line7("result: { rows: a, fields: { t: { clip: 20 } } }"), want: ["missing_key 7:34"], hint: /path: / },
  ],
  [
    "a number as a field",
    { text: line7("result: { rows: a, fields: { t: 1 } }"), want: ["wrong_type 7:37"], message: /a text or a mapping/ },
  ],
  [
    "an order rule with a wrong key",
    { text: line7("result: { rows: a, order: [{ by: [x], if: y }] }"), want: ["unknown_key 7:43"] },
  ],
  [
    "an order in one word",
    { text: line7("result: { rows: a, order: upstreem }"), want: ["bad_value 7:31"], hint: /`upstream`/ },
  ],
  [
    "totals without a value",
    {
      text: line7("result: { rows: a, totals: { measure: c, args: { x: 1 } } }"),
      want: ["missing_key 7:24"],
      message: /`value`/,
    },
  ],
  [
    "a count with a key of other totals",
    { text: line7("result: { rows: a, totals: { count: c, measure: x } }"), want: ["unknown_key 7:44"] },
  ],
  [
    "a paging style that is none",
    { text: tool("").replace("a.yaml", "a.yaml, pages: [{ style: cursor }]"), want: ["bad_value 2:39"], hint: /token/ },
  ],
  [
    "a paging style without its place",
    {
      text: tool("").replace("a.yaml", "a.yaml, pages: [{ style: token, next: n }]"),
      want: ["missing_key 2:30"],
      message: /`send`/,
    },
  ],
  [
    "two kinds of one credential",
    {
      text: tool("").replace("a.yaml", "a.yaml, auth: { k: { apiKey: x, bearer: y } }"),
      want: ["conflicting_keys 2:46"],
      hint: /Keep one/,
    },
  ],
  [
    "a credential without a kind",
    { text: tool("").replace("a.yaml", "a.yaml, auth: { k: {} }"), want: ["missing_key 2:30"] },
  ],
  [
    "a credential that is misspelt",
    {
      text: tool("").replace("a.yaml", "a.yaml, auth: { k: { apikey: x } }"),
      want: ["unknown_key 2:35"],
      hint: /`apiKey`/,
    },
  ],
  [
    "a header that may not be set",
    {
      text: tool("").replace("a.yaml", "a.yaml, headers: { AUTHORIZATION: x }"),
      want: ["bad_place 2:33"],
      message: /api\.auth/,
    },
  ],
  [
    "neither operation nor steps",
    { text: `${HEAD}tools:\n  list:\n    use: x\n`, want: ["missing_key 5:3"], message: /`steps`/ },
  ],
  ["operation and steps", { text: line7("steps: [{ id: a, operation: b }]"), want: ["conflicting_keys 7:5"] }],
  [
    "a step without an id",
    { text: `${HEAD}tools:\n  t:\n    steps:\n      - operation: a\n`, want: ["missing_key 7:9"], hint: /id: / },
  ],
  [
    "two steps of one id",
    {
      text: `${HEAD}tools:\n  t:\n    steps:\n      - { id: a, operation: x }\n      - { id: a, value: steps.a }\n`,
      want: ["duplicate_key 8:15"],
    },
  ],
  [
    "args beside steps",
    {
      text: `${HEAD}tools:\n  t:\n    steps: [{ id: a, operation: x }]\n    args: { q: 1 }\n`,
      want: ["conflicting_keys 7:5"],
    },
  ],
  ["a reserved input", { text: line7("input: { limit: {} }"), want: ["reserved_name 7:14"], hint: /args: \{ limit/ }],
  ["an input's name with a dot", { text: line7("input: { a.b: {} }"), want: ["bad_name 7:14"], hint: /`args`/ }],
  [
    "a default that is no time",
    {
      text: line7("input: { from: { type: date, default: a while ago } }"),
      want: ["bad_value 7:43"],
      hint: /30 days ago/,
    },
  ],
  ["bounds the wrong way round", { text: line7("input: { n: { minimum: 5, maximum: 2 } }"), want: ["bad_value 7:28"] }],
  [
    "a default limit over the greatest",
    { text: line7("result: { rows: a, limit: { default: 50, max: 20 } }"), want: ["bad_value 7:42"] },
  ],
  [
    "minor units without the unit",
    {
      text: line7("result: { rows: a, fields: { t: { path: t, as: minor } } }"),
      want: ["missing_key 7:34"],
      hint: /USD/,
    },
  ],
  ["value beside rows", { text: line7("result: { value: a, rows: b }"), want: ["conflicting_keys 7:25"] }],
  ["a doubled key", { text: line7("use: a\n    use: b"), want: ["duplicate_key 8:5"] }],
  [
    "a number beyond all exactness",
    { text: line7("args: { id: 12345678901234567890 }"), want: ["bad_value 7:17"], hint: /quotes/ },
  ],
  [
    "a bare expression that does not parse",
    { text: line7("result: { rows: 'items[' }"), want: ["bad_expression 7:21"] },
  ],
  [
    "an expression with a number",
    { text: line7("result: { rows: 'items[?a == 1]' }"), want: ["bad_expression 7:21"], hint: /backticks/ },
  ],
  [
    "a negation that reaches too little",
    { text: line7('args: { a: "${!input.x}" }'), want: ["bad_expression 7:16"], hint: /!\(input/ },
  ],
  [
    "a function that does not exist",
    { text: line7("result: { rows: lenght(a) }"), want: ["unknown_function 7:21"], hint: /`length`/ },
  ],
  [
    "a root that does not exist",
    { text: line7('args: { a: "${inputs.x}" }'), want: ["unknown_root 7:16"], hint: /`input`/ },
  ],
  [
    "a secret outside api and pins",
    { text: line7('args: { a: ["x", "${env.TOKEN}"] }'), want: ["forbidden_root 7:22"], hint: /pin/ },
  ],
  ["steps where there are none", { text: line7('args: { a: "${steps.x}" }'), want: ["forbidden_root 7:16"] }],
  [
    "an item without forEach",
    {
      text: `${HEAD}tools:\n  t:\n    steps:\n      - { id: a, operation: x, args: { q: "\${item.id}" } }\n`,
      want: ["forbidden_root 7:43"],
    },
  ],
  [
    "an expression that is never closed",
    { text: line7('args: { a: "${input.x" }'), want: ["bad_expression 7:16"], hint: /Close it/ },
  ],
  [
    "an expression in ${} where it stands bare",
    { text: line7('result: { rows: "${items}" }'), want: ["bad_expression 7:21"], hint: /leave out/ },
  ],
  [
    "a pin that reads an input",
    { text: `${tool("")}pins: { t: "\${input.t}" }\n`, want: ["forbidden_root 7:12"], hint: /env, key/ },
  ],
  ["a place that may not be set", { text: line7("args: { header.Content-Type: x }"), want: ["bad_place 7:13"] }],
  ["a place without a name", { text: line7("args: { query.: x }"), want: ["bad_place 7:13"], hint: /query\.id/ }],
  [
    "a dot where a slash belongs",
    { text: line7("args: { body.range.from: x }"), want: ["bad_place 7:13"], hint: /`body\/range/ },
  ],
  ["a bad escape in a place", { text: line7("args: { body/a~2: x }"), want: ["bad_place 7:13"], hint: /~1/ }],
  [
    "an unknown operator in a filter",
    {
      text: line7("filter: { dialect: odata, fields: { a: { ops: [eq, like] } } }"),
      want: ["bad_value 7:56"],
      hint: /not_in/,
    },
  ],
  [
    "a dialect that is none",
    { text: line7("filter: { dialect: odatta, to: query.f }"), want: ["bad_value 7:24"], hint: /`odata`/ },
  ],
  [
    "an error's code in capitals",
    { text: line7("errors: [{ error: UNKNOWN, recover: x }]"), want: ["bad_value 7:23"], hint: /snake_case/ },
  ],
  [
    "an error's code that is the program's own",
    { text: line7("errors: [{ error: internal, recover: x }]"), want: ["bad_value 7:23"], hint: /upstream means/ },
  ],
  [
    "an error's status out of range",
    { text: line7('errors: [{ status: "4xx", error: a, recover: x }]'), want: ["bad_value 7:24"], hint: /4XX/ },
  ],
  [
    "optional with another word",
    {
      text: `${HEAD}tools:\n  t:\n    steps:\n      - { id: a, operation: x, optional: maybe }\n`,
      want: ["wrong_type 7:42"],
    },
  ],
];

describe("a mistake is found with its code, its place and a way out", () => {
  test.each(cases)("%s", (_, { text, want, hint, message }) => {
    const { curation, problems } = loadCuration("demo.yaml", text);
    expect(problems.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(want);
    expect(curation?.leftOut).not.toEqual([]);
    for (const problem of problems) {
      expect(problem).toMatchObject({ file: "demo.yaml", severity: "error" });
      expect(problem.message).not.toMatch(/invalid input|expected |undefined|zod/i);
      expect(problem.message.endsWith(".")).toBe(true);
      expect(problem.hint).toBeTruthy();
    }
    if (hint !== undefined) expect(problems.map((problem) => problem.hint).join("\n")).toMatch(hint);
    if (message !== undefined) expect(problems.map((problem) => problem.message).join("\n")).toMatch(message);
  });
});

test("all mistakes of a file are told at once, in the order of the text", () => {
  const text = [
    "vitrine: 1",
    "api: { spec: a.yaml, timeout: soon }",
    "server: { name: demo, titel: Demo }",
    "tools:",
    "  list:",
    "    operation: listItems",
    '    args: { header.Host: x, q: "${nope.x}" }',
    "    result: { rows: 'a[', budget: big }",
    "",
  ].join("\n");
  const found = loadCuration("demo.yaml", text).problems.map(({ code, line }) => `${line} ${code}`);
  expect(found).toEqual([
    "2 bad_value",
    "3 unknown_key",
    "7 bad_place",
    "7 unknown_root",
    "8 bad_expression",
    "8 bad_value",
  ]);
});

test("what stands where credentials belong is never shown", () => {
  const secret = "sk-4242";
  const api = [
    `{ apiKey: [${secret}] }`,
    `{ apiKey: 4242 }`,
    `{ bearer: "${secret}\${env.A" }`,
    `{ basic: ${secret} }`,
    `{ apiKey: { value: x, in: ${secret}, name: y } }`,
  ];
  for (const entry of api) {
    const { problems } = loadCuration("demo.yaml", tool("").replace("a.yaml", `a.yaml, auth: { k: ${entry} }`));
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain("4242");
  }
});
