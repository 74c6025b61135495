import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { compileTools, shown, toolOf } from "./compile-text.ts";

const SPEC = `
paths:
  /tasks/{id}:
    get:
      operationId: getTask
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: ok
          content: { application/json: { schema: { type: object, properties: { title: { type: string }, total: { type: integer }, logs: { type: array, items: { type: object, properties: { text: { type: string } } } } } } } }
`;
const TOOLS = (rest: string, result = "value: { title: title, log: { lines: logs } }") => `
get_task:
  operation: getTask
  use: A.
  input: { id: {} }
  result: { ${result}, rest: ${rest} }
list_logs: { operation: getTask, use: B., input: { id: { describe: The task. } }, result: { rows: logs } }
`;

/** Where an ID comes from is none of this file's business. */
const errors = (problems: readonly Problem[]) => shown(problems.filter(({ severity }) => severity === "error"));

test("what is said of the rest is compiled, the tool by the name that callers see", async () => {
  const rest = `{ log.lines: { tool: list_logs, args: { id: "\${input.id}" }, max: 5, of: total } }`;
  const result = await compileTools(SPEC, TOOLS(rest), { server: "prefix: x_" });
  expect(errors(result.problems)).toStrictEqual([]);
  expect(toolOf(result, "x_get_task").shape.rest).toStrictEqual([
    {
      path: "log.lines",
      tool: "x_list_logs",
      args: [["id", { kind: "expression", expression: { jmespath: "input.id" } }]],
      max: 5,
      of: { jmespath: "total" },
    },
  ]);
});

test.each([
  ["a path that the reply has not", "{ log.line: { tool: list_logs } }", 'path_not_in_spec: .*nearest|"line" is not'],
  ["a tool that there is not", "{ log: { tool: list_log } }", "unknown_tool_name: .*`list_log`"],
  ["an argument that the tool has not", "{ log: { tool: list_logs, args: { ids: 1 } } }", "unknown_input: .*`ids`"],
  ["a most of what is no list", "{ title: { tool: list_logs, max: 3 } }", "rest_not_a_list: .*`title`"],
  ["a total that the body has not", "{ log.lines: { tool: list_logs, of: totals } }", 'path_not_in_spec: .*"total"'],
])("%s is a finding at its line", async (_, rest, want) => {
  const { problems } = await compileTools(SPEC, TOOLS(rest));
  expect(errors(problems)).toStrictEqual([expect.stringMatching(new RegExp(`^9 ${want}`))]);
});

test("rows have a limit of their own", async () => {
  const { problems } = await compileTools(SPEC, TOOLS("{ text: { tool: list_logs, max: 3 } }", "rows: logs"));
  expect(errors(problems)).toStrictEqual([expect.stringMatching(/^9 not_for_rows/)]);
});

test("a tool that is left out for callers who only read is not named", async () => {
  const tools = TOOLS("{ log.lines: { tool: list_logs, max: 3 } }").replace("use: B.", "effect: write, use: B.");
  const parts = { server: "writes: true", options: { readOnly: true } };
  const { rest } = toolOf(await compileTools(SPEC, tools, parts), "get_task").shape;
  expect(rest).toStrictEqual([{ path: "log.lines", args: [], max: 3 }]);
});
