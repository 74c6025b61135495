import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../../src/model/api.ts";
import { exposeToolset } from "../../src/model/group/expose-toolset.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { hideByTags, type TagChoice } from "../../src/model/visible/hide-by-tags.ts";
import { withoutTools } from "../../src/model/visible/without-tools.ts";
import { apiOfText, compileText, curationText, shown } from "./compile-text.ts";

// Tags (contract section 2): a tool that is left out is named nowhere, as if it did not exist.

const SPEC = `
paths:
  /things:
    parameters: [{name: org, in: query, required: true, schema: {type: string}}]
    get:
      operationId: listThings
      parameters: [{name: kind, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, parts: {type: array, items: {type: string}}}}}}}}}
  /kinds:
    parameters: [{name: org, in: query, required: true, schema: {type: string}}]
    get:
      operationId: listKinds
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: org, in: query, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
    delete: {operationId: dropThing, responses: {'204': {description: gone}}}
`;

const TOOLS = `
find_things:
  operation: listThings
  tags: [public, find_things]
  use: List things. Not by \`read_thing\`.
  next: { read_thing: read one, drop_thing: drop one }
  input: { kind: { valuesFrom: { operation: listKinds } } }
  suggest:
    - { tool: read_thing, args: { id: "\${item.id}" }, why: Read the first. }
    - { tool: drop_thing, args: { id: "\${item.id}" }, why: Drop the first. }
  result:
    rows: "@"
    fields: { id: id, parts: parts }
    rest: { parts: { tool: read_thing } }
    limit: { default: 5, max: 10 }
    emptyNote: Nothing there. Try \`find_kinds\`.
find_kinds: { operation: listKinds, use: List kinds., tags: [public, internal, find_kinds], result: { rows: "@", limit: { default: 5, max: 9 } } }
read_thing:
  operation: getThing
  tags: [internal, read_thing]
  use: Read one thing.
  input: { id: { entity: thing, describe: Which one. See \`find_kinds\`. } }
  errors: [{ status: 410, error: thing_gone, recover: Call \`drop_thing\`. Or wait. }]
drop_thing: { operation: dropThing, use: Drop one., tags: [drop_thing], aliases: [kill_thing], input: { id: { entity: thing } } }
`;
const NAMES = ["find_things", "find_kinds", "read_thing", "drop_thing"];

let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const SERVER = "writes: true, prefix: x_, instructions: Begin with `find_things`. Never call `drop_thing` twice.";
function compile(tags?: TagChoice, keyTags?: TagChoice) {
  const text = `${curationText(TOOLS, { server: SERVER, pins: '{org: "${key.org}"}' })}entities: {thing: {from: find_things, field: id}}\n`;
  return compileText(api, text, { ...(tags && { tags }), ...(keyTags && { keyTags }) });
}
function toolsetOf(tags?: TagChoice, keyTags?: TagChoice): Toolset {
  const { toolset, problems } = compile(tags, keyTags);
  if (toolset === undefined) throw new Error(shown(problems).join("; "));
  return toolset;
}
/** Callers' names without the prefix. */
const listed = ({ tools }: Toolset) => tools.map(({ name }) => name.replace("x_", ""));
const ALWAYS = "describe_access";

describe("which tools are left", () => {
  const cases: readonly [what: string, choice: TagChoice, want: readonly string[]][] = [
    ["no choice: all of them", {}, [ALWAYS, "drop_thing", "find_kinds", "find_things", "read_thing"]],
    ["all of the tags", { all: ["public", "internal"] }, [ALWAYS, "find_kinds"]],
    ["one of the tags", { any: ["public", "internal"] }, [ALWAYS, "find_kinds", "find_things", "read_thing"]],
    ["none of the tags", { exclude: ["internal"] }, [ALWAYS, "drop_thing", "find_things"]],
    [
      "all three at once",
      { all: ["public"], any: ["internal", "find_things"], exclude: ["internal"] },
      [ALWAYS, "find_things"],
    ],
  ];
  test.each(cases)("%s", (_, choice, want) => {
    expect(listed(toolsetOf(choice))).toStrictEqual(want);
  });

  test("a key chooses among what the server shows: neither gives back what the other takes", () => {
    expect(listed(toolsetOf({ any: ["public"] }, { any: ["internal", "drop_thing"] }))).toStrictEqual([
      ALWAYS,
      "find_kinds",
    ]);
    expect(listed(toolsetOf({ exclude: ["internal"] }, { exclude: ["public"] }))).toStrictEqual([ALWAYS, "drop_thing"]);
    expect(toolsetOf(undefined, { any: ["public"] })).toStrictEqual(toolsetOf({ any: ["public"] }));
    expect(compile(undefined, { exclude: ["internl"] }).problems).toMatchObject([{ code: "unknown_tag" }]);
  });

  test.each<[TagChoice, boolean]>([
    [{}, true],
    [{ all: [], any: [], exclude: [] }, true],
    [{ any: ["public"] }, false],
    [{ exclude: ["internal"] }, false],
  ])("exploring would call what hidden tools call, so with the choice %j it is there: %s", (choice, want) => {
    const server = SERVER.replace("writes: true", "writes: true, explore: true");
    const text = `${curationText(TOOLS, { server, pins: '{org: "${key.org}"}' })}entities: {thing: {from: find_things, field: id}}\n`;
    const { toolset } = compileText(api, text, {});
    const explored = hideByTags(toolset!, choice).tools.filter(({ plan }) => plan.kind === "explore");
    expect(explored.length > 0).toBe(want);
  });

  test("a tag that no tool carries is a mistake: a misspelt one would show what was to be hidden", () => {
    const { problems, toolset } = compile({ exclude: ["internl"] });
    expect(toolset).toBeUndefined();
    expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "unknown_tag", hint: 'Did you mean "internal"?' },
    ]);
  });
});

