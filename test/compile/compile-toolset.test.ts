import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadApi } from "../../src/spec/load-api.ts";
import { compileText, compileTools, errorsOf, shown } from "./compile-text.ts";

const ROOT = join(import.meta.dirname, "../..");
const SPEC = `
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: limit, in: query, schema: {type: integer}}, {name: q, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}
    post:
      operationId: addThing
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: ok, content: {text/csv: {}, application/vnd.thing+json: {}}}}
  /broken: {get: {operationId: broken, parameters: [{$ref: '#/components/parameters/none'}], responses: {'200': {description: ok}}}}
  /halfBroken: {post: {operationId: halfBroken, requestBody: {content: {application/json: {schema: {type: object, properties: {x: {$ref: '#/components/schemas/None'}}}}}}, responses: {'200': {description: ok}}}}
  /twice: {get: {operationId: twice, responses: {}}, put: {operationId: twice, responses: {}}}
`;

describe("what this version does not build is refused at its line", () => {
  test("the contract's sample of a ledger compiles", async () => {
    const text = readFileSync(join(ROOT, "test/fixtures/contract/ledger.yaml"), "utf8");
    const { problems, toolset } = compileText(await loadApi(join(ROOT, "specs/ledger.yaml"), {}), text);
    expect(problems.filter(({ severity }) => severity !== "note")).toStrictEqual([]);
    expect(toolset).toBeDefined();
  });

  const keys: readonly [what: string, tool: string, server: string, want: readonly string[]][] = [
    ["nothing of waivers, which `check` reads", "operation: listThings, lint: {x: y}", "lint: {x: y}", []],
    ["nothing of explore, which is built", "operation: listThings", "explore: true", []],
    [
      "nothing, where the keys say what is done anyway",
      "operation: listThings",
      "explore: false, descriptions: full, expose: flat",
      [],
    ],
  ];
  test.each(keys)("%s", async (_what, tool, server, want) => {
    expect(errorsOf(await compileTools(SPEC, `test: {${tool}, use: Test.}`, { server }))).toStrictEqual(want);
  });
});

describe("operations", () => {
  const mistakes: readonly [title: string, operation: string, want: string][] = [
    [
      "an unknown operationId",
      "listThing",
      'unknown_operation: The spec has no operation `listThing`. Did you mean "listThings"?',
    ],
    [
      "an unknown path",
      '"GET /thing"',
      'unknown_operation: The spec has no operation `GET /thing`. Did you mean "GET /things"?',
    ],
    [
      "an operationId of two operations",
      "twice",
      'ambiguous_operation: `twice` is an ambiguous operationId: 2 operations have it. Write "GET /twice" or "PUT /twice".',
    ],
  ];
  test.each(mistakes)("%s", async (_title, operation, want) => {
    const { problems } = await compileTools(SPEC, `test: {operation: ${operation}, use: Test.}`);
    expect(
      shown(problems).some((line) => line.includes(want)),
      shown(problems).join("\n"),
    ).toBe(true);
  });

  test("method and path in any letter case name one as well", async () => {
    const { toolset } = await compileTools(SPEC, "test: {operation: get /things, use: Test.}");
    expect(toolset?.operations[0]?.id).toBe("listThings");
  });

  test("one that is broken in the spec costs its own tool only", async () => {
    const tools =
      "good: {operation: listThings, use: Test.}\nbad: {operation: broken, use: Test.}\nhalf: {operation: halfBroken, effect: read, use: Test., input: {x: {}}}";
    const { problems, toolset } = await compileTools(SPEC, tools);
    expect(
      problems.filter(({ severity }) => severity === "error").map(({ code, line }) => `${line} ${code}`),
    ).toStrictEqual(["6 spec_fault", "7 spec_fault"]);
    expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(["good"]);
  });

  test("each is kept once, with the parameters of all its tools", async () => {
    const tools =
      "all_things: {operation: listThings, use: Test.}\nfind_things: {operation: listThings, use: Test., input: {q: {}}}\nsome_things: {operation: listThings, use: Test., args: {limit: 5}}";
    const { toolset } = await compileTools(SPEC, tools);
    expect(toolset?.operations.map(({ parameters }) => parameters.map(({ name }) => name))).toStrictEqual([
      ["limit", "q"],
    ]);
    expect(toolset?.tools.map(({ plan }) => plan.kind === "call" && plan.call.operation)).toStrictEqual([0, 0, 0]);
  });

  test("another way of sending one is another plan", async () => {
    const tools =
      "as_json: {operation: listThings, use: Test.}\nas_csv: {operation: listThings, use: Test., accept: text/csv}";
    const { toolset } = await compileTools(SPEC, tools);
    expect(toolset?.operations.map(({ accept }) => accept)).toStrictEqual(["text/csv", "application/json"]);
  });

  test("JSON is asked for before what else a success may be", async () => {
    const { toolset } = await compileTools(SPEC, "test: {operation: addThing, use: Test.}", { server: "writes: true" });
    expect(toolset?.operations[0]?.accept).toBe("application/vnd.thing+json");
  });
});

