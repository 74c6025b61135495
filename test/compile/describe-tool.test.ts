import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeServer } from "../../src/compile/words/describe-server.ts";
import { describeTool } from "../../src/compile/words/describe-tool.ts";
import { plainText, stripHidden } from "../../src/compile/words/plain-text.ts";
import { nameTools } from "../../src/compile/words/tool-names.ts";
import type { Operation } from "../../src/model/api.ts";
import type { Tool } from "../../src/model/tool.ts";
import { leaveOutTools } from "../../src/model/visible/leave-out-tools.ts";
import { withoutSentences } from "../../src/model/visible/without-sentences.ts";
import { curationOf, operationOf } from "./spec-stub.ts";

const tools = {
  list_dimensions: { operation: "a" },
  run_cost_query: { operation: "b" },
  "billing.get_invoice": { operation: "c" },
};

function describeEntry(entry: object, operation: Partial<Operation> = {}) {
  const curation = curationOf({ ...tools, list_dimensions: { operation: "a", ...entry } }, { prefix: "ledger_" });
  const { description, title, problems } = describeTool(
    "list_dimensions",
    curation.content.tools.list_dimensions!,
    ["tools", "list_dimensions"],
    { curation, names: nameTools(curation), operation: { ...operationOf([]), ...operation } },
  );
  return {
    description,
    title,
    problems: problems.map(({ severity, code, file, hint }) => [
      severity,
      code,
      file.replace("tools.list_dimensions.", ""),
      hint,
    ]),
  };
}

describe("a tool's description", () => {
  test("is use, notFor, returns and next in this order", () => {
    const { description, problems } = describeEntry({
      next: { run_cost_query: "group or filter by these exact names.", "billing.get_invoice": "to read one" },
      returns: "One row a field",
      notFor: "The values of a field.",
      use: "Find the exact field names of the tenant's data before a cost query.",
    });
    expect(description).toBe(
      "Find the exact field names of the tenant's data before a cost query. Not for: The values of a field. " +
        "Returns: One row a field. Next: `ledger_run_cost_query` to group or filter by these exact names; `ledger_billing_get_invoice` to read one.",
    );
    expect(problems).toEqual([]);
  });

  test("leads to tools by the names that callers see", () => {
    const use =
      "Before `run_cost_query`, `ledger_run_cost_query` or `billing.get_invoice`; `page_size` is none, nor is `x y`.";
    expect(describeEntry({ use })).toEqual({
      title: "List dimensions",
      description:
        "Before `ledger_run_cost_query`, `ledger_run_cost_query` or `ledger_billing_get_invoice`; `page_size` is none, nor is `x y`.",
      problems: [],
    });
  });

  const wrong: readonly (readonly [name: string, entry: object, want: unknown[]])[] = [
    [
      "a tool's name with a slip",
      { use: "See `list_dimension`." },
      ["error", "unknown_tool_name", "use", 'Did you mean "list_dimensions"?'],
    ],
    [
      "a slip in notFor",
      { use: "A.", notFor: "`run_cost_qery` does that." },
      ["error", "unknown_tool_name", "notFor", 'Did you mean "run_cost_query"?'],
    ],
    [
      "next that is no tool",
      { use: "A.", next: { run_cost_querys: "see" } },
      ["error", "unknown_tool", "next.run_cost_querys", 'Did you mean "run_cost_query"?'],
    ],
    [
      "next that is nothing like a tool",
      { use: "A.", next: { zzz: "see" } },
      ["error", "unknown_tool", "next.zzz", "There is list_dimensions, run_cost_query, billing.get_invoice."],
    ],
    [
      "a first sentence over 200 characters",
      { use: `${"word ".repeat(41)}end. Short.` },
      ["warning", "purpose_too_late", "use", "Begin with one short sentence on what the tool is for."],
    ],
    [
      "hidden characters",
      { use: "Read\u200B it\u{E0041}." },
      ["warning", "hidden_characters", "use", "Type the text anew."],
    ],
    [
      "more than 1,024 characters",
      { use: "A.", returns: "x".repeat(1_020) },
      ["error", "description_too_long", "use", "Shorten `use`, `notFor`, `returns` or `next`."],
    ],
  ];
  test.each(wrong)("%s is found", (_, entry, want) => {
    expect(describeEntry(entry).problems).toEqual([want]);
  });

  test("1,024 characters are not too long", () => {
    const { description, problems } = describeEntry({ use: "A.", returns: `${"x".repeat(1_011)}.` });
    expect([description.length, problems]).toEqual([1_024, []]);
  });

  const fallbacks: readonly (readonly [name: string, operation: Partial<Operation>, want: string])[] = [
    ["the summary", { summary: "List all dimensions" }, "List all dimensions"],
    [
      "else the description's first sentences",
      { description: `${"One sentence, ".repeat(5)}at last. ${"word ".repeat(60)}` },
      `${"One sentence, ".repeat(5)}at last.`,
    ],
    ["a long sentence is cut at a word", { summary: "word ".repeat(60) }, `${"word ".repeat(39)}word…`],
    ["else the method and path", {}, "Sends GET /things"],
    ["without HTML", { summary: "<p>A<!-- b --> <b>list</b> of [things](http://x)</p>" }, "A list of things"],
    [
      "without what is hidden",
      { summary: "Re\u200Bad\u202E it\u{E0049}\u{E0067}\uFEFF\u0007\u{E0101}\uFE01" },
      "Read it",
    ],
    ["an emoji stays whole", { summary: "For \u{1F469}\u200D\u{1F4BB} people" }, "For \u{1F469}\u200D\u{1F4BB} people"],
    ["a joiner that joins no emoji goes", { summary: "a\u200Db" }, "ab"],
    ["what is only hidden is nothing", { summary: "\u200B", description: "Said." }, "Said."],
  ];
  test.each(fallbacks)("where the curation says nothing it is %s", (_, operation, want) => {
    expect(describeEntry({}, operation).description).toBe(want);
  });

  test("a title may be given", () => {
    expect(describeEntry({ title: "Fields" }).title).toBe("Fields");
  });
});

