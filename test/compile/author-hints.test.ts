import { describe, expect, test } from "vitest";
import { plainText } from "../../src/compile/words/plain-text.ts";
import {
  apiOfText,
  compileText,
  compileTools,
  curationText,
  errorsOf,
  inputOf,
  shown,
  toolOf,
} from "./compile-text.ts";

const SPEC = `
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: sort, in: query, description: What to **sort** by., schema: { $ref: '#/components/schemas/Sort' } }
        - { name: q, in: query, required: true, schema: { type: string, minLength: 1, description: The words. } }
        - { name: tags, in: query, schema: { type: array, items: { anyOf: [{ type: string }, { type: object }] } } }
      responses:
        '200':
          description: ok
          content:
            application/json: { schema: { type: object, properties: { rows: { type: array, items: { type: object, properties: { id: { type: string } } } } } } }
            application/yaml: {}
    post:
      operationId: makeThing
      parameters: [{ name: X-Project, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [token], properties: { body: { type: string }, token: { type: string } } } } } }
      responses: { '204': { description: made } }
  /login:
    get:
      operationId: whoAmI
      parameters: [{ name: token, in: header, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
components:
  schemas:
    Sort: { type: string, enum: [name, age], description: Sorting in general. }
`;
const list = (more: string) => `list: {operation: listThings, use: A., ${more}}`;
const codes = (problems: readonly { code: string; severity: string }[]) =>
  problems.filter(({ severity }) => severity !== "note").map(({ code }) => code);

describe("what the spec says of an input", () => {
  test("comes from the parameter before its schema, without markup", async () => {
    const result = await compileTools(SPEC, list("input: {sort: {}, q: {}}"));
    expect(inputOf(result, "sort").type.description).toBe("What to sort by.");
    expect(inputOf(result, "q").type.description).toBe("The words.");
  });

  test("does not tell of a choice that the author has made, nor that a text must not be empty", async () => {
    const { properties } = toolOf(
      await compileTools(SPEC, list("input: {q: {}, tags: {type: 'string[]'}}")),
    ).inputSchema;
    expect(properties?.["tags"]).toEqual({ type: "array", items: { type: "string" } });
    expect(properties?.["q"]).toEqual({ type: "string", description: "The words.", minLength: 1 });
  });

  test("leads an input called body to the body's property of that name", async () => {
    const tools = "make: {operation: makeThing, effect: read, use: A., input: {body: {}, token: {}}}";
    expect(inputOf(await compileTools(SPEC, tools), "body").place).toEqual({ in: "body", pointer: ["body"] });
  });
});

describe("an input that an expression names does not go to the place of its own name", () => {
  const order = "result: {rows: rows, order: [{when: $.input.sort, by: [id]}]}";
  const cases: [title: string, more: string, want: string[]][] = [
    [
      "which is told where the caller would be misled",
      `input: {q: {}, sort: {enum: [name]}}, ${order}`,
      ["input_unsent"],
    ],
    ["which its type must be said for", `input: {q: {}, sort: {}}, ${order}`, ["place_needs_type"]],
    ["unless args send it", `input: {q: {}, sort: {}}, args: {sort: '\${input.sort}'}, ${order}`, []],
    [
      "which is meant where rows are searched here",
      "input: {q: {}, sort: {type: string}}, result: {rows: rows, search: '${input.sort}'}",
      [],
    ],
    [
      "and is missing where the call needs it",
      "input: {q: {type: string}}, result: {rows: rows, search: '${input.q}'}",
      ["required_unfilled"],
    ],
  ];
  test.each(cases)("%s", async (_, more, want) => {
    const { problems } = await compileTools(SPEC, list(more));
    expect(codes(problems)).toEqual(want);
    for (const line of shown(problems)) expect(line).toMatch(/args: \{/);
  });
});

test("a unit that names no input is an error", async () => {
  const result = await compileTools(SPEC, list("input: {q: {as: minor, unit: '${input.curency}'}}"));
  expect(errorsOf(result)).toEqual(["unknown_input"]);
});

test("a parameter that carries a credential is asked for under auth", async () => {
  const [line] = shown((await compileTools(SPEC, "who: {operation: whoAmI, use: A.}")).problems);
  expect(line).toContain("api.auth");
});

describe("accept", () => {
  test.each([
    ["application/yaml", []],
    ["application/*", []],
    ["application/vnd.things+json", []],
    ["text/csv, application/json;q=0.5", []],
    ["text/csv", ["unknown_media_type"]],
  ])("%s", async (accept, want) => {
    const { problems } = await compileTools(SPEC, list(`input: {q: {}}, accept: '${accept}'`));
    expect(codes(problems)).toEqual(want);
  });

  test("leaves out of the reply's schema what then cannot come", async () => {
    const keysOf = async (accept: string) =>
      Object.keys(toolOf(await compileTools(SPEC, list(`input: {q: {}}${accept}`))).outputSchema?.properties ?? {});
    expect(await keysOf("")).toEqual(["rows", "omitted"]);
    expect(await keysOf(", accept: text/csv")).toEqual(["value", "text", "mediaType", "bytes", "omitted"]);
  });
});

test("a pin's place in a tool that is left out is no mistake", async () => {
  const tools =
    "list: {operation: listThings, use: A., input: {q: {}}, unpinned: {p: none}}\nmake: {operation: makeThing, use: A., input: {token: {}}}";
  const text = curationText(tools, { pins: "{p: {value: a, places: [header.X-Project]}}", server: "writes: true" });
  expect(errorsOf(compileText(await apiOfText(SPEC), text, { readOnly: true }))).toEqual([]);
});

test.each([
  ["**Bold** and _soft_, ***both*** and __strong__.", "Bold and soft, both and strong."],
  ['# Title\n> note\n---\nRead [this](https://a.test "t") ![x](y.png).', "Title note Read this x."],
  [
    "snake_case_name, 2 * 3 * 4, `**code**` and *.txt or a*b*c",
    "snake_case_name, 2 * 3 * 4, `**code**` and *.txt or a*b*c",
  ],
])("%s loses its marks and nothing else", (text, want) => expect(plainText(text)).toBe(want));

test("a text of nothing but marks is read quickly", () => {
  expect(plainText("*a _b ".repeat(20_000)).length).toBeGreaterThan(0);
}, 2_000);
