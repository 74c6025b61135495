import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import type { Api } from "../../src/model/api.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { createRunner } from "../../src/run/run-tool.ts";
import { suggestNext } from "../../src/run/suggest/suggest-next.ts";
import { apiOfText, compileText, curationText, shown } from "../compile/compile-text.ts";
import { NOW, toolOf } from "./validate-fixture.ts";

// Suggestions (contract section 4), from the curation to the reply.

const THING =
  "{type: object, properties: {id: {type: string}, status: {type: string}, text: {type: string}, next: {type: string}}}";
const SPEC = `
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: ${THING}}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getThing
      parameters: [{name: part, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: ${THING}}}}}
    delete: {operationId: dropThing, responses: {'204': {description: gone}}}
`;
const GET =
  "get: {operation: getThing, use: One., input: {id: {}, part: {}}, result: {fields: {id: id, status: status}}}";
const DROP = "drop: {operation: dropThing, use: Drop., input: {id: {}}}";

let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const compile = (tools: string, options = {}) =>
  compileText(api, curationText(tools, { server: "writes: true, prefix: x_" }), options);

function toolsetOf(tools: string, options = {}): Toolset {
  const { toolset, problems } = compile(tools, options);
  if (toolset === undefined) throw new Error(shown(problems).join("; "));
  return toolset;
}

async function reply(toolset: Toolset, tool: string, args: JsonObject, body: Json | undefined): Promise<JsonObject> {
  const content = body === undefined ? "" : JSON.stringify(body);
  async function* chunks() {
    yield Buffer.from(content);
  }
  const headers = new Map([["content-type", "application/json"]]);
  const runner = createRunner(
    toolset,
    { env: {} },
    {
      egress: {
        request: async ({ url }) => ({ status: body === undefined ? 204 : 200, headers, body: chunks(), url }),
        close: async () => {},
      },
      authorize: openAuthorizer(),
      observe: () => {},
      report: (error) => {
        throw error;
      },
      now: () => NOW,
    },
  );
  const answer = await runner.call(tool, args, { key: {}, signal: new AbortController().signal });
  if (answer.isError) throw new Error(answer.text);
  expect(JSON.parse(answer.text)).toStrictEqual(answer.structured);
  expect(Object.keys(JSON.parse(answer.text))).toStrictEqual(Object.keys(answer.structured ?? {}));
  return answer.structured ?? {};
}

const list = (suggest: string, more = "") =>
  `list: {operation: listThings, use: All., input: {q: {}}, result: {rows: things, limit: {default: 5, max: 50}${more}}, suggest: [${suggest}]}`;
const SEE = '{tool: get, args: {id: "${item.id}", part: "${input.q}"}, why: see it whole}';