describe("writes", () => {
  const tools = "add_thing: {operation: addThing, use: Test.}\nlist_things: {operation: listThings, use: Test.}";
  test("are an error unless the server allows them", async () => {
    expect(errorsOf(await compileTools(SPEC, tools))).toStrictEqual(["write_not_allowed"]);
    expect(errorsOf(await compileTools(SPEC, tools, { server: "writes: true" }))).toStrictEqual([]);
  });

  test("a declared read is none, and a declared write is one", async () => {
    const declare = (operation: string, effect: string) =>
      compileTools(SPEC, `test: {operation: ${operation}, effect: ${effect}, use: Test.}`);
    const read = await declare("addThing", "read");
    expect(read.toolset?.operations[0]?.safe).toBe(true);
    expect(errorsOf(await declare("listThings", "write"))).toStrictEqual(["write_not_allowed"]);
  });

  test("are left out where only reads are wanted, whatever the file says", async () => {
    for (const server of ["", "writes: true"]) {
      const { toolset, problems } = await compileTools(SPEC, tools, { server, options: { readOnly: true } });
      expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(["list_things"]);
      expect(toolset?.operations.map(({ method }) => method)).toStrictEqual(["GET"]);
      expect(problems).toStrictEqual([]);
    }
  });
});

describe("names", () => {
  const cases: readonly [title: string, tools: string, server: string, want: readonly string[] | string][] = [
    [
      "the prefix and a separator",
      "billing.list: {operation: listThings, use: Test.}",
      "prefix: my_",
      ["my_billing_list"],
    ],
    [
      "a separator of one's own",
      "billing.list: {operation: listThings, use: Test.}",
      "expose: {as: flat, separator: __}",
      ["billing__list"],
    ],
    [
      "sorted by code units",
      "b_tool: {operation: listThings, use: Test.}\na_tool: {operation: listThings, use: Test.}\na2_tool: {operation: listThings, use: Test.}",
      "",
      ["a2_tool", "a_tool", "b_tool"],
    ],
    [
      "too long with the prefix",
      `${"a".repeat(36)}: {operation: listThings, use: Test.}`,
      "prefix: prefix_",
      `5 name_invalid: Callers would see \`prefix_${"a".repeat(36)}\` (43 characters), which not every client takes. 3 to 40 characters of a-z, 0-9 and _, a letter first, the prefix \`prefix_\` included.`,
    ],
    [
      "with letters that not every client takes",
      "List: {operation: listThings, use: Test.}",
      "",
      "5 name_invalid: Callers would see `List` (4 characters), which not every client takes. 3 to 40 characters of a-z, 0-9 and _, a letter first.",
    ],
    [
      "two that become one",
      "a.b: {operation: listThings, use: Test.}\na_b: {operation: listThings, use: Test.}",
      "",
      "6 name_clash: Callers would see `a_b` for `a.b` and `a_b`. Rename one of the two.",
    ],
  ];
  test.each(cases)("%s", async (_title, tools, server, want) => {
    const { problems, toolset } = await compileTools(SPEC, tools, { server });
    if (typeof want === "string") expect(shown(problems)).toStrictEqual([want]);
    else expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(want);
  });
});

test("limit is an input where the result has one, and may be sent on", async () => {
  const tools =
    "list_things: {operation: listThings, use: Test., args: {limit: '${input.limit}'}, result: {rows: things, limit: {default: 20, max: 50}}}";
  const { toolset } = await compileTools(SPEC, tools);
  expect(toolset?.tools[0]?.inputSchema.properties).toStrictEqual({
    limit: {
      type: "integer",
      description: "The most rows to return. 1 to 50. Default: 20.",
      minimum: 1,
      maximum: 50,
      default: 20,
    },
    pageToken: { type: "string", description: "nextPageToken of the reply before, with the same other arguments." },
  });
});

test("every finding comes at once, in the order of the file", async () => {
  const tools =
    "one: {operation: listThing, use: Test.}\ntwo: {operation: listThings, use: Test., input: {x: {}}}\nthree: {operation: addThing, use: Test.}";
  const { problems } = await compileTools(SPEC, tools, { api: "auth: {nobody: {bearer: x}}" });
  expect(problems.map(({ line, code }) => `${line} ${code}`)).toStrictEqual([
    "2 unknown_scheme",
    "5 unknown_operation",
    "6 unknown_place",
    "7 write_not_allowed",
  ]);
  expect(problems.every(({ hint, column, file }) => hint !== undefined && column > 0 && file === "test.yaml")).toBe(
    true,
  );
});

describe("the toolset", () => {
  const FILES = [
    ["powerdns", "specs/powerdns.yaml"],
    ["stripe", "specs/stripe.json"],
    ["ledger", "specs/ledger.yaml"],
  ] as const;
  test.each(FILES)("of %s is plain data, and the same whenever it is made", async (name, spec) => {
    const text = readFileSync(join(ROOT, `curation/${name}.yaml`), "utf8");
    const make = async () => compileText(await loadApi(join(ROOT, spec), {}), text);
    const [first, second] = [await make(), await make()];
    expect(shown(first.problems.filter(({ severity }) => severity === "error"))).toStrictEqual([]);
    expect(first.toolset?.tools.length).toBeGreaterThan(2);
    expect(JSON.parse(JSON.stringify(first.toolset))).toStrictEqual(first.toolset);
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });
});
