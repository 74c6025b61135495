import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/model/call.ts";
import type { Input, Tool } from "../../../src/model/tool.ts";
import { askById } from "../../../src/run/identify/ask-by-id.ts";
import {
  askingOf,
  bind,
  callOf,
  expression,
  input,
  operation,
  query,
  refusalOf,
  type Script,
  scripted,
} from "../filter/fixture.ts";
import { entityOf, SOURCE } from "./fixture.ts";

const task = input("task", { kind: "string" }, { entity: "task" });
const board = input("board", { kind: "string" }, { entity: "board" });
const path = (name: string, from: string) => bind({ in: "path", name, pointer: [] }, from, { required: true });

interface Asked {
  readonly inputs?: readonly Input[];
  readonly bindings?: Call["bindings"];
  readonly tool?: Partial<Tool>;
  readonly url?: string;
  readonly each?: string;
  readonly status?: number;
}

/** Asks for one task of a board, which is not there, where `/tasks` lists what is. */
function ask({ inputs = [task], bindings, tool, url = "/tasks/{task}", status = 404, each }: Asked) {
  const script: Script = async ({ url: asked }) =>
    new URL(asked).pathname === "/tasks"
      ? { tasks: [{ id: "uuid-1" }, { id: "uuid-2" }] }
      : { status, body: '{"message":"Nothing there"}' };
  const { egress, sent } = scripted(script);
  const asking = askingOf(
    {
      operations: [operation(url), operation("/tasks")],
      input: { task: "uuid-3", board: "b-9" },
      call: { bindings: bindings ?? [path("task", "input.task")] },
      tool: {},
      toolset: {
        entities: [entityOf([], { source: SOURCE }), entityOf([], { name: "board", tool: "none", field: "key" })],
      },
    },
    egress,
  );
  const whole = { ...asking, tool: { ...asking.tool, ...tool, inputs } };
  const list = each === undefined ? undefined : expression(each);
  const roots = list === undefined ? asking.roots : { ...asking.roots, item: "uuid-3" };
  return { run: () => askById({ ...whole, roots, wire: roots }, list)(callOf(asking)), sent };
}

describe("where the upstream has nothing there", () => {
  test("a path of an identifier is answered with what lists them, and what is like it", async () => {
    expect(await refusalOf(ask({}).run)).toStrictEqual({
      error: "unknown_id",
      message: "There is no task `uuid-3`.",
      recover: "Call `ledger_list_dimensions` and use exact name values. See `nearest`.",
      retryable: false,
      path: "task",
      got: "uuid-3",
      nearest: ["uuid-1", "uuid-2"],
      upstream: { status: 404, message: "Nothing there" },
    });
  });

  test("of two in a path the last is named first", async () => {
    const refused = await refusalOf(
      ask({
        inputs: [board, task],
        url: "/boards/{board}/tasks/{task}",
        bindings: [path("board", "$.input.board"), path("task", "input.task")],
      }).run,
    );
    expect(refused).toMatchObject({ path: "task", message: "There is no task `uuid-3`. Or `board` is wrong: `b-9`." });
  });

  test("of the items of a list that one is named", async () => {
    const bindings = [path("task", "item")];
    const asked = ask({ bindings, each: "input.tasks", inputs: [{ ...task, name: "tasks" }] });
    expect(await refusalOf(asked.run)).toMatchObject({ path: "tasks", message: "There is no task `uuid-3`." });
  });

  const rule = (error: string, status = "404") => ({ errors: [{ status, error, recover: "As the author says." }] });

  test("the author's own word for it counts, and is told with candidates where it is `unknown_id`", async () => {
    const refused = await refusalOf(
      ask({
        status: 400,
        tool: rule("unknown_id", "400"),
        bindings: [bind(query("task"), "input.task"), path("task", "'x'")],
      }).run,
    );
    expect(refused).toMatchObject({
      error: "unknown_id",
      message: "The upstream rejected the request (400): Nothing there",
      recover: "As the author says.",
      path: "task",
      nearest: ["uuid-1", "uuid-2"],
    });
  });

  test.each<[title: string, asked: Asked, error: string]>([
    ["the author's other code", { tool: rule("task_gone") }, "task_gone"],
    ["the author's own use of the usual code", { tool: rule("upstream_not_found") }, "upstream_not_found"],
    ["an argument that names nothing", { inputs: [input("task", { kind: "string" })] }, "upstream_not_found"],
    [
      "an argument elsewhere",
      { bindings: [bind(query("task"), "input.task"), path("task", "'x'")] },
      "upstream_not_found",
    ],
    [
      "a pinned path",
      { bindings: [bind({ in: "path", name: "task", pointer: [] }, "input.task", { pinned: true })] },
      "upstream_not_found",
    ],
    ["what is computed", { bindings: [path("task", "join('', [input.task])")] }, "upstream_not_found"],
    ["another failure", { status: 409 }, "upstream_rejected"],
  ])("%s is left as it is, and nothing more is asked", async (_, asked, error) => {
    const { run, sent } = ask(asked);
    expect(await refusalOf(run)).toMatchObject({ error });
    expect(sent).toHaveLength(1);
  });
});