describe("the next calls of a list", () => {
  const thing = (id: string, status = "ok") => ({ id, status });
  const cases: readonly [
    what: string,
    suggest: string,
    args: JsonObject,
    rows: readonly Json[],
    want: Json | undefined,
  ][] = [
    [
      "hold the first row's values, the caller's own, and the name that callers see",
      SEE,
      { q: "long" },
      [thing("a"), thing("b")],
      [{ tool: "x_get", args: { id: "a", part: "long" }, why: "see it whole" }],
    ],
    [
      "leave out an argument without a value",
      SEE,
      {},
      [thing("a")],
      [{ tool: "x_get", args: { id: "a" }, why: "see it whole" }],
    ],
    ["are not there where there is no row to speak of", SEE, {}, [], undefined],
    ["are not there where a needed argument has no value", SEE, {}, [{ status: "ok" }], undefined],
    [
      "are those whose condition holds over the reply",
      `{tool: get, args: {id: "\${item.id}"}, when: "data[0].status == 'bad'", why: no}, {tool: drop, args: {id: "\${item.id}"}, when: "rowCount == \`1\` && !($.input.q)", why: yes}`,
      {},
      [thing("a")],
      [{ tool: "x_drop", args: { id: "a" }, why: "yes" }],
    ],
    [
      "are the first three",
      ["1", "2", "3", "4"].map((why) => `{tool: list, args: {q: "${why}"}, why: "${why}"}`).join(", "),
      {},
      [],
      ["1", "2", "3"].map((why) => ({ tool: "x_list", args: { q: why }, why })),
    ],
    [
      "never fail a reply",
      `{tool: get, args: {id: "\${item.id}"}, when: "starts_with(data[0].text, 'a')", why: no}, {tool: list, why: yes}`,
      {},
      [thing("a")],
      [{ tool: "x_list", args: {}, why: "yes" }],
    ],
  ];
  test.each(cases)("%s", async (_, suggest, args, rows, want) => {
    const told = await reply(toolsetOf(`${list(suggest)}\n${GET}\n${DROP}`), "x_list", args, { things: rows });
    expect(told["next"]).toStrictEqual(want);
    const keys = Object.keys(told);
    expect(keys.at(-1)).toBe("data");
    if (want !== undefined) expect(keys.at(-2)).toBe("next");
  });

  test("lead to no tool that this caller may not see", async () => {
    const tools = `${list(`{tool: drop, args: {id: "\${item.id}"}, why: drop it}, {tool: get, args: {id: "\${item.id}"}, why: Look. Not with \`drop\`.}`)}\n${GET}\n${DROP}`;
    const told = await reply(toolsetOf(tools, { readOnly: true }), "x_list", {}, { things: [thing("a")] });
    expect(told["next"]).toStrictEqual([{ tool: "x_get", args: { id: "a" }, why: "Look." }]);
  });

  test("stand in the output schema where they stand in the reply", () => {
    const { tools } = toolsetOf(`${list(SEE)}\n${GET}`);
    const properties = tools.find(({ name }) => name === "x_list")?.outputSchema?.properties ?? {};
    expect(Object.keys(properties).slice(-2)).toStrictEqual(["next", "data"]);
  });

  test("count in the budget, and never cost the list more than a third of it", async () => {
    const why = "w".repeat(150);
    const suggest = `{tool: get, args: {id: "\${item.id}"}, why: ${why}}, {tool: list, args: {q: "\${input.q}"}, why: ${why}}`;
    const toolset = toolsetOf(`${list(suggest, ", budget: 1500")}\n${GET}`);
    const row = fc.record({ id: fc.string({ minLength: 1, maxLength: 40 }), text: fc.string({ maxLength: 400 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 9 }),
        fc.string({ maxLength: 300 }),
        async (things, q) => {
          const told = await reply(toolset, "x_list", { q }, { things });
          expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThanOrEqual(1500);
          expect(Buffer.byteLength(JSON.stringify(told["next"] ?? []))).toBeLessThanOrEqual(500);
          expect((told["data"] as Json[]).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the next calls of another reply", () => {
  const one = (more: string) => `get: {operation: getThing, use: One., input: {id: {}}, ${more}}\n${DROP}`;
  const NEXT = `suggest: [{tool: drop, args: {id: "\${input.id}"}, when: "status == 'old'", why: it is old}]`;

  test("stand before what was asked for, and read the reply", async () => {
    const toolset = toolsetOf(one(`result: {fields: {id: id, status: status}}, ${NEXT}`));
    const next = [{ tool: "x_drop", args: { id: "a" }, why: "it is old" }];
    const told = await reply(toolset, "x_get", { id: "a" }, { id: "a", status: "old", text: "t" });
    expect(JSON.stringify(told)).toBe(JSON.stringify({ next, id: "a", status: "old" }));
    expect(await reply(toolset, "x_get", { id: "a" }, { id: "a", status: "new" })).toStrictEqual({
      id: "a",
      status: "new",
    });
  });

  test("stand behind what was left out", async () => {
    const toolset = toolsetOf(one(`result: {fields: {status: status, text: {path: text, clip: 5}}}, ${NEXT}`));
    const told = await reply(toolset, "x_get", { id: "a" }, { status: "old", text: "long text" });
    expect(Object.keys(told)).toStrictEqual(["omitted", "next", "status", "text"]);
  });

  test("follow on a write whose answer is empty", async () => {
    const drop = `drop: {operation: dropThing, use: Drop., input: {id: {}}, suggest: [{tool: list, why: see what is left}]}`;
    const told = await reply(toolsetOf(`${drop}\n${list(SEE)}\n${GET}`), "x_drop", { id: "a" }, undefined);
    expect(told).toStrictEqual({ next: [{ tool: "x_list", args: {}, why: "see what is left" }], done: true });
  });

  test("read what steps gave", async () => {
    const flow = `flow: {use: Both., input: {id: {}}, steps: [{id: thing, operation: getThing, args: {id: "\${input.id}"}}], result: {value: {id: steps.thing.id}}, suggest: [{tool: list, args: {q: "\${steps.thing.status}"}, when: id, why: alike}]}`;
    const told = await reply(
      toolsetOf(`${flow}\n${list(SEE)}\n${GET}`),
      "x_flow",
      { id: "a" },
      { id: "a", status: "old" },
    );
    expect(told).toStrictEqual({ next: [{ tool: "x_list", args: { q: "old" }, why: "alike" }], id: "a" });
  });

  test("leave an upstream's own `next` alone", () => {
    const shape = { kind: "object", budget: 1_000 } as const;
    const suggest = [{ tool: "a", args: [], why: "x" }];
    const toolset = { tools: [{ ...toolOf([], shape), name: "a" }] };
    const made = (structured: JsonObject) =>
      suggestNext(shape, { tool: { suggest }, toolset, roots: { input: {}, pins: {} } }, () => ({ structured }));
    expect(made({ next: "old" }).structured).toStrictEqual({ next: "old" });
    expect(made({ more: "old" }).structured).toStrictEqual({ next: [{ tool: "a", args: {}, why: "x" }], more: "old" });
  });
});

describe("what is wrong with a suggestion is found at its line", () => {
  const mistakes: readonly [what: string, suggest: string, want: RegExp][] = [
    ["a tool that there is not", "{tool: gett, why: x}", /unknown_tool_name: .*`gett`/],
    ["an argument that the tool has not", "{tool: get, args: {ids: 1}, why: x}", /unknown_input: .*`ids`/],
    ["a column that a row has not", '{tool: get, args: {id: "${item.ids}"}, why: x}', /path_not_in_spec: .*"ids"/],
    ["a key that the reply has not", "{tool: get, when: things, why: x}", /path_not_in_spec: .*"things"/],
    ["an input that the tool has not", '{tool: get, args: {id: "${input.id}"}, why: x}', /unknown_input: .*"id"/],
    ["a misspelt tool in its reason", "{tool: get, why: before `x_drpp`}", /unknown_tool_name: .*`x_drpp`/],
  ];
  test.each(mistakes)("%s", (_, suggest, want) => {
    const { problems } = compile(`${list(suggest)}\n${GET}\n${DROP}`);
    expect(shown(problems.filter(({ severity }) => severity === "error"))).toStrictEqual([expect.stringMatching(want)]);
  });

  test("a reply that has a `next` of its own", () => {
    const tools = `get: {operation: getThing, use: One., input: {id: {}}, suggest: [{tool: drop, why: x}]}\n${DROP}`;
    const codes = compile(tools)
      .problems.filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
    expect(codes).toStrictEqual(["reserved_name"]);
  });
});
