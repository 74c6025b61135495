import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { UnreadableInput } from "../../src/model/errors.ts";

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");
const LEDGER = fixture("contract/ledger.yaml");
const WORKFLOW = fixture("contract/workflow.yaml");
const EVERY_KEY = fixture("curation/every-key.yaml");

function load(text: string) {
  return loadCuration("demo.yaml", text);
}

function content(text: string) {
  const { curation, problems } = load(text);
  expect(problems).toEqual([]);
  return curation!.content;
}

/** The line that a person reads, for a text that is no YAML. */
function refusal(text: string): string {
  try {
    load(text);
  } catch (error) {
    if (error instanceof UnreadableInput) return error.message;
    throw error;
  }
  return "";
}

const MINIMAL = "vitrine: 1\napi: { spec: a.yaml }\nserver: { name: demo }\n";

describe("the contract's samples", () => {
  test.each([
    ["the ledger", LEDGER],
    ["the workflow", WORKFLOW],
    ["what the prose names", EVERY_KEY],
  ])("%s passes without a finding", (_, text) => expect(load(text).problems).toEqual([]));

  test("sizes are bytes and durations milliseconds", () => {
    const { api, server, tools } = content(LEDGER);
    expect([api.timeout, api.maxResponse, server.pageTokenTtl]).toEqual([20_000, 20_000_000, 900_000]);
    expect(tools.list_dimensions?.result?.budget).toBe(8_000);
  });

  test("a curation knows its file, its digest and where each node stands", () => {
    const { curation } = load(LEDGER);
    expect(curation?.sha256).toBe(createHash("sha256").update(LEDGER).digest("hex"));
    const at = (...path: (string | number)[]) => {
      const { file, line, column } = curation!.locate(path);
      return `${file}:${line}:${column} ${LEDGER.split("\n")[line - 1]?.slice(column - 1, column + 5)}`;
    };
    expect(at("tools", "run_cost_query", "input", "bucket")).toBe("demo.yaml:55:7 bucket");
    expect(at("tools", "run_cost_query", "result", "order", 1)).toBe("demo.yaml:67:55 { by: ");
    expect(at("tools", "run_cost_query", "result", "nothing", "here")).toBe("demo.yaml:63:5 result");
    expect(at()).toBe("demo.yaml:1:1 vitrin");
  });
});

describe("YAML as people write it", () => {
  test("a byte order mark and Windows line ends shift no position", () => {
    const { problems } = load(`\uFEFF${MINIMAL}tools: {}\nnope: 1\n`.replaceAll("\n", "\r\n"));
    expect(problems.map(({ code, line, column }) => [code, line, column])).toEqual([["unknown_key", 5, 1]]);
    expect(load(`\uFEFF{ vitrine: 2 }`).problems[0]).toMatchObject({ line: 1, column: 1 });
  });

  test("anchors, merge keys and x- keys work, and a mistake stands where the anchor wrote it", () => {
    const text = [
      "vitrine: 1",
      "api: { spec: a.yaml }",
      "server: { name: demo }",
      "x-page: &page { limit: { default: 5, max: 10 }, budget: 4kB }",
      "x-time: &time { type: date, default: sometime }",
      "tools:",
      "  a: { operation: a, input: { from: *time }, result: { <<: *page, rows: items, budget: 9kB } }",
      "",
    ];
    const [problem, ...rest] = load(text.join("\n")).problems;
    expect([problem?.code, problem?.line, problem?.column, rest]).toEqual(["bad_value", 5, 38, []]);
    const fixed = content(text.join("\n").replace("sometime", "yesterday"));
    expect(fixed.tools.a?.result).toEqual({ limit: { default: 5, max: 10 }, rows: "items", budget: 9_000 });
  });

  test("values follow the core schema of YAML 1.2", () => {
    const args = content(
      `${MINIMAL}tools: { a: { operation: a, args: { a: NO, b: 2026-01-31, c: 0o17, d: 010, e: ~, f: "1", g: yes } } }`,
    );
    expect(args.tools.a?.args).toEqual({ a: "NO", b: "2026-01-31", c: 15, d: 10, e: null, f: "1", g: "yes" });
  });

  test("an input without content is an empty entry", () => {
    const { tools } = content(`${MINIMAL}tools:\n  a:\n    operation: a\n    input:\n      x:\n      y: {}\n`);
    expect(tools.a?.input).toEqual({ x: {}, y: {} });
  });
});

