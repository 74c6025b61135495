import { describe, expect, test } from "vitest";
import { compareManifests } from "../../../src/surface/diff/compare-manifests.ts";
import type { Manifest } from "../../../src/surface/manifest-format.ts";
import {
  grouped,
  IN,
  input,
  lay,
  list,
  manifestOf,
  type Patch,
  runTable,
  SMALL,
  type SmallManifest,
  small,
  told,
} from "./compare-builder.ts";

// Two lists that differ in one thing, and what is told of it, there and back: names, words, hints, groups and clients.

describe("names", () => {
  runTable([
    [
      "a tool is gone, or new",
      { tools: { close_bug: undefined } },
      ["BREAKING tool_removed close_bug"],
      ["COMPATIBLE tool_added close_bug"],
    ],
    [
      "a tool looks renamed",
      { tools: { close_bug: undefined, shut_bug: { ...SMALL.tools["close_bug"], name: "shut_bug" } } },
      ["BREAKING tool_renamed shut_bug/name"],
      ["BREAKING tool_renamed close_bug/name"],
    ],
    [
      "a tool is renamed and answers to its old name",
      {
        tools: {
          close_bug: undefined,
          shut_bug: { ...SMALL.tools["close_bug"], name: "shut_bug", aliases: ["close_bug"] },
        },
      },
      ["BEHAVIOUR tool_renamed_served shut_bug/name"],
      ["BREAKING tool_renamed close_bug/name"],
    ],
    [
      "an old name is no longer served",
      list({ aliases: undefined }),
      ["BREAKING alias_removed /aliases"],
      ["COMPATIBLE alias_added /aliases"],
    ],
    [
      "an old name calls another tool",
      { tools: { list_bugs: { aliases: undefined }, get_bug: { aliases: ["find_bugs"] } } },
      ["BREAKING alias_taken /aliases", "COMPATIBLE alias_added get_bug/aliases"],
      ["BREAKING alias_taken get_bug/aliases", "COMPATIBLE alias_added /aliases"],
    ],
    [
      "a tool that does the same as another",
      { tools: { fetch_bug: { ...SMALL.tools["get_bug"], name: "fetch_bug" } } },
      ["BEHAVIOUR tool_overlaps fetch_bug"],
      ["BREAKING tool_removed fetch_bug"],
    ],
  ]);

  test("a tool is gone and another answers to its name", () => {
    const twin = { ...SMALL.tools["get_bug"], name: "fetch_bug", description: "The same. Not for: Lists." };
    const [base, head] = [
      small({ tools: { fetch_bug: twin } }),
      small({ tools: { get_bug: { aliases: ["fetch_bug"] } } }),
    ];
    expect(told(base, head)).toStrictEqual([
      "BEHAVIOUR tool_replaced fetch_bug",
      "COMPATIBLE alias_added get_bug/aliases",
    ]);
  });

  test("words that name a renamed tool say the same", () => {
    const head = small({
      server: { instructions: "Call `all_bugs`, then `get_bug`." },
      tools: {
        list_bugs: undefined,
        all_bugs: { ...SMALL.tools["list_bugs"], name: "all_bugs", aliases: ["list_bugs", "find_bugs"] },
      },
    });
    expect(told(small(), head)).toStrictEqual(["BEHAVIOUR tool_renamed_served all_bugs/name"]);
  });
});

describe("hints", () => {
  runTable([
    [
      "it writes",
      list({ annotations: { readOnlyHint: false } }),
      ["BREAKING no_longer_read_only /annotations/readOnlyHint"],
      ["COMPATIBLE became_read_only /annotations/readOnlyHint"],
    ],
    [
      "it destroys",
      list({ annotations: { destructiveHint: true } }),
      ["BREAKING became_destructive /annotations/destructiveHint"],
      ["COMPATIBLE no_longer_destructive /annotations/destructiveHint"],
    ],
    [
      "it is not safe to repeat",
      list({ annotations: { idempotentHint: false } }),
      ["BREAKING no_longer_idempotent /annotations/idempotentHint"],
      ["COMPATIBLE became_idempotent /annotations/idempotentHint"],
    ],
    [
      "it stays inside",
      list({ annotations: { openWorldHint: false } }),
      ["COMPATIBLE no_longer_open_world /annotations/openWorldHint"],
      ["BREAKING became_open_world /annotations/openWorldHint"],
    ],
  ]);
});