test("no text of a spec leaves a tag or a hidden character behind", () => {
  const pieces = fc.constantFrom(
    "<",
    ">",
    "b",
    "/",
    "!--",
    "-->",
    " ",
    "script",
    "\u200B",
    "\u{E0041}",
    "a.",
    "\u202E",
    "&lt;",
    "&#60;",
    "&#8203;",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const plain = plainText(parts.join(""));
      return !/<[A-Za-z/!?]/.test(plain) && stripHidden(plain) === plain;
    }),
  );
});

test.each([
  ["A &amp; B &lt;id&gt; &quot;x&quot; it&#39;s &#x2014; done&hellip;", 'A & B < id> "x" it\'s — done…'],
  ["<b>1&nbsp;&lt;&nbsp;2</b>", "1 < 2"],
  ["&amp;lt; stays a text", "&lt; stays a text"],
  ["R&D; AT&T &unknown; &#0; &#99999999;", "R&D; AT&T &unknown; &#0; &#99999999;"],
  ["hidden &#8203;&#xE0041;&#8238;away", "hidden away"],
])("character references are read: %s", (text, want) => {
  expect(plainText(text)).toBe(want);
});

describe("the server's instructions", () => {
  const instruct = (
    entries: Record<string, object>,
    server: object = {},
    inputs: string[] = [],
    hidden: string[] = [],
  ) => {
    const full = Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, { operation: "a", ...entry }]),
    );
    const curation = curationOf(full, { prefix: "l_", ...server });
    const { instructions, problems } = describeServer(
      curation,
      [...nameTools(curation).values()]
        .filter((name) => !hidden.includes(name))
        .map((name) => ({ name, inputs: inputs.map((input) => ({ name: input })) })),
      nameTools(curation),
    );
    return { instructions, problems: problems.map(({ code, file }) => [code, file]) };
  };
  const next = (...names: string[]) => ({ next: Object.fromEntries(names.map((name) => [name, "go on"])) });

  test("are the author's, then the order of calls", () => {
    const entries = { list: next("get", "run"), get: next("run"), run: next("done", "list"), done: {}, other: {} };
    expect(instruct(entries, { instructions: "Money is in cents; see `list`.\n" })).toEqual({
      instructions:
        "Money is in cents; see `l_list`.\nOrder of calls: `l_list`, then `l_get` or `l_run`, then `l_done`.",
      problems: [],
    });
  });

  test("name each start, and in a circle the first of the file", () => {
    expect(instruct({ b: next("c"), a: next("c"), c: {} }).instructions).toBe(
      "Order of calls: `l_b`, then `l_c`; `l_a`, then `l_c`.",
    );
    expect(instruct({ a: next("b"), b: next("a") }).instructions).toBe("Order of calls: `l_a`, then `l_b`.");
  });

  test.each([
    ["id", true],
    ["tenantID", true],
    ["zone_id", true],
    ["userId", true],
    ["customerIds", true],
    ["paid", false],
    ["grid", false],
    ["valid", false],
  ])("an input called %s asks not to make up IDs: %s", (name, want) => {
    expect(instruct({ a: {} }, {}, [name]).instructions).toBe(want ? "Never make up an ID." : "");
  });

  test("say where IDs come from, what may run in parallel, and what no rows mean", () => {
    const curation = curationOf({ list: { operation: "a" }, get: { operation: "a" }, pay: { operation: "a" } }, {});
    const entities = { bill: { from: "list", field: "id" } };
    const withKinds = { ...curation, content: { ...curation.content, entities } };
    const hints = (readOnlyHint: boolean) =>
      ({ readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: true }) as const;
    const rows = { kind: "list", rows: { jmespath: "@" }, budget: 1 } as const;
    const inputs = [{ name: "bill", entity: "bill" }];
    const tools = [
      { name: "list", inputs: [], annotations: hints(true), shape: rows },
      { name: "get", inputs, annotations: hints(true) },
      { name: "pay", inputs, annotations: hints(false) },
    ];
    const told = (some: typeof tools) => describeServer(withKinds, some, nameTools(curation)).instructions;
    expect(told(tools)).toBe(
      "Order of calls: `list`, then `get` or `pay`. Never make up an ID: take bill from `list`. " +
        "Calls that only read may run in parallel; `pay` one at a time. " +
        "No rows means that nothing matched these arguments, not that there is nothing.",
    );
    expect(told(tools.slice(1))).toBe("");
    expect(told(tools.slice(0, 2))).toContain("may run in parallel: all tools only read.");
  });

  test("leave out what there is no room for, and refuse an author's text that is cut", () => {
    const long = `${"x".repeat(2_030)}.`;
    expect(instruct({ a: next("b"), b: {} }, { instructions: long }, [])).toEqual({ instructions: long, problems: [] });
    expect(instruct({ a: {} }, { instructions: "x".repeat(2_049) }).problems).toEqual([
      ["instructions_too_long", "server.instructions"],
    ]);
  });

  test("find a tool's name with a slip", () => {
    expect(instruct({ list_rows: {} }, { instructions: "See `list_row`." }).problems).toEqual([
      ["unknown_tool_name", "server.instructions"],
    ]);
  });

  test("name no tool that is not there", () => {
    const entries = { list: next("pay", "get"), get: next("pay"), pay: next("list") };
    const instructions = "Read first. Then call `pay`! Money is in cents.";
    expect(instruct(entries, { instructions }, [], ["l_pay"])).toEqual({
      instructions: "Read first. Money is in cents.\nOrder of calls: `l_list`, then `l_get`.",
      problems: [],
    });
  });
});

