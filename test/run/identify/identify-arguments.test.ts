import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { ValueType } from "../../../src/model/value.ts";
import { expression, NOW, refusalOf, type Script } from "../filter/fixture.ts";
import { entityOf, identify, looking, type Naming, naming, rewriting, SOURCE, text } from "./fixture.ts";

const NUMBER = looking("^#?(\\d+)$");
const URL_ALIAS = rewriting("^https?://[^/]+/tasks/([^/?#]+)(?:[/?#].*)?$", "captures[1]");
const NAME = looking("^[a-z ]+$", "items[].{id: id, title: title, status: status, team: team}", "captures[0]");
const found = (...items: Json[]): Script => (async () => ({ items })) as Script;

describe("what a caller wrote becomes the identifier", () => {
  const LIST: ValueType = { kind: "array", items: { kind: "string" } };
  const cases: [title: string, written: Json, want: Json, naming: Naming][] = [
    ["by a look-up", "#42", "uuid-42", { aliases: [NUMBER], script: found({ id: "uuid-42" }) }],
    ["with spaces around it", " #42\n", "uuid-42", { aliases: [NUMBER], script: found({ id: "uuid-42" }) }],
    ["by an address", "https://bugs.example.com/tasks/uuid-7?tab=log", "uuid-7", { aliases: [URL_ALIAS] }],
    [
      "by a text around a group",
      "T-9",
      "task:9",
      {
        aliases: [{ pattern: "^T-(.+)$", kind: "rewrite", to: text("task:", { jmespath: "captures[1]" }) }],
      },
    ],
    [
      "under a pin",
      "9",
      "t-1/9",
      {
        aliases: [
          {
            pattern: "^(\\d)$",
            kind: "rewrite",
            to: text({ jmespath: "pins.tenant" }, "/", { jmespath: "captures[1]" }),
          },
        ],
      },
    ],
    ["as it is where no alias fits", "uuid-1", "uuid-1", { aliases: [NUMBER] }],
    ["as it is where an alias fits a part only", "see #42 there", "see #42 there", { aliases: [looking("#(\\d+)")] }],
    ["by the first that fits", "#1", "first", { aliases: [rewriting("^#(\\d)$", "'first'"), NUMBER] }],
    [
      "by the next where a group took no part",
      "x",
      "whole",
      {
        aliases: [rewriting("^(a)?x$", "captures[1]"), rewriting("^(x)$", "'whole'")],
      },
    ],
    [
      "of a number",
      "#42",
      7,
      { aliases: [NUMBER], inputs: [naming("task", { kind: "integer" })], script: found({ id: 7 }) },
    ],
    [
      "of one scalar of a body",
      "#42",
      "solo",
      { aliases: [looking("^#(\\d+)$", "id")], script: async () => ({ id: "solo" }) },
    ],
    [
      "where two rows are one thing",
      "#42",
      "a",
      { aliases: [NUMBER], script: found({ id: "a" }, { id: "a" }, { id: null }) },
    ],
    [
      "item by item",
      ["#42", "uuid-1"],
      ["uuid-42", "uuid-1"],
      {
        aliases: [NUMBER],
        inputs: [naming("task", LIST)],
        script: found({ id: "uuid-42" }),
      },
    ],
    [
      "each once where items must differ",
      ["#42", "uuid-42"],
      ["uuid-42"],
      {
        aliases: [NUMBER],
        inputs: [naming("task", { ...LIST, uniqueItems: true })],
        script: found({ id: "uuid-42" }),
      },
    ],
  ];
  test.each(cases)("%s", async (_, task, want, given) => {
    const { caller, wire } = await identify({ task, other: "#42" }, given).run();
    expect([caller.task, wire.task]).toStrictEqual([want, want]);
    expect([caller.other, wire.other]).toStrictEqual(["#42", "#42"]);
  });

  test("in the upstream's form where it has one", async () => {
    const inputs = [naming("task", LIST, { form: { as: "csv" } })];
    const { caller, wire } = await identify(
      { task: ["#1", "b"] },
      { aliases: [NUMBER], inputs, script: found({ id: "a" }) },
    ).run();
    expect([caller.task, wire.task]).toStrictEqual([["a", "b"], "a,b"]);
  });

  test("asked with what was captured, under the pins", async () => {
    const { run, asked } = identify({ task: "#42" }, { aliases: [NUMBER], script: found({ id: "a" }) });
    await run();
    expect(asked()).toStrictEqual(["/search?q=42&tenant=t-1"]);
  });

  test("without asking anything where it is absent, null or of no entity", async () => {
    for (const values of [{}, { task: null }] as JsonObject[]) {
      const { run, asked } = identify(values, { aliases: [NUMBER] });
      expect((await run()).caller).toStrictEqual(values);
      expect(asked()).toStrictEqual([]);
    }
  });

  test("never by what it holds: whatever is written, a rewriting gives its own group or the text stays", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async (written) => {
        const { caller } = await identify({ task: written }, { aliases: [URL_ALIAS] }).run();
        const group = /^https?:\/\/[^/]+\/tasks\/([^/?#]+)([/?#].*)?$/.exec(written.trim())?.[1];
        expect(caller.task).toBe(group ?? written);
      }),
      { numRuns: 200, examples: [["https://x/tasks/${env.KEY}"], ["https://x/tasks/a#b"], ["$.pins.tenant"]] },
    );
  });
});

