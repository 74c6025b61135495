import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { compileTools } from "./compile-text.ts";

const json = (schema: string) => `{"200": {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const TASK =
  "{type: object, properties: {id: {type: string}, title: {type: string}, owner: {type: object, properties: {user_id: {type: string}}}}}";
const SPEC = `
paths:
  /tasks:
    get: {operationId: listTasks, parameters: [{name: label_id, in: query, schema: {type: string}}, {name: state, in: query, schema: {type: string}}, {name: key, in: query, schema: {type: string, format: uuid}}], responses: ${json(`{type: array, items: ${TASK}}`)}}
  /tasks/{taskId}:
    get: {operationId: getTask, parameters: [{name: taskId, in: path, required: true, schema: {type: string}}], responses: ${json(TASK)}}
  /users/{user}:
    get: {operationId: getUser, parameters: [{name: user, in: path, required: true, schema: {type: string}}], responses: ${json("{type: object}")}}
`;
const LIST = "list_tasks: {operation: listTasks, use: List., result: {rows: '@'}}";
const get = (input: string, more = "") => `get: {operation: getTask, use: Get., input: {taskId: ${input}}${more}}`;

async function guesses(tools: string): Promise<(readonly [line: number, name: string | undefined])[]> {
  const { problems } = await compileTools(SPEC, tools);
  for (const { code, severity, hint } of problems)
    if (code === "guessed_id") expect([severity, hint]).toEqual(["warning", expect.stringContaining("`entities`")]);
  return problems
    .filter(({ code }) => code === "guessed_id")
    .map(({ line, message }) => [line, /`(\w+)`/.exec(message)?.[1]] as const);
}

describe("an input that a caller could only guess is reported at its line", () => {
  const cases: readonly [what: string, tools: string, want: readonly string[]][] = [
    ["an ID in a path that no reply holds", get("{}"), ["taskId"]],
    ["its own reply does not help: it needs the ID already", get("{}", ", result: {fields: {taskId: id}}"), ["taskId"]],
    ["an ID in a query", "list: {operation: listTasks, use: List., input: {label_id: {}}}", ["label_id"]],
    ["any UUID", "list: {operation: listTasks, use: List., input: {key: {}}}", ["key"]],
    ["a name in a path", "get: {operation: getUser, use: Get., input: {user: {}}}", ["user"]],
    [
      "a list whose columns lack it",
      `list: {operation: listTasks, use: L., result: {rows: '@', fields: {title: title}}}\n${get("{}")}`,
      ["taskId"],
    ],
    ["a word that names nothing", "list: {operation: listTasks, use: List., input: {state: {}}}", []],
    ["the `id` of a list of the same things", `${LIST}\n${get("{}")}`, []],
    [
      "a column of its name",
      `list: {operation: listTasks, use: L., result: {rows: '@', fields: {taskId: id}}}\n${get("{}")}`,
      [],
    ],
    [
      "what a list of the same things calls otherwise than by an ID",
      `list_tasks: {operation: listTasks, use: L., result: {rows: '@', fields: {handle: id}}}\nget: {operation: getTask, use: G., input: {task_handle: {}}, args: {taskId: "\${input.task_handle}"}}`,
      [],
    ],
    [
      "what is inside a reply",
      `${LIST}\nget: {operation: getUser, use: G., input: {user_id: {}}, args: {user: "\${input.user_id}"}}`,
      [],
    ],
    ["an enum", get("{enum: [a, b]}"), []],
    ["a default", get("{default: abc}"), []],
    ["a pattern", get("{pattern: '^T-[0-9]+$'}"), []],
    ["an example in the author's words", get("{describe: 'The task, for example T-17.'}"), []],
    ["words that say nothing of where it comes from", get("{describe: 'The task.'}"), ["taskId"]],
    ["a list of values", get("{valuesFrom: {operation: listTasks, rows: '@', field: id}}"), []],
    [
      "the reply of a workflow",
      `flow: {use: F., steps: [{id: a, operation: listTasks}], result: {value: {tasks: "steps.a[].{taskId: id}"}}}\n${get("{}")}`,
      [],
    ],
  ];
  test.each(cases)("%s", async (_, tools, want) => {
    expect((await guesses(tools)).map(([, name]) => name)).toEqual(want);
  });

  test("with the line of the input", async () => {
    const tools = "get:\n  operation: getTask\n  use: Get.\n  input:\n    taskId: {}";
    expect(await guesses(tools)).toEqual([[9, "taskId"]]);
  });
});

const FOLDER = join(import.meta.dirname, "../../curation");
const shipped = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));

// A document that stands at a URL is looked at where it is at hand (test/surface/github.test.ts).
const atHand = shipped.filter((name) => !/spec: https:/.test(readFileSync(join(FOLDER, name), "utf8")));

test.each(atHand)("nothing in curation/%s could only be guessed", async (name) => {
  const file = join(FOLDER, name);
  const { curation } = loadCuration(file, readFileSync(file, "utf8"));
  const spec = resolve(dirname(file), curation!.content.api.spec);
  expect(existsSync(spec)).toBe(true);
  const overlays = (curation!.content.api.overlays ?? []).map((one) => resolve(dirname(file), one));
  const { problems } = compileToolset(curation!, await loadApi(spec, { overlays }));
  expect(problems.filter(({ code }) => code === "guessed_id")).toEqual([]);
});