describe("what is no YAML ends in one line with its place", () => {
  test.each([
    ["an open bracket", "a: [1\nb: 2\n", /^demo\.yaml:\d+:\d+: not YAML: .+\.$/],
    ["a tab for indentation", "a:\n\tb: 1\n", /^demo\.yaml:2:\d+: not YAML/],
    ["an alias without an anchor", "a: *b\n", /^demo\.yaml:1:\d+: not YAML: unidentified alias/],
    ["two documents", "a: 1\n---\nb: 2\n", /^demo\.yaml/],
    ["a control character", "a: \u0001\n", /^demo\.yaml/],
    ["more than 1 MB", `# ${"x".repeat(1_000_000)}`, /^demo\.yaml: larger than 1 MB\.$/],
    ["deep nesting", `a: ${"[".repeat(60)}${"]".repeat(60)}`, /^demo\.yaml:1:\d+: not YAML: nesting/],
  ])("%s", (_, text, want) => {
    expect(refusal(text)).toMatch(want);
    expect(refusal(text)).not.toContain("\n");
  });
});

describe("hostile text", () => {
  const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  const laughs = (levels: number) =>
    [
      "a0: &a0 [x]",
      ...Array.from({ length: levels }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(",")}]`),
    ].join("\n");
  const merges = [
    "x0: &x0 { k: 1 }",
    ...Array.from({ length: 30 }, (_, n) => `x${n + 1}: &x${n + 1} { <<: [*x${n}, *x${n}] }`),
  ].join("\n");

  // The parser of positions aborts the process on the second deep text, not on the first.
  const ROUNDS = 20;

  test.each([
    ["deep lists", deep("[", "]", 1_000)],
    ["very deep lists", deep("[", "]", 200_000)],
    ["deep mappings", deep("{a: ", "}", 1_000)],
    ["deep block lists", "- ".repeat(5_000)],
    ["lists that are never closed", "[".repeat(100_000)],
    ["anchors that multiply", laughs(9)],
    ["merges that multiply", merges],
    ["an anchor inside itself", "a: &a [*a, *a]"],
    ["a mapping inside itself", "a: &a { b: *a, <<: *a }"],
  ])(
    "%s: again and again, and the process lives",
    (_, text) => {
      for (let round = 0; round < ROUNDS; round += 1) expect(refusal(text)).toMatch(/^demo\.yaml/);
    },
    20_000,
  );

  test("a name out of the prototype is refused, wherever it stands", () => {
    const { problems } = load(
      `${MINIMAL}tools: { __proto__: { operation: a }, a: { operation: a, args: { __proto__: 1 } } }`,
    );
    expect(problems.map(({ code }) => code)).toEqual(["unknown_key", "unknown_key"]);
    expect(({} as { operation?: unknown }).operation).toBeUndefined();
  });

  test("many aliases in a file of one megabyte are read quickly", () => {
    const aliases = Array.from({ length: 30_000 }, () => "*a").join(",");
    expect(load(`x-a: &a 1\nx-b: [${aliases}]\n${MINIMAL}tools: {}\n`).problems).toEqual([]);
  }, 5_000);

  test("tens of thousands of mistakes are all told", () => {
    const wrong = Array.from({ length: 30_000 }, (_, n) => `k${n}: 1`).join("\n");
    expect(load(`${MINIMAL}tools: {}\n${wrong}\n`).problems).toHaveLength(30_000);
  }, 10_000);
});

describe("no text makes it throw anything but UnreadableInput", () => {
  const holds = (text: string) => {
    try {
      for (const { line, column, message } of load(text).problems) {
        expect(line).toBeGreaterThan(0);
        expect(column).toBeGreaterThan(0);
        expect(message).not.toBe("");
      }
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
    }
  };

  test("any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), holds), { numRuns: 300 });
  });

  test("the samples with pieces cut, doubled and replaced", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        "${",
        "'",
        '"',
        "`",
        ": ",
        "\n",
        "  ",
        "*a",
        "&a ",
        "<<: ",
        "null",
        "-1",
        "!x",
        "__proto__",
        "...",
      ),
      fc.string({ maxLength: 5 }),
    );
    const edit = fc.record({ at: fc.nat(), cut: fc.nat(40), piece });
    fc.assert(
      fc.property(
        fc.constantFrom(LEDGER, WORKFLOW, EVERY_KEY),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (sample, edits) =>
          holds(
            edits.reduce((text, { at, cut, piece: put }) => {
              const start = at % (text.length + 1);
              return text.slice(0, start) + put + text.slice(start + cut);
            }, sample),
          ),
      ),
      { numRuns: 300 },
    );
  });

  test("a file of the right keys with values of any shape", () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const tool = fc.dictionary(
      fc.constantFrom(
        "operation",
        "steps",
        "input",
        "args",
        "result",
        "filter",
        "errors",
        "pages",
        "confirm",
        "suggest",
        "text",
      ),
      value,
    );
    const file = fc.record({
      vitrine: fc.constant(1),
      api: value,
      server: value,
      pins: value,
      tools: fc.dictionary(fc.string(), tool),
    });
    fc.assert(
      fc.property(file, (data) => holds(JSON.stringify(data))),
      { numRuns: 300 },
    );
  });
});
