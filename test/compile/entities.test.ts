import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { samplePattern } from "../../src/compile/entities/sample-pattern.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { callsOf } from "../../src/model/map-calls.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { compileText, shown, toolOf } from "./compile-text.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/stories/entities");
const api = await loadApi(join(FOLDER, "tasks.openapi.yaml"), {});
/** Without the tool of steps, which is another part's business. */
const RIGHT = readFileSync(join(FOLDER, "tasks.curation.yaml"), "utf8").replace(/ {2}review_task:[\s\S]*$/, "");

const compiled = compileText(api, RIGHT);
const { toolset } = compiled;
const propertyOf = (tool: string, name: string) => toolOf(compiled, tool).inputSchema.properties?.[name];

describe("an entity", () => {
  test("has no finding where it is right", () => expect(shown(compiled.problems)).toEqual([]));

  test("becomes data: the tool as callers see it, and its aliases in their order", () => {
    const [entity] = toolset!.entities;
    expect(entity).toMatchObject({ name: "task", tool: "t_list_tasks", field: "taskId" });
    expect(entity!.aliases.map(({ kind, pattern }) => [kind, pattern])).toEqual([
      ["rewrite", "^[0-9a-f]{8}-[0-9a-f]{4}$"],
      ["look-up", "^#?(\\d+)$"],
      ["rewrite", "^https?://[^/]+/tasks/([0-9a-f-]{13})(?:[/?#].*)?$"],
      ["look-up", "^[^/:]+$"],
    ]);
  });

  test("is asked for under every pin, in pages where the operation has them", () => {
    const calls = toolset!.entities.flatMap(({ aliases }) => aliases.flatMap((one) => ("call" in one ? one.call : [])));
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(toolset!.operations[call.operation]!.id).toBe("listTasks");
      expect(call.bindings.filter(({ pinned }) => pinned).map(({ place }) => place)).toEqual([
        { in: "path", name: "project", pointer: [] },
      ]);
      expect(call.pages?.style).toBe("page");
    }
  });

  test("has its list without arguments as a source of candidates", () => {
    const source = toolset!.entities[0]!.source!;
    expect([source.rows.jmespath, source.field.jmespath, source.tool]).toEqual(["items", "id", "t_list_tasks"]);
    expect(source.call.bindings.every(({ pinned }) => pinned)).toBe(true);
  });

  test.each([
    ["a required argument", "input: { title: {} }", "input: { title: { required: true } }"],
    [
      "conditions of its filter",
      "input: { title: {} }",
      "filter: { dialect: params, hidden: true, always: { title: x } }",
    ],
  ])("has none where that list takes %s", (_, from, to) => {
    const { toolset: other, problems } = compileText(api, RIGHT.replace(from, to));
    expect(shown(problems)).toEqual([]);
    expect(other!.entities[0]!.source).toBeUndefined();
  });

  test("that no input of a tool names any more is left out, with its operations", () => {
    const alone = RIGHT.replaceAll(/entity: task,? ?/g, "");
    const { toolset: other, problems } = compileText(api, alone);
    expect(shown(problems).filter((one) => !one.includes("guessed_id"))).toEqual([
      expect.stringMatching(/^\d+ unused_entity/),
    ]);
    expect(other!.entities).toEqual([]);
  });

  test("names operations by their positions in the toolset, and no operation stands there unused", () => {
    const { entities, tools, operations } = toolset!;
    const own = entities.flatMap(({ source, aliases }) => [
      ...(source ? [source] : []),
      ...aliases.filter((one) => "call" in one),
    ]);
    const used = [
      ...tools.flatMap((tool) => callsOf(tool)),
      ...own.map((one) => ("call" in one ? one.call : undefined)!),
    ];
    expect(new Set(used.map(({ operation }) => operation))).toEqual(new Set(operations.keys()));
  });
});

describe("an input that is one", () => {
  test("takes any text, tells where its identifiers come from, and what else it takes", () => {
    expect(propertyOf("t_get_task", "taskId")).toEqual({
      type: "string",
      minLength: 1,
      description: "The task's ID. A taskId of `t_list_tasks`. Also taken: #42, https://…/tasks/…, its title.",
    });
    expect(propertyOf("t_compare_tasks", "ids")).toEqual({
      type: "array",
      maxItems: 5,
      items: { type: "string", minLength: 1 },
      description:
        "Exact taskId values of `t_list_tasks`. Also taken: #42, https://…/tasks/…, its title. At most 5 items.",
    });
  });

  test("keeps what an identifier must be for when it is known", () => {
    const [input] = toolOf(compiled, "t_get_task").inputs;
    expect(input).toMatchObject({
      entity: "task",
      identified: { type: { kind: "string", pattern: expect.any(String) } },
    });
  });

  test("keeps its type where there are no aliases", () => {
    const { toolset: other } = compileText(api, RIGHT.replace(/ {4}aliases:[\s\S]*?(?=tools:)/, ""));
    const input = other!.tools.find(({ name }) => name === "t_get_task")!.inputs[0]!;
    expect(input.type).toMatchObject({ kind: "string", pattern: expect.any(String) });
    expect([input.entity, input.identified]).toEqual(["task", undefined]);
  });
});

