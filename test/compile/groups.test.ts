import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { exposeToolset } from "../../src/model/group/expose-toolset.ts";
import { listedTool } from "../../src/model/listed-tool.ts";
import type { Tool, Toolset } from "../../src/model/tool.ts";
import { hideByTags } from "../../src/model/visible/hide-by-tags.ts";
import { withoutTools } from "../../src/model/visible/without-tools.ts";
import { applyProfile, PROFILE_NAMES } from "../../src/surface/apply-profile.ts";
import { makeManifest } from "../../src/surface/manifest.ts";
import { compileDesk } from "../run/group/desk.ts";
import { apiOfText, compileTools, errorsOf, shown } from "./compile-text.ts";
import { portableFaults } from "./portable-faults.ts";

const desk = await compileDesk({ expose: "grouped" });
const MADE = { vitrine: "0.0.0", from: [] };

/** What clients are told of a toolset, in the form of the golden files. */
function told(toolset: Toolset): string {
  const { server, tools } = exposeToolset(toolset);
  const listed = tools.map((tool) => JSON.stringify(listedTool(tool, true), null, 1));
  return `${server.instructions}\n\n${listed.join("\n\n")}\n`;
}

function toolIn(toolset: Toolset | undefined, name: string): Tool {
  const found = toolset && exposeToolset(toolset).tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}

describe("30 actions in 4 namespaces", () => {
  test.each(["flat", "grouped"] as const)("%s they are listed as in the golden file", async (expose) => {
    const golden = join(import.meta.dirname, `../fixtures/groups/desk.${expose}.txt`);
    await expect(told(await compileDesk({ expose }))).toMatchFileSnapshot(golden);
  });

  test("the form of the curation is used where none is wanted", async () => {
    expect((await compileDesk({})).tools.some(({ group }) => group !== undefined)).toBe(false);
  });

  const refusals: readonly (readonly [title: string, expose: "flat" | "grouped", refused: readonly string[]])[] = [
    [
      "flat they are fine with every client but the one that takes no more than 20",
      "flat",
      ["claude-strict: 31 tools; it takes 20."],
    ],
    ["grouped they are fine with every client", "grouped", []],
  ];
  test.each(refusals)("%s", async (_, expose, want) => {
    const toolset = exposeToolset(await compileDesk({ expose }));
    expect(toolset.tools.flatMap(({ name, inputSchema }) => portableFaults(inputSchema, name))).toStrictEqual([]);
    const manifest = await makeManifest(toolset, MADE);
    const refused = PROFILE_NAMES.flatMap((name) =>
      (applyProfile(manifest, name)?.findings ?? [])
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => `${name}: ${message}`),
    );
    expect(refused).toStrictEqual(want);
  });

  test("in groups they cost less than half", async () => {
    const [flat, grouped] = [
      await makeManifest(await compileDesk({ expose: "flat" }), MADE),
      await makeManifest(desk, MADE),
    ];
    expect(grouped.tools).toHaveLength(9);
    expect(grouped.tokens).toBeLessThan(flat.tokens / 2);
  });

  test("reads and writes never share a group, and a group is as safe as its least safe action", () => {
    for (const { plan, annotations } of exposeToolset(desk).tools) {
      if (plan.kind !== "group") continue;
      const hints = plan.actions.map(([, tool]) => tool.annotations);
      expect(new Set(hints.map(({ readOnlyHint }) => readOnlyHint)).size).toBe(1);
      expect(annotations.readOnlyHint).toBe(hints[0]?.readOnlyHint);
      expect(annotations.destructiveHint).toBe(hints.some(({ destructiveHint }) => destructiveHint));
      expect(annotations.idempotentHint).toBe(hints.every(({ idempotentHint }) => idempotentHint));
    }
  });

  test("what a caller may not see is no action, and is named nowhere", () => {
    const seen = told(withoutTools(desk, new Set(["desk_billing_get", "desk_billing_refund"])));
    expect(seen).not.toMatch(/`desk_billing` with action `get`|`refund`|refund|- get \(reads\): Get one invoice/);
    expect(told(hideByTags(desk, { any: ["none"] }))).not.toMatch(/desk_billing/);
  });

  test("writes stay apart where a caller sees no reads beside them", () => {
    const reads = desk.tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    const names = exposeToolset(withoutTools(desk, new Set(reads))).tools.map(({ name }) => name);
    expect(names).toStrictEqual([
      "desk_billing_write",
      "desk_people_write",
      "desk_storage_write",
      "desk_support_tickets_write",
    ]);
  });
});

const SPEC = `paths:
  /things:
    get: {operationId: list, parameters: [{name: q, in: query, schema: {type: string}}], responses: {'200': {description: OK}}}
    post: {operationId: add, parameters: [{name: q, in: query, schema: {type: integer}}], responses: {'200': {description: OK}}}
  /others:
    get: {operationId: others, parameters: [{name: q, in: query, schema: {type: integer}}, {name: action, in: query, schema: {type: string}}], responses: {'200': {description: OK}}}
`;
const GROUPED = { server: "writes: true, expose: grouped" };