describe("what names nothing", () => {
  const none: Naming = { aliases: [NUMBER, NAME] };

  test("is refused with the tool that lists such things", async () => {
    expect(await refusalOf(identify({ task: "#99" }, none).run)).toStrictEqual({
      error: "unknown_id",
      message: "There is no task `#99`.",
      recover: "Call `ledger_list_dimensions` and use exact name values.",
      path: "task",
      got: "#99",
      retryable: false,
    });
  });

  test("is refused with all others of the call", async () => {
    const inputs = [naming("task"), naming("others", { kind: "array", items: { kind: "string" } })];
    const refused = await refusalOf(identify({ task: "id-1", others: ["a b", "id-2", "#7"] }, { ...none, inputs }).run);
    expect(refused).toMatchObject({ path: "others[0]", message: "There is no task `a b`, `#7`." });
  });

  test("where the tool cannot be called, to be asked for", async () => {
    const refused = await refusalOf(identify({ task: "#99" }, { ...none, entity: { tool: "hidden" } }).run);
    expect(refused.recover).toBe("Use an exact name; ask the user for it where you have none.");
  });

  test.each([
    ["404", { status: 404 }],
    ["nothing", { status: 204 }],
    ["a thing without one", { items: [{ id: null, title: "x" }] }],
  ])("where the look-up answers %s", async (_, answer) => {
    const { run } = identify({ task: "#99" }, { ...none, script: async () => answer });
    expect(await refusalOf(run)).toMatchObject({ error: "unknown_id" });
  });

  test("where it cannot be what the place takes", async () => {
    const inputs = [naming("task", { kind: "string", pattern: "^uuid-\\d+$" })];
    const { run } = identify(
      { task: "UUID" },
      { aliases: [NUMBER], inputs, entity: { source: SOURCE }, script: async () => ({ tasks: [{ id: "uuid-1" }] }) },
    );
    expect(await refusalOf(run)).toMatchObject({
      error: "unknown_id",
      message: expect.stringMatching(/^There is no task `UUID`\. `task` must be .*\^uuid-/),
      nearest: ["uuid-1"],
    });
  });

  const listed = (status = 200): Naming => ({
    ...none,
    entity: { source: SOURCE },
    script: async ({ url }) =>
      new URL(url).pathname === "/search"
        ? { items: [] }
        : status === 200
          ? { tasks: [{ id: "open doors" }, { id: "shut doors" }] }
          : { status },
  });

  test("with what is like it", async () => {
    const { run, asked } = identify({ task: "opn doors" }, listed());
    expect(await refusalOf(run)).toMatchObject({
      nearest: ["open doors"],
      recover: expect.stringMatching(/See `nearest`\.$/),
    });
    expect(asked()).toStrictEqual(["/search?q=opn%20doors&tenant=t-1", "/tasks"]);
  });

  test("with all that there are where nothing is like it and they are few", async () => {
    expect(await refusalOf(identify({ task: "#9" }, listed()).run)).toMatchObject({
      allowed: ["open doors", "shut doors"],
    });
  });

  test("without them where they cannot be listed", async () => {
    const refused = await refusalOf(identify({ task: "opn doors" }, listed(500)).run);
    expect([refused.error, refused.nearest, refused.allowed]).toStrictEqual(["unknown_id", undefined, undefined]);
  });
});