const NUMBER = "operation: listTasks, args: { query.number";
const TO = 'to: "${captures[1]}"';

describe("a mistake is told at its line", () => {
  test.each([
    ["no such tool", "from: list_tasks", "from: list_task", /unknown_tool: .*"list_task"\. Did you mean "list_tasks"/],
    ["a tool without rows", "from: list_tasks", "from: get_task", /not_a_list: `get_task` has no rows/],
    ["no such column", "field: taskId", "field: taskID_", /unknown_column: .*Did you mean "taskId"/],
    ["no such entity", "ids: { entity: task }", "ids: { entity: tasks }", /unknown_entity: .*Did you mean "task"/],
    ["a pattern of another engine", "'^#?(\\d+)$'", "'^(?=#)(\\d+)$'", /bad_pattern: RE2 cannot read/],
    ["a group that there is not", TO, 'to: "${captures[2]}"', /unknown_capture: The pattern captures 1 group, /],
    ["no group in ids", "$.captures[0]]", "$.captures[1]]", /unknown_capture: The pattern captures no group/],
    ["no such operation", NUMBER, NUMBER.replace("Tasks", "Task"), /unknown_operation/],
    ["no such place", "query.number:", "query.numbr:", /unknown_place/],
    ["no such path", '"items[].id"', '"items[].uuid"', /path_not_in_spec/],
    ["what is no identifier", '"items[].id"', '"items[].{taskId: id}"', /not_a_value: .*gives neither identifiers/],
    [
      "what writes",
      NUMBER,
      "operation: deleteTask, args: { path.taskId",
      /unsafe_source: .*declares with `effect: read`/,
    ],
    ["no such pin", TO, 'to: "${captures[1]}${pins.projct}"', /unknown_pin: .*Did you mean "project"/],
    ["another root", TO, 'to: "${input.taskId}"', /forbidden_root/],
  ])("%s", (_, from, to, want) => {
    const { curation, problems } = loadCuration(
      "test.yaml",
      RIGHT.replace(from, () => to),
    );
    const found = shown([...problems, ...compileToolset(curation!, api).problems]);
    const line = RIGHT.slice(0, RIGHT.indexOf(from)).split("\n").length;
    expect(found).toEqual([expect.stringMatching(want)]);
    expect(found[0]).toMatch(new RegExp(`^${line} `));
  });

  test("a look-up that no caller's text reaches", () => {
    const { problems } = compileText(api, RIGHT.replace('args: { query.number: "${captures[1]}" }, ', ""));
    expect(shown(problems).join()).toMatch(/captures_unused/);
  });

  test("an alias that cannot carry a pin, which no tool may waive", () => {
    const { problems } = compileText(api, RIGHT.replace("pins: {", "pins: { region: eu, "));
    // Those of the tools are told at the tools.
    const found = shown(problems).filter((one) => /^1[0-6] pin_unreached/.test(one));
    expect(found).toHaveLength(2);
    expect(found.join()).not.toContain("unpinned");
  });
});

describe("an example of a pattern", () => {
  test.each([
    ["^#?(\\d+)$", "#42"],
    ["^(\\d+)$", "42"],
    ["^n:(.*)$", "n:…"],
    ["^https?://x/t/([^/]*)/things/(.*)$", "https://x/t/…/things/…"],
    ["^T-(\\d{4})$", "T-1234"],
    ["^https?://[^/]+/tasks/([0-9a-f-]{36})(?:[/?#].*)?$", "https://…/tasks/…"],
    ["^(?:task|bug):(.+)$", "task:…"],
    ["^(?i)acme/(?P<name>\\w+)$", "acme/…"],
    ["^bugs\\.example\\.com$", "bugs.example.com"],
    ["^(.+)$", undefined],
    ["^\\p{L}+$", undefined],
    ["[0-9a-f]{8}", undefined],
    ["(", undefined],
  ])("%s", (pattern, want) => expect(samplePattern(pattern)).toBe(want));
});