describe("names in groups", () => {
  const cases: readonly (readonly [title: string, tools: string, server: string, want: readonly string[]])[] = [
    ["a namespace of reads", "a.list: {operation: list, input: {q: {}}}", "expose: grouped", ["a"]],
    [
      "a namespace of writes alone keeps its name",
      "a.add: {operation: add, input: {q: {}}}",
      "expose: grouped, writes: true",
      ["a"],
    ],
    [
      "beside reads writes stand apart",
      "a.list: {operation: list}\na.add: {operation: add}",
      "expose: grouped, writes: true",
      ["a", "a_write"].map((name) => name),
    ],
    [
      "nested, with a prefix and a separator; a tool without a dot stays alone",
      "a.b.list: {operation: list}\nlone: {operation: list}",
      "prefix: my_, expose: {as: grouped, separator: __}",
      ["my_a__b", "my_lone"],
    ],
  ];
  test.each(cases)("%s", async (_, tools, server, want) => {
    const named = tools.replaceAll(/^a\./gm, "aaa.");
    const { toolset, problems } = await compileTools(SPEC, named, { server });
    const names = toolset && exposeToolset(toolset).tools.map(({ name }) => name);
    expect(names, shown(problems).join("\n")).toStrictEqual(want.map((name) => name.replace(/^(my_)?a/, "$1aaa")));
  });

  test("an action may be long where the tool by itself could not", async () => {
    const name = `things.${"a".repeat(38)}`;
    expect(errorsOf(await compileTools(SPEC, `${name}: {operation: list}`, GROUPED))).toStrictEqual([]);
    expect(errorsOf(await compileTools(SPEC, `${name}: {operation: list}`))).toStrictEqual(["name_invalid"]);
  });

  test("the discriminator is called as the curation says", async () => {
    const tools = "things.others: {operation: others, input: {action: {}}}";
    const { toolset } = await compileTools(SPEC, tools, { server: "expose: {as: grouped, discriminator: do}" });
    const { inputSchema } = toolIn(toolset, "things");
    expect(inputSchema.required).toStrictEqual(["do"]);
    expect(Object.keys(inputSchema.properties ?? {})).toStrictEqual(["do", "action"]);
  });
});

describe("mistakes that only show in groups", () => {
  const cases: readonly (readonly [title: string, tools: string, want: string])[] = [
    [
      "an input of two types",
      "things.list: {operation: list, input: {q: {}}}\nthings.others: {operation: others, input: {q: {}}}",
      "6 merged_input_clash: `things` takes one `q`: for `list` it is of type string, for `others` of type integer. Rename one of the two inputs, or give both one type.",
    ],
    [
      "an input that is called as what chooses the action",
      "things.others: {operation: others, input: {action: {}}}",
      "5 name_clash: `action` chooses the action of `things`, so that no input can be called so. Rename the input, or set `server.expose.discriminator`.",
    ],
    [
      "two namespaces that become one",
      "a_b.list: {operation: list}\na.b.others: {operation: others}",
      "6 name_clash: Callers would see `a_b` for two groups: `a_b` and `a.b`. Rename one of the two.",
    ],
    [
      "a group and a tool of one name",
      "things: {operation: list}\nthings.others: {operation: others}",
      "6 name_clash: Callers would see `things` for a group and for a tool by itself. Rename one of the two.",
    ],
    [
      "the writes of one namespace and another namespace",
      "things.list: {operation: list}\nthings.add: {operation: add}\nthings_write.others: {operation: others}",
      "name_clash: Callers would see `things_write` for two groups",
    ],
    [
      "a namespace that is too short",
      "a.list: {operation: list}",
      "5 name_invalid: Callers would see the group `a` (1 characters), which not every client takes. 3 to 40 characters of a-z, 0-9 and _, a letter first.",
    ],
    [
      "an action that is no name",
      "things.List: {operation: list}",
      "5 name_invalid: `List` is not the name of an action.",
    ],
    [
      "more purposes than a description holds",
      Array.from({ length: 12 }, (_, at) => `things.a${at}: {operation: list, use: ${"word ".repeat(20)}.}`).join("\n"),
      "5 description_too_long: The purposes of the 12 actions of `things` take",
    ],
  ];
  test.each(cases)("%s", async (_, tools, want) => {
    const result = await compileTools(SPEC, tools, GROUPED);
    const found = shown(result.problems.filter(({ severity }) => severity === "error"));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(want);
    expect((await compileTools(SPEC, tools, { ...GROUPED, options: { expose: "flat" } })).problems).not.toContainEqual(
      expect.objectContaining({ code: "merged_input_clash" }),
    );
  });

  test("what there is no room for is said", async () => {
    const uses = Array.from(
      { length: 8 },
      (_, at) => `things.a${at}: {operation: list, use: List., returns: ${"word ".repeat(40)}}`,
    );
    const { toolset, problems } = await compileTools(SPEC, uses.join("\n"), GROUPED);
    expect(problems.map(({ code, severity }) => [code, severity])).toContainEqual(["group_told_in_part", "note"]);
    expect(toolIn(toolset, "things").description).toBe(
      `Things: 8 actions, chosen by \`action\`.\n${uses.map((_, at) => `- a${at} (reads): List.`).join("\n")}`,
    );
  });
});

describe("old names", () => {
  test("an action is called by its old name too", async () => {
    const text = `vitrine: 1\napi: {spec: spec.yaml}\nserver: {name: test, expose: grouped}\ntools:\n  things.list: {operation: list, aliases: [things.all, stuff]}\n`;
    const { curation } = loadCuration("test.yaml", text);
    const { toolset } = compileToolset(curation!, await apiOfText(SPEC), {});
    expect(toolset?.tools[0]).toMatchObject({ aliases: ["things_all", "stuff"], group: { aliases: ["all"] } });
    expect(toolIn(toolset, "things").inputSchema.properties?.action?.enum).toStrictEqual(["list"]);
  });
});
