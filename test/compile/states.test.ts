import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../../src/model/api.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { apiOfText, compileText, curationText, shown } from "./compile-text.ts";

// States (contract section 1): how they are asked for, and what may be said of them.

const SPEC = `
paths:
  /door:
    parameters: [{name: org, in: query, required: true, schema: {type: string}}]
    get:
      operationId: getDoor
      parameters: [{name: floor, in: query, schema: {type: integer}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}}
    post: {operationId: askDoor, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}}}
  /house: {get: {operationId: getHouse, responses: {'200': {description: ok}}}}
  /broken: {get: {operationId: getBroken, parameters: [{name: org, in: query, schema: {$ref: '#/components/schemas/None'}}], responses: {'200': {description: ok}}}}
`;

let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const TOOL = "enter: {operation: getDoor, use: Enter., states: [open]}";
function compile(states: string, tools = TOOL) {
  const text = `${curationText(tools, { pins: '{org: "${key.org}"}' })}states: ${states}\n`;
  return compileText(api, text);
}
function toolsetOf(states: string, tools?: string): Toolset {
  const { toolset, problems } = compile(states, tools);
  if (toolset === undefined) throw new Error(shown(problems).join("; "));
  return toolset;
}

test("a state is asked with its arguments and every pin, by an operation of the toolset", () => {
  const { states, operations, tools } = toolsetOf(
    "{open: {operation: getDoor, args: {floor: 2}, when: \"state == 'open'\"}}",
  );
  expect(tools.find(({ name }) => name === "enter")?.states).toStrictEqual(["open"]);
  expect(states).toMatchObject([{ name: "open", when: { jmespath: "state == 'open'" } }]);
  const { call } = states![0]!;
  expect(operations[call.operation]).toMatchObject({ key: "GET /door", safe: true });
  expect(call.bindings.map(({ place, pinned }) => [place, pinned])).toStrictEqual([
    [{ in: "query", name: "floor", pointer: [] }, false],
    [{ in: "query", name: "org", pointer: [] }, true],
  ]);
});

test("a state that no tool needs is not asked", () => {
  const { states } = toolsetOf("{open: {operation: getDoor, when: state}, shut: {operation: getDoor, when: state}}");
  expect(states?.map(({ name }) => name)).toStrictEqual(["open"]);
});

test("a state that the spec breaks never holds, and what needs it stays away", () => {
  const { toolset, problems } = compile("{open: {operation: getBroken, when: state}}");
  expect(problems.map(({ code }) => code)).toContain("spec_fault");
  expect(toolset?.states).toBeUndefined();
  expect(toolset?.tools.find(({ name }) => name === "enter")?.states).toStrictEqual(["open"]);
});

describe("what is wrong is told at its place", () => {
  const cases: readonly [what: string, states: string, tools: string, code: string, hint: RegExp][] = [
    [
      "a tool that needs a state that there is not",
      "{opn: {operation: getDoor, when: state}}",
      TOOL,
      "unknown_state",
      /"opn"/,
    ],
    [
      "a state that no tool needs",
      "{open: {operation: getDoor, when: state}, shut: {operation: getDoor, when: state}}",
      TOOL,
      "unused_state",
      /states: \[shut\]/,
    ],
    [
      "an operation that there is not",
      "{open: {operation: getDor, when: state}}",
      TOOL,
      "unknown_operation",
      /getDoor/,
    ],
    ["an operation that writes", "{open: {operation: askDoor, when: state}}", TOOL, "unsafe_source", /reads/],
    ["a path that the body has not", "{open: {operation: getDoor, when: stat}}", TOOL, "path_not_in_spec", /state/],
    [
      "an operation that cannot carry every pin",
      "{open: {operation: getHouse, when: state}}",
      TOOL,
      "pin_unreached",
      /./,
    ],
    ["a pinned place", "{open: {operation: getDoor, args: {org: other}, when: state}}", TOOL, "pinned_place", /./],
  ];
  test.each(cases)("%s", (_, states, tools, code, hint) => {
    const found = compile(states, tools).problems.filter((one) => one.code === code);
    expect(found).toHaveLength(1);
    expect(found[0]?.hint).toMatch(hint);
  });

  test("what a tool declares to only read may be asked", () => {
    const tools = `${TOOL}\nask: {operation: askDoor, use: Ask., effect: read}`;
    expect(toolsetOf("{open: {operation: askDoor, when: state}}", tools).states).toHaveLength(1);
  });
});
