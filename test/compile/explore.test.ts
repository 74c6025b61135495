import { describe, expect, test } from "vitest";
import { openExplorer } from "../../src/compile/open-explorer.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { listedTool } from "../../src/model/listed-tool.ts";
import { measureList } from "../../src/surface/measure-cost.ts";
import { apiOfText, compileText, curationText, errorsOf } from "./compile-text.ts";

const TOOL = "list: {operation: listThings, use: Test.}";
const ok = "responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}";
const LIST =
  "{type: array, items: {type: object, properties: {id: {type: string}, owner: {type: object, properties: {login: {type: string}}}}}}";
const SPEC = `
components: {securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}}
security: [{k: []}]
paths:
  /things:
    get:
      operationId: listThings
      summary: List things
      description: All that there are
      parameters: [{name: page, in: query, schema: {type: integer}}, {name: per_page, in: query, schema: {type: integer, maximum: 100}}, {name: tenant, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: ${LIST}}}}}
    post: {operationId: addThing, ${ok}}
  /things/{id}:
    get:
      operationId: getThing
      description: "One thing.\\u200b <b>Bold</b> words."
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: id, in: query, schema: {type: string}}
        - {name: "filter[name]", in: query, schema: {type: string}}
        - {name: pageToken, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: created, in: query, schema: {anyOf: [{type: integer}, {type: object, properties: {gte: {type: integer}}}]}}
        - {name: X-Key, in: header, schema: {type: string}}
        - {name: Host, in: header, schema: {type: string}}
        - {name: X-HTTP-Method-Override, in: header, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: Tenant, in: header, schema: {type: string}}
      ${ok}
  /free: {get: {operationId: noTenant, ${ok}}}
  /broken: {get: {operationId: broken, parameters: [{$ref: '#/nowhere'}], ${ok}}}
  /needy: {get: {operationId: needsHost, parameters: [{name: Host, in: header, required: true, schema: {type: string}}, {name: tenant, in: query, schema: {type: string}}], ${ok}}}
  /twice: {get: {operationId: twice, ${ok}}, head: {operationId: twice, ${ok}}, trace: {operationId: trace, ${ok}}, delete: {operationId: drop, ${ok}}}
`;

async function explore({ pins, api = "" }: { pins?: string; api?: string } = {}) {
  const spec = await apiOfText(SPEC);
  const text = curationText(TOOL, { server: "explore: true, prefix: my_", api, ...(pins !== undefined && { pins }) });
  const { curation } = loadCuration("test.yaml", text);
  const explorer = openExplorer(curation!, spec);
  const find = (name: string) => explorer.operations.find((one) => one.name === name)!;
  const open = (name: string) => explorer.open(find(name));
  const inputs = (name: string) => Object.keys(open(name)?.toolset.tools[0]?.inputSchema.properties ?? {});
  return { explorer, find, open, inputs };
}

describe("the three tools", () => {
  test("stand beside the curation's own, read only, under its prefix, for at most 600 tokens", async () => {
    const compiled = compileText(await apiOfText(SPEC), curationText(TOOL, { server: "explore: true, prefix: my_" }));
    const tools = compiled.toolset?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual([
      "my_call_operation",
      "my_describe_operation",
      "my_list",
      "my_search_operations",
    ]);
    const three = tools.filter(({ plan }) => plan.kind === "explore");
    expect(three.every(({ annotations }) => annotations.readOnlyHint && !annotations.destructiveHint)).toBe(true);
    const { list } = await measureList(three.map((tool) => listedTool(tool, true)));
    expect(list.tokens).toBeLessThanOrEqual(600);
    expect(JSON.stringify(compiled.toolset)).toBe(JSON.stringify(JSON.parse(JSON.stringify(compiled.toolset))));
  });

  const mistakes: [title: string, spec: string, tools: string, want: string[]][] = [
    [
      "a tool that is called like one of them",
      SPEC,
      `${TOOL}\ncall_operation: {operation: listThings, use: Test.}`,
      ["name_clash"],
    ],
    [
      "an API that does not say where it is",
      `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${SPEC}`,
      "{}",
      ["base_url_needed"],
    ],
  ];
  test.each(mistakes)("%s is an error", async (_title, spec, tools, want) => {
    const text = curationText(tools, { server: "explore: true" });
    expect(errorsOf(compileText(await apiOfText(spec), text))).toEqual(want);
  });
});

describe("an operation", () => {
  test("is there when it only reads, under its operationId or, where that is not its own alone, its path", async () => {
    const { explorer } = await explore();
    const names = explorer.operations.map(({ name }) => name);
    expect(names).toEqual(["listThings", "getThing", "noTenant", "broken", "needsHost", "GET /twice", "HEAD /twice"]);
  });

  test("takes every place but credentials and headers of the connection, each under a name of its own", async () => {
    const { inputs } = await explore();
    const names = ["id", "query_id", "filter_name", "query_pageToken", "limit", "created", "X_Trace", "Tenant"];
    expect(inputs("getThing")).toEqual(names);
  });

  test("takes nothing that is pinned, in whatever place and letter case, and sends it", async () => {
    const { open, inputs } = await explore({ pins: "{tenant: t-1}" });
    expect(inputs("getThing")).not.toContain("Tenant");
    expect(inputs("listThings")).not.toContain("tenant");
    const plan = open("getThing")?.toolset.tools[0]?.plan;
    const pinned = plan?.kind === "call" ? plan.call.bindings.filter((one) => one.pinned) : [];
    expect(pinned.map(({ place }) => place)).toEqual([{ in: "header", name: "Tenant", pointer: [] }]);
  });

  const absent: [title: string, name: string, pins: string | undefined][] = [
    ["a pin has no place", "noTenant", "{tenant: t-1}"],
    ["the spec breaks it", "broken", undefined],
  ];
  test.each(absent)("is not there where %s", async (_title, name, pins) => {
    const { open } = await explore(pins === undefined ? {} : { pins });
    expect(open(name)).toBeUndefined();
  });

  test("is there where it needs a header that no caller may set, which is not sent", async () => {
    const { open, inputs } = await explore();
    expect(inputs("needsHost")).toEqual(["tenant"]);
    const plan = open("needsHost")?.toolset.tools[0]?.plan;
    expect(plan).toMatchObject({ kind: "call", call: { bindings: [{ place: { in: "query" } }] } });
  });

  test("is paged as the API's pages say, and its list has limit and pageToken in place of theirs", async () => {
    const { open, inputs } = await explore({ api: "pages: [{style: page, send: query.page, size: query.per_page}]" });
    expect(inputs("listThings")).toEqual(["tenant", "limit", "pageToken"]);
    const plan = open("listThings")?.toolset.tools[0]?.plan;
    expect(plan?.kind === "call" && plan.call.pages).toMatchObject({ style: "page", sizeMax: 100 });
  });

  test("is described in plain words and in outline", async () => {
    const { open, find } = await explore();
    expect(open("getThing")?.description).toBe("One thing. Bold words.");
    expect(open("listThings")?.description).toBe("List things. All that there are.");
    expect(find("getThing").summary).toBe("One thing. Bold words.");
    expect(open("listThings")?.returns).toBe("list of {id, owner {login}}");
    const created = open("getThing")?.toolset.tools[0]?.inputSchema.properties?.["created"];
    expect(created).toMatchObject({ type: "string", description: expect.stringContaining("JSON") });
  });
});
