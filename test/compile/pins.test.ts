import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeText } from "../../src/model/place.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { apiOfText, compileText, compileTools, curationText, errorsOf, shown, toolOf } from "./compile-text.ts";

const SPEC = `
paths:
  /tenants/{tenantID}/costs:
    get:
      operationId: costs
      parameters:
        - {name: tenantID, in: path, required: true, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
      responses: {'200': {description: ok}}
  /query:
    post:
      operationId: query
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Query'}}}}
      responses: {'200': {description: ok}}
  /projects/{projectId}:
    get:
      operationId: project
      parameters: [{name: projectId, in: path, required: true, schema: {type: string}}, {name: tenantid, in: query, schema: {type: string}}]
      responses: {'200': {description: ok}}
  /nested:
    post:
      operationId: nested
      requestBody: {content: {application/json: {schema: {type: object, properties: {filter: {type: object, properties: {tenantID: {type: string}, a: {type: string}}}}}}}}
      responses: {'200': {description: ok}}
  /listed:
    post:
      operationId: listed
      requestBody: {content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {tenantID: {type: string}}}}}}}}}
      responses: {'200': {description: ok}}
  /public:
    get: {operationId: open, parameters: [{name: q, in: query, schema: {type: string}}], responses: {'200': {description: ok}}}
components:
  schemas:
    Query:
      type: object
      required: [tenantID, scope]
      properties:
        tenantID: {type: string}
        scope: {type: object, required: [tenantID], properties: {tenantID: {type: string}, from: {type: string}}}
        compare: {type: object, properties: {tenantID: {type: string}, to: {type: string}}}
        items: {type: array, items: {type: object, required: [tenantID], properties: {tenantID: {type: string}, n: {type: integer}}}}
        self: {$ref: '#/components/schemas/Query'}
`;

const tool = (operation: string, more = "input: {}") =>
  `test: {operation: ${operation}, effect: read, use: Test., ${more}}`;
const compilePinned = (tools: string, pins = "{tenantID: '${key.tenantID}'}") => compileTools(SPEC, tools, { pins });

function pinnedPlaces(toolset: Toolset | undefined): string[] {
  const one = toolset?.tools.find(({ name }) => name === "test");
  if (one?.plan.kind !== "call") return [];
  return one.plan.call.bindings
    .filter(({ pinned }) => pinned)
    .map(({ place, whereSent }) => `${placeText(place)}${whereSent ? "?" : ""}`);
}

describe("a pin goes to every place of its name", () => {
  const cases: readonly [title: string, operation: string, want: readonly string[]][] = [
    ["a parameter", "costs", ["path.tenantID"]],
    ["in any letter case", "project", ["query.tenantid"]],
    [
      "at any depth of a body: always where the objects around it are needed, else where they are sent",
      "query",
      ["body/tenantID", "body/scope/tenantID", "body/compare/tenantID?", "body/items/-/tenantID?"],
    ],
    ["the outermost is always sent where all are optional", "nested", ["body/filter/tenantID"]],
  ];
  test.each(cases)("%s", async (_title, operation, want) => {
    const input = operation === "project" ? "input: {projectId: {}}" : "input: {}";
    const { toolset, problems } = await compilePinned(tool(operation, input));
    expect(shown(problems.filter(({ severity }) => severity === "error"))).toStrictEqual([]);
    expect(pinnedPlaces(toolset)).toStrictEqual(want);
  });

  test("and to the places that the curation names, where an operation has them", async () => {
    const { toolset } = await compilePinned(
      tool("project"),
      "{team: {value: x, places: [path.projectId, query.tenantid]}}",
    );
    expect(pinnedPlaces(toolset)).toStrictEqual(["path.projectId", "query.tenantid"]);
  });

  test("last of all bindings", async () => {
    const { toolset } = await compilePinned(tool("costs", "input: {q: {}}"));
    const { plan } = toolOf({ problems: [], toolset: toolset! }, "test");
    expect(plan.kind === "call" && plan.call.bindings.map(({ pinned }) => pinned)).toStrictEqual([false, true]);
  });

  test("no caller sees it inside a value", async () => {
    const { toolset } = await compilePinned(tool("query", "input: {all: {}}, args: {body: '${input.all}'}"));
    const text = JSON.stringify(toolset?.tools.find(({ name }) => name === "test")?.inputSchema);
    expect(text).toContain('"compare"');
    expect(text).not.toContain("tenantID");
  });
});

