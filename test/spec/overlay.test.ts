import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import type { Problem } from "../../src/model/problem.ts";
import { documentOf, loadApi } from "../../src/spec/load-api.ts";
import { applyOverlays } from "../../src/spec/overlay/apply-overlays.ts";
import { readOf, resolveOf } from "./open-spec.ts";
import { folderOf } from "./spec-folder.ts";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: "https://a" }, { url: "https://b", description: "Dev" }],
  tags: ["x", "dummy", "y", "dummy"],
  paths: {
    "/a": { get: { summary: "one", parameters: [{ name: "p", in: "query" }], responses: {} } },
    "/b": { get: { summary: "two", responses: {} }, post: { responses: {} } },
  },
};

/** Applies the actions, written in YAML flow, of one overlay. */
async function overlay(actions: string, version = "1.1.0", spec: object = SPEC) {
  const text = `overlay: ${version}\ninfo: {title: o, version: '1'}\nactions:\n${actions
    .trim()
    .split("\n")
    .map((line) => `  - ${line.trim()}\n`)
    .join("")}`;
  return await overlayText(text, spec);
}

async function overlayText(text: string, spec: object = SPEC) {
  const folder = folderOf({ "o.yaml": text });
  const before = JSON.stringify(spec);
  const done = await applyOverlays(spec as never, join(folder, "spec.yaml"), [join(folder, "o.yaml")], undefined);
  expect(JSON.stringify(spec)).toBe(before);
  return done;
}

function shown(problems: readonly Problem[]): string[] {
  return problems.map(({ severity, code, line, message }) => `${line} ${severity} ${code}: ${message}`);
}

