import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../../src/model/api.ts";
import { callsOf } from "../../src/model/map-calls.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { apiOfText, compileText, curationText, errorsOf, toolOf } from "./compile-text.ts";
import { portableFaults } from "./portable-faults.ts";

const SPEC = `
paths:
  /things:
    get:
      operationId: listThings
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, key: {type: string}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {note: {type: integer}, confirmation: {type: boolean}, id: {type: string}}}}}}}
  /keyed:
    post:
      operationId: keyed
      parameters: [{name: Idempotency-Key, in: header, required: true, schema: {type: string}}]
      responses: {'204': {description: done}}
`;

let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const compile = (tools: string, more: { api?: string; readOnly?: boolean } = {}) =>
  compileText(api, curationText(tools, { server: "writes: true", ...(more.api && { api: more.api }) }), {
    readOnly: more.readOnly ?? false,
  });
const ADD = "operation: addThing, use: Add one., input: {name: {}}";

describe("a tool that asks first", () => {
  test("has the built-in input `confirm`, behind the author's own, and needs none", () => {
    const { inputSchema, confirm } = toolOf(compile(`add: {${ADD}, confirm: "Add \${input.name}?"}`));
    expect(Object.keys(inputSchema.properties ?? {})).toStrictEqual(["name", "confirm"]);
    expect(inputSchema.required).toStrictEqual(["name"]);
    expect(portableFaults(inputSchema)).toStrictEqual([]);
    expect(confirm).toStrictEqual({
      text: { kind: "text", parts: ["Add ", { jmespath: "input.name" }, "?"] },
      human: false,
    });
  });

  test("sends an input to the place of its own name, though the question names it too", () => {
    const [call] = callsOf(toolOf(compile(`add: {${ADD}, confirm: "Add \${input.name}?"}`)));
    expect(call?.bindings).toMatchObject([{ place: { in: "body", pointer: ["name"] } }]);
  });

  test("has no such input where only a person's yes counts", () => {
    const { inputSchema, confirm } = toolOf(compile(`add: {${ADD}, confirm: {text: Sure?, human: true}}`));
    expect([Object.keys(inputSchema.properties ?? {}), confirm?.human]).toStrictEqual([["name"], true]);
  });

  test("announces a reply that holds the question, whatever names the upstream uses itself", () => {
    const plain = toolOf(compile(`add: {${ADD}}`)).outputSchema?.properties;
    const { outputSchema } = toolOf(compile(`add: {${ADD}, confirm: Sure?}`));
    expect(outputSchema?.properties).toStrictEqual({ ...plain, note: {}, confirmation: {} });
    expect(outputSchema?.required).toBeUndefined();
  });

  test("leaves `note` a text beside the keys of a list, which are all ours", () => {
    const tool =
      "find: {operation: addThing, use: Find., input: {name: {}}, unchecked: true, confirm: Sure?, result: {rows: things, fields: {id: id}}}";
    expect(toolOf(compile(tool)).outputSchema?.properties).toMatchObject({
      note: { type: "string" },
      confirmation: {},
    });
  });
});

describe("left out of a server that only reads", () => {
  const flow =
    "flow: {use: Flow., input: {name: {}}, steps: [{id: a, operation: listThings}, {id: b, operation: addThing}], result: {value: {a: steps.a}}}";
  const tools = [
    "list: {operation: listThings, use: List., next: {add: to add one}}",
    `add: {${ADD}}`,
    `asked: {${ADD}, confirm: Sure?}`,
    flow,
    "declared: {operation: listThings, use: List., effect: write}",
    "reads: {operation: addThing, use: Search., effect: read, input: {name: {}}}",
  ].join("\n");

  test("is every tool that writes, whatever the file says, and nothing names it", () => {
    const { toolset } = compile(tools, { readOnly: true });
    expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(["list", "reads"]);
    expect(toolset?.operations.map(({ key, safe }) => [key, safe])).toStrictEqual([
      ["GET /things", true],
      ["POST /things", true],
    ]);
    expect(JSON.stringify(toolset)).not.toMatch(/`add`|flow|asked|declared/);
    expect(compile(tools).toolset?.tools).toHaveLength(6);
  });
});

describe("the place of the idempotency key", () => {
  const keyOf = (key: string, tool: string) => {
    const result = compile(`test: {use: Test., ${tool}}`, { api: `idempotencyKey: ${key}` });
    return [
      callsOf(toolOf(result)).map(({ idempotencyKey }) => idempotencyKey?.place),
      result.problems.map(({ code }) => code),
    ];
  };
  const HEADER = { in: "header", name: "Idempotency-Key", pointer: [] };
  const add = "operation: addThing, input: {name: {}}";

  test.each<[what: string, key: string, tool: string, want: unknown]>([
    ["a header that the spec does not name", "header.Idempotency-Key", add, [[HEADER], []]],
    ["a header that it asks for", "header.idempotency-key", "operation: keyed", [[HEADER], []]],
    ["a property of the body", "body/key", add, [[{ in: "body", pointer: ["key"] }], []]],
    ["a place that the operation lacks", "query.key", add, [[undefined], ["key_unplaced"]]],
    ["a read", "header.Idempotency-Key", "operation: listThings", [[undefined], []]],
    ["a POST that only reads", "header.Idempotency-Key", `${add}, effect: read`, [[undefined], ["declared_safer"]]],
    [
      "what the tool fills itself",
      "body/key",
      `${add}, args: {body/key: "\${input.name}", body/name: x}`,
      [[undefined], []],
    ],
    [
      "what the tool leaves empty",
      "body/key",
      `${add}, args: {body/key: null}`,
      [[{ in: "body", pointer: ["key"] }], []],
    ],
    [
      "each write among steps",
      "header.Idempotency-Key",
      "input: {name: {}}, steps: [{id: a, operation: listThings}, {id: b, operation: addThing}, {id: c, operation: keyed}], result: {value: {a: steps.b}}",
      [[undefined, HEADER, HEADER], []],
    ],
  ])("%s", (_, key, tool, want) => {
    expect(keyOf(key, tool)).toStrictEqual(want);
  });

  test("a header that the upstream requires is an error without it", () => {
    expect(errorsOf(compile("test: {use: Test., operation: keyed}"))).toStrictEqual(["required_unfilled"]);
  });
});

describe("the shipped curation that writes", () => {
  const file = join(import.meta.dirname, "../../curation/powerdns-write.yaml");

  test("compiles, asks before every write, and only reads where it must", async () => {
    const real = await loadApi(join(import.meta.dirname, "../../specs/powerdns.yaml"), {});
    const text = readFileSync(file, "utf8");
    const { toolset, problems } = compileText(real, text);
    expect(problems.filter(({ severity }) => severity !== "note")).toStrictEqual([]);
    const writing = toolset?.tools.filter(({ annotations }) => !annotations.readOnlyHint) ?? [];
    expect(writing.map(({ name, confirm }) => [name, confirm?.human])).toStrictEqual([
      ["dns_point_name", false],
      ["dns_remove_addresses", true],
    ]);
    expect(compileText(real, text, { readOnly: true }).toolset?.tools.map(({ name }) => name)).toStrictEqual([
      "dns_list_records",
      "dns_list_zones",
    ]);
  });
});