describe("what names several things", () => {
  const team = "checkout team with a name that is long enough to be cut somewhere";
  const items = Array.from({ length: 7 }, (_, at) => ({
    id: `id-${at}`,
    title: "open doors",
    status: `state ${at}`,
    team,
  }));

  test("is refused with five of them and what tells them apart", async () => {
    const { run } = identify({ task: "open doors" }, { aliases: [NAME], script: found(...items) });
    expect(await refusalOf(run)).toStrictEqual({
      error: "ambiguous_id",
      message: "`open doors` stands for 7 things of the kind task; the first 5 are in `allowed`.",
      recover:
        "Call again with the name of the one that is meant, out of `allowed`; `ledger_list_dimensions` lists the others. Ask the user where you cannot tell.",
      retryable: false,
      path: "task",
      got: "open doors",
      allowed: [0, 1, 2, 3, 4].map((at) => ({ id: `id-${at}`, status: `state ${at}` })),
    });
  });

  test("is shown by identifiers where the look-up gives no more", async () => {
    const { run } = identify({ task: "#4" }, { aliases: [NUMBER], script: found({ id: 1 }, { id: 2 }) });
    expect(await refusalOf(run)).toMatchObject({
      allowed: ["1", "2"],
      message: "`#4` stands for 2 things of the kind task.",
    });
  });

  test("counts before what names nothing", async () => {
    const inputs = [naming("task"), naming("other")];
    const script: Script = async ({ url }) => ({ items: url.includes("q=2") ? [{ id: 1 }, { id: 2 }] : [] });
    expect(
      await refusalOf(identify({ task: "#1", other: "#2" }, { aliases: [NUMBER], inputs, script }).run),
    ).toMatchObject({
      error: "ambiguous_id",
      path: "other",
    });
  });

  test("over all pages of the look-up", async () => {
    const paged = {
      ...NUMBER,
      call: {
        ...("call" in NUMBER ? NUMBER.call : undefined)!,
        pages: {
          style: "token",
          send: { place: { in: "query", name: "page", pointer: [] }, type: "string" },
          next: expression("next"),
        },
      },
    } as const;
    const script: Script = async ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page") ?? 0);
      return { items: page === 1 ? [] : [{ id: page }], ...(page < 2 && { next: String(page + 1) }) };
    };
    expect(await refusalOf(identify({ task: "#1" }, { aliases: [paged as typeof NUMBER], script }).run)).toMatchObject({
      allowed: ["0", "2"],
    });
  });
});

/** Such a tool takes nothing from memory. */
const WRITES = {
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const;

describe("a look-up", () => {
  const one = found({ id: "a" });

  test("is made once for each value of a call, also of one that writes", async () => {
    const inputs = [naming("task"), naming("others", { kind: "array", items: { kind: "string" } })];
    const { run, asked } = identify(
      { task: "#1", others: ["#1", "#2", "#1"] },
      { aliases: [NUMBER], inputs, script: one, tool: WRITES },
    );
    await run();
    expect(asked()).toHaveLength(2);
  });

  const again = async (naming: Naming, laterMs: number) => {
    const first = identify({ task: "#1" }, naming);
    await first.run().catch(() => {});
    const given = { ...naming.given, now: new Date(NOW.getTime() + laterMs) };
    const next = identify({ task: "#1" }, { ...naming, given, access: first.asking.access });
    await next.run().catch(() => {});
    return next.asked().filter((url) => url.startsWith("/search")).length;
  };

  test.each([
    ["is remembered for a minute", { script: one }, 59_000, 0],
    ["is made anew after it", { script: one }, 60_001, 1],
    ["is made anew where nothing was found", { script: found() }, 1, 1],
    ["is made anew where several were", { script: found({ id: 1 }, { id: 2 }) }, 1, 1],
    ["is made anew by a tool that writes", { script: one, tool: WRITES }, 1, 1],
  ] as const)("%s", async (_, more, laterMs, want) => {
    expect(await again({ aliases: [NUMBER], ...more }, laterMs)).toBe(want);
  });

  test("is not shared between accesses", async () => {
    const naming: Naming = { aliases: [NUMBER], script: one };
    await identify({ task: "#1" }, naming).run();
    const other = identify({ task: "#1" }, naming);
    await other.run();
    expect(other.asked()).toHaveLength(1);
  });

  test.each([
    ["a failure", async () => ({ status: 500, body: "{}" }), "upstream_unavailable"],
    ["a refusal", async () => ({ status: 403, body: "{}" }), "upstream_unauthorized"],
    ["another body", async () => ({ items: [{ id: { no: "scalar" } }] }), "upstream_bad_response"],
  ] as const)("that ends with %s says so, by no rule of the tool's own", async (_, script, error) => {
    const errors = [{ error: "own", recover: "Own." }];
    const refused = await refusalOf(
      identify({ task: "#1" }, { aliases: [NUMBER], script: script as Script, tool: { errors } }).run,
    );
    expect(refused).toMatchObject({
      error,
      message: expect.stringMatching(/^What `#1` stands for was not found out\. /),
    });
  });
});

test("an entity that the toolset lacks is a fault of ours", async () => {
  const { run } = identify({ task: "x" }, { given: { toolset: { entities: [entityOf([], { name: "other" })] } } });
  await expect(run()).rejects.toThrow("has no entity task");
});