describe("words and the server", () => {
  const both = (line: string): [string[], string[]] => [[line], [line]];
  runTable([
    ["the title", list({ title: "Bugs", annotations: { title: "Bugs" } }), ...both("BEHAVIOUR title_changed /title")],
    [
      "the description",
      list({ description: "All bugs. Not for: One bug; call `get_bug`." }),
      ...both("BEHAVIOUR description_changed /description"),
    ],
    [
      "the instructions",
      { server: { instructions: "Call `get_bug`." } },
      ...both("BEHAVIOUR instructions_changed server/server/instructions"),
    ],
    [
      "the server's title",
      { server: { title: undefined } },
      ...both("BEHAVIOUR server_title_changed server/server/title"),
    ],
    ["the server's name", { server: { name: "flaws" } }, ...both("BREAKING server_name_changed server/server/name")],
    [
      "how long page tokens live",
      { server: { pageTokenTtlMs: 1_000 } },
      ...both("BEHAVIOUR page_token_ttl_changed server/server/pageTokenTtlMs"),
    ],
    ["a tenth more tokens", { tokens: 660 }, ["BEHAVIOUR list_tokens_changed server/tokens"], []],
    [
      "a tenth less tokens",
      { tokens: 540 },
      ["BEHAVIOUR list_tokens_changed server/tokens"],
      ["BEHAVIOUR list_tokens_changed server/tokens"],
    ],
    ["hardly more tokens", { tokens: 659 }, [], []],
    [
      "a pin more",
      { pins: ["team", "tenant"] },
      ["BEHAVIOUR pin_added server/pins"],
      ["BREAKING pin_removed server/pins"],
    ],
    [
      "a pin more, in the requests of every tool",
      {
        pins: ["team", "tenant"],
        tools: {
          list_bugs: { conduct: { requests: { "pinned team": "3" } } },
          get_bug: { conduct: { requests: { "pinned team": "3" } } },
        },
      },
      ["BEHAVIOUR pin_added server/pins"],
      ["BREAKING pin_removed server/pins"],
    ],
    ["tags", list({ tags: [] }), ...both("BEHAVIOUR tags_changed /tags")],
    ["what it was made by and from", { made: { vitrine: "2.0.0", from: [{ path: "a.yaml", sha256: "0" }] } }, [], []],
    ["what no rule knows", { server: { logo: "a" } }, ...both("UNKNOWN unclassified_change server/server/logo")],
  ]);

  test("another order of the list", () => {
    const base = small();
    expect(told(base, { ...base, tools: base.tools.toReversed() })).toStrictEqual([
      "BEHAVIOUR tool_order_changed server/tools",
    ]);
  });

  test("another order of keys, values and required names is none", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, one]) => [key, reversed(one)]),
      );
    };
    expect(told(small(), reversed(small()) as Manifest)).toStrictEqual([]);
    expect(told(small(), small(input("state", { enum: ["closed", "open"] })))).toStrictEqual([]);
  });
});

describe("clients", () => {
  test.each([
    [
      "a name that is too long for some",
      { server: { name: "a-server-of-mine" } },
      "list_bugs_of_all_projects_since_they_were_made",
      "portability_regressed",
    ],
    ["a name that fits", {}, "list_all", undefined],
  ] as const)("%s", (_, first, name, want) => {
    const renamed = {
      tools: {
        list_bugs: undefined,
        [name]: { ...SMALL.tools["list_bugs"], name, aliases: ["list_bugs", "find_bugs"] },
      },
    };
    const found = compareManifests(small(first), small(first, renamed)).filter(({ rule }) =>
      rule.startsWith("portability"),
    );
    expect(found.map(({ rule }) => rule)).toStrictEqual(want === undefined ? [] : [want]);
  });

  test("a description that clients cut is told once for all of them, and not again where it was so", () => {
    const long = list({ description: "Bugs. ".repeat(200) });
    const found = compareManifests(small(), small(long)).filter(({ rule }) => rule.startsWith("portability"));
    expect(found).toMatchObject([
      { rule: "portability_regressed", class: "BREAKING", tool: "list_bugs", path: "/description" },
    ]);
    expect(found[0]!.after).toContain("openai");
    expect(told(small(long), small(long, { tokens: 601 }))).toStrictEqual([]);
  });

  test("a renamed tool is not new to a client", () => {
    const long = { ...SMALL.tools["list_bugs"], description: "Bugs. ".repeat(200) };
    const renamed = { ...long, name: "all_bugs", aliases: ["find_bugs", "list_bugs"] };
    const head = small({ tools: { list_bugs: undefined, all_bugs: renamed } });
    expect(told(small({ tools: { list_bugs: long } }), head)).toStrictEqual([
      "BEHAVIOUR tool_renamed_served all_bugs/name",
    ]);
  });

  test("a tool more than a client takes", () => {
    const many = (count: number) =>
      small({
        tokens: 100,
        tools: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `tool_${at}`,
            { ...SMALL.tools["get_bug"], name: `tool_${at}`, description: `Does ${at}. Not for: Else.` },
          ]),
        ),
      });
    expect(compareManifests(many(125), many(126))).toMatchObject([
      {
        rule: "portability_regressed",
        tool: null,
        path: "/tools",
        after: ["openai", "openai-strict", "vscode", "copilot-cli"],
      },
      { rule: "tool_added" },
    ]);
  });
});