describe("a tool that is left out", () => {
  const subsets = fc.subarray(NAMES);
  /** All that a caller is ever told: of the guide only what is made of it. */
  const told = ({ server: { guide: _, ...server }, ...rest }: Toolset) =>
    JSON.stringify({ ...rest, server, operations: [], entities: rest.entities.map(({ source }) => source) });

  test("is named nowhere, by none of its names", () => {
    const all = toolsetOf();
    for (const name of [...NAMES, "kill_thing"]) expect(told(all)).toContain(`x_${name}`);
    fc.assert(
      fc.property(subsets, (gone) => {
        const left = hideByTags(all, { exclude: gone });
        expect(listed(left)).toStrictEqual(listed(all).filter((name) => !gone.includes(name)));
        for (const name of gone) expect(told(left)).not.toContain(`x_${name}`);
        if (gone.includes("drop_thing")) expect(told(left)).not.toContain("kill_thing");
      }),
    );
  });

  test("is not named by an old name either", () => {
    const all = toolsetOf();
    const tools = all.tools.map((one) => ({ ...one, description: `${one.description} Was \`x_kill_thing\` once.` }));
    expect(told(hideByTags({ ...all, tools }, { exclude: ["drop_thing"] }))).not.toContain("kill_thing");
  });

  test("leaves the same whether it goes at once with others or one by one, in any order", () => {
    const all = toolsetOf();
    fc.assert(
      fc.property(subsets, fc.func(fc.integer()), (gone, weigh) => {
        const hide = (one: Toolset, names: readonly string[]) =>
          withoutTools(one, new Set(names.map((name) => `x_${name}`)));
        const order = gone.toSorted((a, b) => weigh(a) - weigh(b));
        expect(order.reduce((one, name) => hide(one, [name]), all)).toStrictEqual(hide(all, gone));
      }),
    );
  });

  test("takes along what leads to it, and the rest of the words stays", () => {
    const left = toolsetOf({ exclude: ["read_thing", "drop_thing"] });
    const find = left.tools.find(({ name }) => name === "x_find_things")!;
    expect(find.description).toBe("List things.");
    expect(find.suggest).toStrictEqual([]);
    expect(find.shape).toMatchObject({ emptyNote: "Nothing there. Try `x_find_kinds`.", rest: [{ path: "parts" }] });
    expect(left.server.instructions).toBe(
      "Begin with `x_find_things`.\nCalls that do not need each other may run in parallel: all tools only read. No rows means that nothing matched these arguments, not that there is nothing.",
    );
  });

  test("that lists identifiers takes along the identifiers that only it lists", () => {
    const [entity] = toolsetOf({ exclude: ["find_things"] }).entities;
    expect(toolsetOf().entities[0]?.source).toBeDefined();
    expect(entity).toMatchObject({ name: "thing", field: "id" });
    expect(entity?.source).toBeUndefined();
  });
});

describe("among groups", () => {
  const GROUPED = `
thing.find: { operation: listThings, use: List things. Then \`thing.read\`., tags: [a], input: { kind: {} }, result: { rows: "@", limit: { default: 5, max: 9 } } }
thing.read: { operation: getThing, use: Read one., tags: [b], input: { id: {} } }
thing.drop: { operation: dropThing, use: Drop one., tags: [b], input: { id: {} } }
`;
  const seen = (tags: TagChoice) => {
    const server = "writes: true, expose: grouped, instructions: Read with `thing.read`. Find with `thing.find`.";
    const { toolset, problems } = compileText(api, curationText(GROUPED, { server, pins: '{org: "${key.org}"}' }), {
      tags,
    });
    if (toolset === undefined) throw new Error(shown(problems).join("; "));
    return exposeToolset(toolset);
  };

  test("a group lacks the actions that are left out, and one without any is not there", () => {
    const names = (toolset: Toolset) => toolset.tools.map(({ name }) => name);
    expect(names(seen({}))).toStrictEqual(["describe_access", "thing", "thing_write"]);
    const left = seen({ exclude: ["b"] });
    expect(names(left)).toStrictEqual(["describe_access", "thing"]);
    const { inputSchema, description } = left.tools[1]!;
    expect(inputSchema.properties?.action?.enum).toStrictEqual(["find"]);
    expect(Object.keys(inputSchema.properties ?? {})).not.toContain("id");
    expect(`${description} ${left.server.instructions}`).not.toMatch(/Read one|Read with|`read`|drop/);
    expect(names(seen({ exclude: ["a"] }))).toStrictEqual(["describe_access", "thing", "thing_write"]);
  });
});