describe("mistakes", () => {
  const mistakes: readonly [title: string, tools: string, pins: string | undefined, want: string][] = [
    [
      "an operation without a place for it",
      tool("open"),
      undefined,
      "6 pin_unreached: `open` has no place for the pin `tenantID`. Name its place under `pins.tenantID.places`, or say why not: `unpinned: {tenantID: …}`.",
    ],
    [
      "a place in a list only",
      tool("listed", "input: {items: {}}"),
      undefined,
      "6 pin_unreached: `listed` has no place for the pin `tenantID`. Name its place under `pins.tenantID.places`, or say why not: `unpinned: {tenantID: …}`.",
    ],
    [
      "an input of its name",
      tool("costs", "input: {tenantID: {}}"),
      undefined,
      "6 pinned_place: `tenantID` is pinned, so no caller sets it. Take the input out, or call it otherwise.",
    ],
    [
      "an argument at its place",
      tool("costs", "args: {path.tenantID: x}"),
      undefined,
      "6 pinned_place: `path.tenantID` is a place of the pin `tenantID`, which wins over everything. Leave it out.",
    ],
    [
      "an argument at its place, in another letter case",
      tool("query", "args: {body/scope/TENANTID: x}, unchecked: true"),
      undefined,
      "6 pinned_place: `body/scope/TENANTID` is a place of the pin `tenantID`, which wins over everything. Leave it out.",
    ],
    [
      "an argument at a further place of it",
      tool("project", "args: {projectId: x}"),
      "{team: {value: x, places: [path.projectId]}}",
      "6 pinned_place: `projectId` is a place of the pin `team`, which wins over everything. Leave it out.",
    ],
    [
      "a further place that no operation has",
      tool("costs"),
      "{tenantID: {value: x, places: [query.tenant]}}",
      "4 unknown_place: No tool's operation has `query.tenant`. ",
    ],
    [
      "a reason for a pin that is none",
      tool("costs", "unpinned: {tenant: no}"),
      undefined,
      '6 unknown_pin: There is no pin `tenant`. Did you mean "tenantID"?',
    ],
    [
      "a tool of the name that vitrine gives",
      "describe_access: {operation: costs, use: Test.}",
      undefined,
      "6 name_clash: Every server with pins has a tool `describe_access` of its own. Call yours otherwise.",
    ],
  ];
  test.each(mistakes)("%s", async (_title, tools, pins, want) => {
    const { problems } = await compilePinned(tools, pins);
    const errors = shown(problems.filter(({ severity }) => severity === "error"));
    expect(
      errors.some((line) => line.startsWith(want)),
      errors.join("\n"),
    ).toBe(true);
  });

  test("a tool may go without a pin for a reason, and that is said", async () => {
    const { problems, toolset } = await compilePinned(tool("open", "unpinned: {tenantID: The list is public.}"));
    expect(toolset).toBeDefined();
    expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toContain("note unpinned");
  });
});

describe("describe_access", () => {
  test("stands in every server with pins, and sends nothing", async () => {
    const result = await compilePinned(tool("costs"));
    const access = toolOf(result, "describe_access");
    expect(access.plan).toStrictEqual({ kind: "access" });
    expect(access.inputSchema).toStrictEqual({ type: "object", properties: {} });
    expect(access.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(JSON.stringify(access.shape)).toContain('$.pins.\\"tenantID\\"');
  });

  test("and in no other", async () => {
    const { toolset } = await compileTools(SPEC, tool("open"));
    expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(["test"]);
  });

  test("has the prefix", async () => {
    const { toolset } = await compileTools(SPEC, tool("costs"), { pins: "{tenantID: x}", server: "prefix: my_" });
    expect(toolset?.tools.map(({ name }) => name)).toStrictEqual(["my_describe_access", "my_test"]);
  });
});

describe("the proof", () => {
  const property = fc.oneof(fc.constant("tenantID"), fc.constant("TenantId"), fc.stringMatching(/^[a-z]{1,3}$/));
  const body: fc.Arbitrary<object> = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom({ type: "string" }, { type: "integer" }),
      fc
        .record({ properties: fc.dictionary(property, tie("schema"), { maxKeys: 4 }), all: fc.boolean() })
        .map(({ properties, all }) => ({
          type: "object",
          properties,
          ...(all && { required: Object.keys(properties) }),
        })),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    ),
  })).schema;

  test("whatever the body is, a tool that compiles carries the pin in every request, and no caller can set it", async () => {
    const toolOfInput = (entry: string) =>
      curationText(tool("run", `unchecked: true, input: {all: ${entry}}, args: {body: '\${input.all}'}`), {
        pins: "{tenantID: x}",
      });
    const outcomes = { carried: 0, refused: 0, seen: 0 };
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (schema, required) => {
        const requestBody = { required, content: { "application/json": { schema } } };
        const operation = { operationId: "run", requestBody, responses: { 200: { description: "ok" } } };
        const api = await apiOfText(`paths: ${JSON.stringify({ "/run": { post: operation } })}`);
        const result = compileText(api, toolOfInput("{type: json}"));
        if (result.toolset === undefined) {
          outcomes.refused += 1;
          expect(errorsOf(result)).toStrictEqual(["pin_unreached"]);
        } else {
          outcomes.carried += 1;
          expect(pinnedPlaces(result.toolset).some((place) => !place.endsWith("?"))).toBe(true);
        }
        // With the body's own type, where it is one.
        const typed = compileText(api, toolOfInput("{}")).toolset?.tools.find(({ name }) => name === "test");
        const advertised = JSON.stringify(typed?.inputSchema.properties?.all ?? {});
        if (advertised.includes('"properties":{"')) outcomes.seen += 1;
        expect(advertised.toLowerCase()).not.toContain('"tenantid"');
      }),
      { numRuns: 150 },
    );
    expect(
      Object.values(outcomes).every((count) => count > 5),
      JSON.stringify(outcomes),
    ).toBe(true);
  });
});