describe("groups", () => {
  const inGroup = (patch: Patch = {}, discriminator?: string) =>
    manifestOf(grouped(lay(SMALL, patch) as SmallManifest, discriminator));

  test("the same tools in groups and flat are one finding", () => {
    expect(told(small(), inGroup())).toStrictEqual(["BREAKING exposure_changed server/tools"]);
    expect(told(inGroup(), small())).toStrictEqual(["BREAKING exposure_changed server/tools"]);
  });

  test("words that name an action say the same as those that name the tool", () => {
    const said = { server: { instructions: "Call `bug` with action `list`, then `bug` with action `get`." } };
    expect(told(small(), inGroup(said))).toStrictEqual(["BREAKING exposure_changed server/tools"]);
  });

  test.each([
    ["an input of an action is gone", input("when", undefined), [`BREAKING input_removed bug/list${IN}/when`]],
    ["an action is gone", { tools: { get_bug: undefined } }, ["BREAKING tool_removed bug/get"]],
    ["an action's text", list({ description: "All bugs." }), ["BEHAVIOUR description_changed bug/list/description"]],
    [
      "an action's own hint",
      list({ annotations: { readOnlyHint: false } }),
      ["BREAKING no_longer_read_only bug/list/annotations/readOnlyHint"],
    ],
  ])("%s", (_, patch: Patch, want) => {
    expect(told(inGroup(), inGroup(patch))).toStrictEqual(want);
  });

  test("an action that writes is new in a group that only read", () => {
    const reads = (patch: Patch, hints: Patch) =>
      lay(inGroupSmall(patch), { tools: { bug: { annotations: hints } } }) as SmallManifest;
    const inGroupSmall = (patch: Patch) => grouped(lay(SMALL, patch) as SmallManifest);
    const base = reads({ tools: { close_bug: undefined } }, { readOnlyHint: true, destructiveHint: false });
    expect(told(manifestOf(base), manifestOf(reads({}, {})))).toStrictEqual([
      "BREAKING became_destructive bug/annotations/destructiveHint",
      "BREAKING no_longer_read_only bug/annotations/readOnlyHint",
      "COMPATIBLE tool_added bug/close",
    ]);
  });

  test("the argument that chooses the action is renamed", () => {
    expect(told(inGroup(), inGroup({}, "do"))).toStrictEqual([
      "BREAKING discriminator_changed bug/group/discriminator",
    ]);
  });

  test("an action goes to another group", () => {
    const base = inGroup();
    const bug = base.tools[0]!;
    const { close, ...rest } = bug.group!.actions;
    const apart: Manifest = {
      ...base,
      tools: [
        { ...bug, group: { discriminator: "action", actions: rest } },
        { ...bug, name: "bug_write", group: { discriminator: "action", actions: { close: close! } } },
      ],
    };
    const sum = "BEHAVIOUR portability_worsened server/tools";
    expect(told(base, apart)).toStrictEqual(["BREAKING action_moved bug_write/close/name", sum]);
  });

  test("an old name of an action is served within its group only", () => {
    const rename = (aliases: readonly string[]): Manifest => {
      const base = inGroup();
      const bug = base.tools[0]!;
      const { close, ...rest } = bug.group!.actions;
      const shut = { ...close!, name: "shut_bug", aliases };
      return { ...base, tools: [{ ...bug, group: { discriminator: "action", actions: { ...rest, shut } } }] };
    };
    expect(told(inGroup(), rename(["close", "close_bug"]))).toStrictEqual([
      "BEHAVIOUR tool_renamed_served bug/shut/name",
    ]);
    expect(told(inGroup(), rename(["close_bug"]))).toContain("BREAKING tool_renamed bug/shut/name");
  });

  test("the schema of a group changes and none of its actions does", () => {
    const base = inGroup();
    const bug = base.tools[0]!;
    const head = {
      ...base,
      tools: [lay(bug, { inputSchema: { properties: { owner: { maxLength: 9 } } } })],
    } as Manifest;
    expect(told(base, head)).toStrictEqual(["UNKNOWN group_schema_changed bug/inputSchema"]);
  });
});