describe("an action", () => {
  const changes: [title: string, actions: string, at: string, want: Json | undefined, version?: string][] = [
    [
      "merges objects recursively",
      "{target: $, update: {info: {title: new, x-a: 1}}}",
      "info",
      { title: "new", version: "1", "x-a": 1 },
    ],
    [
      "joins lists inside of what it merges",
      "{target: \"$.paths['/a'].get\", update: {parameters: [{name: q, in: query}]}}",
      "paths./a.get.parameters",
      [
        { name: "p", in: "query" },
        { name: "q", in: "query" },
      ],
    ],
    ["adds what is new", "{target: $, update: {webhooks: {w: {}}}}", "webhooks", { w: {} }],
    [
      "appends an entry to a list",
      "{target: $.servers, update: {url: https://c}}",
      "servers",
      [...SPEC.servers, { url: "https://c" }],
    ],
    ["appends a single value to a list", "{target: $.tags, update: z}", "tags", [...SPEC.tags, "z"]],
    ["joins a list to a list (1.1)", "{target: $.tags, update: [z]}", "tags", [...SPEC.tags, "z"]],
    ["appends a list as one entry (1.0)", "{target: $.tags, update: [z]}", "tags", [...SPEC.tags, ["z"]], "1.0.0"],
    ["replaces single values (1.1)", "{target: '$.paths.*.get.summary', update: new}", "paths./b.get.summary", "new"],
    ["leaves alone what an empty name stands for", "{target: $, update: {tags: }}", "tags", SPEC.tags],
    ["removes from an object", "{target: $.info.version, remove: true}", "info", { title: "t" }],
    ["removes the right items of a list", "{target: '$.tags[?@ == \"dummy\"]', remove: true}", "tags", ["x", "y"]],
    [
      "removes by a filter",
      "{target: '$.servers[?(@.description == \"Dev\")]', remove: true}",
      "servers",
      [SPEC.servers[0]!],
    ],
    ["removes what stands in what it removes", "{target: '$.paths..*', remove: true}", "paths", {}],
    ["ignores update where it removes", "{target: $.tags, update: z, remove: true}", "tags", undefined],
    [
      "copies (1.1)",
      "{target: \"$.paths['/b'].post\", copy: \"$.paths['/a'].get\"}",
      "paths./b.post",
      { ...SPEC.paths["/a"].get },
    ],
    [
      "reaches every path by wildcard",
      "{target: '$.paths.*.get', update: {x-safe: true}}",
      "paths./b.get.x-safe",
      true,
    ],
    [
      "sees what the one before has left",
      "{target: $.servers, remove: true}\n{target: $, update: {servers: [{url: https://c}]}}",
      "servers",
      [{ url: "https://c" }],
    ],
    [
      "takes __proto__ for a name",
      "{target: $.info, update: {__proto__: {polluted: 1}}}",
      "info.__proto__.polluted",
      1,
    ],
  ];
  test.each(changes)("%s", async (_title, actions, at, want, version) => {
    const { root, problems } = await overlay(actions, version);
    expect(shown(problems)).toEqual([]);
    const found = at
      .split(".")
      .reduce<unknown>(
        (value, key) => (Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined),
        root,
      );
    expect(found).toEqual(want);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("changes one place of what YAML aliases share, and not the others", async () => {
    const shared = { type: "string" };
    const { root } = await overlay("{target: $.a, update: {x: 1}}", "1.1.0", { a: shared, b: shared });
    expect(root).toEqual({ a: { type: "string", x: 1 }, b: { type: "string" } });
  });

  test("copies and goes on changing the copy alone", async () => {
    const { root } = await overlay("{target: $.b, copy: $.a}\n{target: $.b.in, update: {x: 2}}", "1.1.0", {
      a: { in: { y: 1 } },
      b: {},
    });
    expect(root).toEqual({ a: { in: { y: 1 } }, b: { in: { y: 1, x: 2 } } });
  });
});

describe("what is wrong with an overlay is a finding at its line", () => {
  const mistakes: [title: string, actions: string, want: RegExp, version?: string][] = [
    ["finds nothing", "{target: $.nope.x, update: {a: 1}}", /^4 warning overlay_no_match: \$\.nope\.x finds nothing/],
    ["is no JSONPath", "{target: 'paths.x', update: {a: 1}}", /^4 error overlay_broken: "paths.x" is not a JSONPath/],
    ["has no target", "{update: {a: 1}}", /^4 error overlay_broken: "" is not a JSONPath/],
    ["changes nothing", "{target: $.info}", /^4 warning overlay_no_effect/],
    ["has update and copy", "{target: $.info, update: {}, copy: $.info}", /^4 warning overlay_no_effect/],
    [
      "merges an object into a list",
      "{target: $, update: {servers: {a: 1}}}",
      /^4 error overlay_broken: \$ cannot be changed so: an object cannot be merged into a list \("servers"\)/,
    ],
    [
      "merges a text into an object",
      "{target: $.info, update: x}",
      /^4 error overlay_broken: .*a single value cannot be merged into an object/,
    ],
    ["selects unlike nodes", "{target: '$.info.*~', update: {}}", /^4 error overlay_broken/],
    [
      "selects an object and a list at once",
      '{target: \'$["info","tags"]\', update: {}}',
      /it selects a list and an object at once/,
    ],
    ["copies two", "{target: $.info, copy: '$.paths.*'}", /`copy` finds 2 values/],
    ["copies nothing", "{target: $.info, copy: '$.nope'}", /^4 warning overlay_no_match: `copy` finds nothing/],
    ["replaces a single value in 1.0", "{target: $.info.title, update: x}", /since Overlay 1\.1 only/, "1.0.0"],
    [
      "copies in 1.0",
      "{target: $.info, copy: $.paths}",
      /^4 warning overlay_unknown_key: Overlays know no `copy`/,
      "1.0.0",
    ],
    ["misspells", "{target: $.info, updates: {}}", /^4 warning overlay_unknown_key: Overlays know no `updates`/],
    ["removes the root", "{target: $, update: x}", /^4 error overlay_broken/],
  ];
  test.each(mistakes)("an action that %s", async (_title, actions, want, version) => {
    const { root, problems } = await overlay(actions, version);
    expect(shown(problems)[0]).toMatch(want);
    expect(root).toEqual(SPEC);
  });

  test("the actions beside a mistake are applied all the same", async () => {
    const { root } = await overlay("{target: nope, update: {}}\n{target: $.info, update: {x: 1}}");
    expect(root.info).toMatchObject({ x: 1 });
  });

  const broken: [title: string, text: string, want: RegExp][] = [
    ["no YAML", "overlay: [\n", /^2 error overlay_broken: The overlay is not valid YAML/],
    ["no object", "- 1\n", /^1 error overlay_broken/],
    [
      "no version",
      "info: {}\nactions: [{target: $, update: {}}]\n",
      /error overlay_broken: `overlay` does not say a version/,
    ],
    ["a later version", "overlay: 2.0.0\ninfo: {}\nactions: [{target: $, update: {}}]\n", /^1 error overlay_broken/],
    ["no actions", "overlay: 1.0.0\ninfo: {}\nactions: []\n", /^3 error overlay_broken: `actions`/],
    [
      "another spec",
      "overlay: 1.0.0\ninfo: {}\nextends: other.yaml\nactions: [{target: $, update: {}}]\n",
      /^3 warning overlay_extends/,
    ],
  ];
  test.each(broken)("%s", async (_title, text, want) => {
    expect(shown((await overlayText(text)).problems)[0]).toMatch(want);
  });

  test("`extends` of this very spec is none, and 1.0 without quotes is a version", async () => {
    const text = "overlay: 1.0\ninfo: {}\nextends: ./spec.yaml\nactions: [{target: $, update: {x: 1}}]\n";
    expect((await overlayText(text)).problems).toEqual([]);
  });

  test("a query that would look through the document without end is stopped", async () => {
    const level = (value: unknown) => Array.from({ length: 10 }, () => value);
    const bomb = Array.from({ length: 8 }).reduce<unknown>(level, {});
    const started = process.cpuUsage();
    const { problems } = await applyToShared({ x: bomb });
    expect(shown(problems)[0]).toMatch(/too large/);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(8_000);

    async function applyToShared(spec: object) {
      const folder = folderOf({
        "o.yaml": "overlay: 1.1.0\ninfo: {}\nactions: [{target: '$..*[?@.a]', update: {}}]\n",
      });
      return await applyOverlays(spec as never, join(folder, "s.yaml"), [join(folder, "o.yaml")], undefined);
    }
  });

  test("a pattern that backtracks for ever elsewhere ends", async () => {
    const spec = { openapi: "3.1.0", list: [{ x: `${"a".repeat(50)}!` }] };
    const { problems } = await overlay("{target: '$.list[?match(@.x, \"(a+)+\")]', remove: true}", "1.1.0", spec);
    expect(shown(problems)[0]).toMatch(/overlay_no_match/);
  });
});

describe("overlays of an Api", () => {
  const FILES = {
    "spec.yaml":
      "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a: {get: {operationId: a, responses: {}}}\n  /far: {$ref: far.yaml}\n",
    "far.yaml": "get: {operationId: far, responses: {}}\n",
    "one.yaml":
      "overlay: 1.0.0\ninfo: {title: one, version: '1'}\nactions:\n  - target: $.paths['/a'].get\n    update: {operationId: renamed, parameters: [{name: q, in: query, schema: {$ref: 'q.yaml'}}]}\n  - target: $.paths['/far'].get\n    update: {operationId: moved}\n",
    "q.yaml": "type: integer\n",
    "two.yaml":
      "overlay: 1.0.0\ninfo: {title: two, version: '1'}\nactions: [{target: \"$.paths[?@.get.operationId=='renamed'].get\", update: {summary: last}}]\n",
  };

  test("are applied in their order before anything is read, and listed with their bytes", async () => {
    const folder = folderOf(FILES);
    const overlays = ["one.yaml", "two.yaml"].map((name) => join(folder, name));
    const api = await loadApi(join(folder, "spec.yaml"), { overlays });
    expect(api.find("renamed")).toMatchObject({ key: "GET /a", summary: "last" });
    expect(resolveOf(api, readOf(api, "renamed").parameters[0]!.schema)).toEqual({ type: "integer" });
    expect(api.files.map(({ path }) => path.replace(/^.*\//, ""))).toEqual([
      "spec.yaml",
      "one.yaml",
      "two.yaml",
      "far.yaml",
      "q.yaml",
    ]);
  });

  test.each([
    ["may bring an `$id`, which others refer to", "$id: 'https://s.example/b', ", true],
    ["without one leave the document without, so that it is not searched for any", "", false],
  ])("%s", async (_title, id, want) => {
    const folder = folderOf({
      "s.json": JSON.stringify({ ...SPEC, components: { schemas: { A: { $ref: "https://s.example/b" }, B: {} } } }),
      "o.yaml": `overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions:\n  - {target: $.components.schemas.B, update: {${id}type: integer}}\n`,
    });
    const api = await loadApi(join(folder, "s.json"), { overlays: [join(folder, "o.yaml")] });
    expect(documentOf(api)?.mayHaveIds()).toBe(want);
    const resolved = api.resolve({ $ref: "#/components/schemas/A" });
    expect("schema" in resolved && resolved.schema.type).toBe(want && "integer");
  });

  test("leave integers beyond 2^53 exact", async () => {
    const big = "9007199254740993";
    const folder = folderOf({
      "spec.yaml": `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {type: integer, default: ${big}}}}\n`,
      "o.yaml": `overlay: 1.1.0\ninfo: {}\nactions:\n  - {target: $.components.schemas.A, update: {const: ${big}}}\n`,
    });
    const api = await loadApi(join(folder, "spec.yaml"), { overlays: [join(folder, "o.yaml")] });
    expect(resolveOf(api, { $ref: "#/components/schemas/A" })).toMatchObject({ default: big, const: big });
  });

  test("change the root document only, and say so of what lies behind a reference", async () => {
    const folder = folderOf(FILES);
    const api = await loadApi(join(folder, "spec.yaml"), { overlays: [join(folder, "one.yaml")] });
    expect(api.problems).toMatchObject([
      {
        code: "overlay_no_match",
        severity: "warning",
        line: 6,
        hint: expect.stringContaining('behind the $ref "far.yaml"'),
      },
    ]);
    expect(readOf(api, "far").key).toBe("GET /far");
  });

  test("that are not there cannot be applied", async () => {
    const folder = folderOf(FILES);
    await expect(loadApi(join(folder, "spec.yaml"), { overlays: [join(folder, "gone.yaml")] })).rejects.toThrow(
      /gone\.yaml: there is no such file/,
    );
  });
});