describe("what names a tool that is not there", () => {
  const hidden = new Set(["pay", "void"]);
  test.each([
    ["List rows. Not for: Paying; call `pay`. Returns: Rows.", "List rows. Returns: Rows."],
    ["List rows. Next: `pay` to pay; `get` to read; `void` to undo.", "List rows. Next: `get` to read."],
    ["List rows. Next: `pay` to pay.", "List rows."],
    ["For version 1.2 see `get`. Or `pay`.", "For version 1.2 see `get`."],
    ["Pay it, or `payment` says why.", "Pay it, or `payment` says why."],
    ["`pay` it.", ""],
  ])("%j becomes %j", (text, want) => {
    expect(withoutSentences(text, hidden)).toBe(want);
  });

  const source = { call: { operation: 0, bindings: [] }, rows: { jmespath: "@" }, field: { jmespath: "@" } };
  const told = { a: "A value. Exact values of `pay`.", b: "Exact values of `void`." };
  const tool: Tool = {
    name: "list",
    title: "List",
    description: "A.",
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    inputSchema: {
      type: "object",
      properties: { a: { type: "string", description: told.a }, b: { type: "string", description: told.b } },
    },
    inputs: [
      {
        name: "a",
        required: false,
        type: { kind: "string", description: told.a },
        valuesFrom: { ...source, tool: "pay" },
      },
      {
        name: "b",
        required: false,
        type: { kind: "string", description: told.b },
        valuesFrom: { ...source, tool: "get" },
      },
    ],
    filter: { offered: true, depth: 1, fields: [], from: { ...source, tool: "void" }, always: [] },
    plan: { kind: "access" },
    shape: { kind: "object", budget: 1000 },
    errors: [
      { error: "e", recover: "Call `pay`." },
      { error: "f", recover: "Wait." },
    ],
    deadlineMs: 1000,
    tags: [],
  };

  test("is gone from hints on errors as well, which are never empty", () => {
    expect(leaveOutTools(tool, hidden).errors.map(({ recover }) => recover)).toEqual(["Try without.", "Wait."]);
    expect(leaveOutTools(tool, new Set())).toBe(tool);
  });

  test("is gone from inputs and their value lists as well", () => {
    const { inputs, inputSchema, filter } = leaveOutTools(tool, hidden);
    expect(inputs.map(({ type, valuesFrom }) => [type.description, valuesFrom?.tool])).toEqual([
      ["A value.", undefined],
      [undefined, "get"],
    ]);
    expect(inputSchema.properties).toEqual({ a: { type: "string", description: "A value." }, b: { type: "string" } });
    expect(filter?.from).toEqual(source);
  });
});
