import { describe, expect, test } from "vitest";
import type { Call } from "../../src/model/call.ts";
import { placeText } from "../../src/model/place.ts";
import type { Shape, Totals } from "../../src/model/shape.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { apiOfText, compileText, curationText, shown, toolOf } from "./compile-text.ts";
import { LISTS_SPEC } from "./lists-spec.ts";

const api = await apiOfText(LISTS_SPEC);
const PAGES =
  "pages: [{style: token, send: body/pageToken, next: next, size: body/pageSize}, {style: page, send: query.page}]";

interface Written {
  readonly totals: string;
  readonly operation?: string;
  /** Further lines of the tool. */
  readonly tool?: string;
  readonly result?: string;
  readonly pins?: string;
}

const QUERY = `  effect: read
  input: {from: {}, columns: {type: "string[]"}, team: {}}
  args: {body/range/from: "\${input.from}", body/groupBy: "\${input.columns}"}
`;

function compile({ totals, operation = "listCharges", tool = "", result, pins }: Written) {
  const fields = "fields: {id: id, cost: {path: cost, unit: currency, round: 2}, paid: paid}";
  const text = `list_charges:\n  operation: ${operation}\n  use: List.\n${tool}  result: {rows: rows, ${fields}${result ?? ""}, totals: ${totals}}`;
  return compileText(api, curationText(text, { api: PAGES, ...(pins !== undefined && { pins }) }));
}

/** What is said of the operation itself, and of styles of pages that it has not. */
const ASIDE: readonly string[] = ["declared_safer", "unused_pages"];
const found = (written: Written) => compile(written).problems.filter(({ code }) => !ASIDE.includes(code));

const totalsOf = (written: Written) =>
  (toolOf(compile(written), "list_charges").shape as Extract<Shape, { kind: "list" }>).totals as Totals;

/** The operation's key and `place: value` of each binding. */
function requestOf(written: Written) {
  const { toolset } = compile(written);
  const totals = totalsOf(written);
  if (totals.kind !== "aggregate") throw new Error("It is no aggregate.");
  return sentBy(totals.call, toolset!);
}

function sentBy({ operation, bindings, pages, filter }: Call, { operations }: Toolset) {
  const sent = bindings.map(({ place, value, pinned }) => {
    const text = value.kind === "expression" ? value.expression.jmespath : JSON.stringify(value);
    return `${pinned ? "pinned " : ""}${placeText(place)}: ${text}`;
  });
  return {
    to: operations[operation]?.key,
    sent,
    pages: pages?.style,
    filter: filter?.to && placeText(filter.to.place),
  };
}

const literal = (value: unknown) => JSON.stringify({ kind: "literal", value });

describe("a total is read", () => {
  test.each<[string, Written, unknown]>([
    ["from a count", { totals: "{count: total}" }, { kind: "count", count: { jmespath: "total" } }],
    [
      "from a count that says whether it is exact",
      { totals: "{count: total, exactWhen: \"relation == 'eq'\"}" },
      { kind: "count", count: { jmespath: "total" }, exactWhen: { jmespath: "relation == 'eq'" } },
    ],
    [
      "by a walk",
      { totals: "{measure: cost, walk: {maxPages: 9}, unit: EUR}" },
      {
        kind: "walk",
        measure: "cost",
        unit: { kind: "literal", value: "EUR" },
        additive: true,
        caveats: [],
        maxPages: 9,
      },
    ],
    [
      "from another operation, with what may be wrong with it",
      {
        totals:
          "{measure: cost, operation: totalCharges, value: sum, unit: currency, additive: false, caveats: [{when: stale, code: STALE, note: Of yesterday.}, {code: ESTIMATED, note: Always.}]}",
      },
      {
        kind: "aggregate",
        measure: "cost",
        unit: { kind: "expression", expression: { jmespath: "currency" } },
        additive: false,
        caveats: [
          { when: { jmespath: "stale" }, code: "STALE", note: "Of yesterday." },
          { code: "ESTIMATED", note: "Always." },
        ],
        call: { operation: 1, bindings: [] },
        value: { jmespath: "sum" },
      },
    ],
  ])("%s", (_, written, want) => {
    expect(totalsOf(written)).toEqual(want);
  });

  test.each(["sum", "sums", "sums[].{value: value, unit: unit}", "sum(sums[].value)"])("from %s", (value) => {
    expect(totalsOf({ totals: `{measure: cost, operation: totalCharges, value: "${value}"}` })).toMatchObject({
      value: { jmespath: value },
    });
  });
});

describe("the request of an aggregate", () => {
  test("is the list's own with args laid over it, and goes by pages of its own", () => {
    const totals = "{measure: cost, args: {body/groupBy: [], body/range/to: null}, value: total}";
    expect(requestOf({ totals, operation: "queryCharges", tool: QUERY })).toEqual({
      to: "POST /charges/query",
      sent: [
        "body/range/from: input.from",
        "body/team: input.team",
        `body/groupBy: ${literal([])}`,
        `body/range/to: ${literal(null)}`,
      ],
      pages: "token",
      filter: undefined,
    });
  });

  test("replaces what stands inside the place that is laid over", () => {
    const totals = "{measure: cost, args: {body/range: {from: now}}, value: total}";
    const { sent } = requestOf({ totals, operation: "queryCharges", tool: QUERY });
    expect(sent.filter((one) => one.startsWith("body/range"))).toEqual([`body/range: ${literal({ from: "now" })}`]);
  });

  test("is not paged where its args ask for a page", () => {
    const totals = "{measure: cost, args: {body/pageToken: all}, value: total}";
    expect(requestOf({ totals, operation: "queryCharges", tool: QUERY }).pages).toBeUndefined();
  });

  test("to another operation gets what the list sends to places that it has too", () => {
    const tool = "  input: {team: {}, sort: {}}\n";
    const totals = "{measure: cost, operation: totalCharges, args: {query.sort: null}, value: sum}";
    expect(requestOf({ totals, tool })).toMatchObject({ to: "GET /charges/total", sent: ["query.team: input.team"] });
    expect(found({ totals, tool })).toEqual([]);
  });

  test("to another operation tells a mistake in what the list sends once, where it stands", () => {
    const tool = '  input: {sort: {}}\n  args: {team: "x${input.sort}"}\n';
    const totals = "{measure: cost, operation: totalCharges, value: sum}";
    expect(shown(found({ totals, tool })).filter((one) => one.includes("free_text_in_text"))).toHaveLength(1);
  });

  test("to another operation may get another value there", () => {
    const tool = "  input: {team: {}}\n";
    const totals = "{measure: cost, operation: totalCharges, args: {team: red}, value: sum}";
    expect(requestOf({ totals, tool }).sent).toEqual([`query.team: ${literal("red")}`]);
  });

  test("carries the pins", () => {
    const totals = "{measure: cost, operation: totalCharges, value: sum}";
    expect(requestOf({ totals, pins: "{team: red}" }).sent).toEqual(['pinned query.team: pins."team"']);
  });

  test("is filtered as the list is", () => {
    const tool = "  filter: {to: query.team, dialect: odata, fields: {cost: {type: decimal}}}\n";
    const own = "{measure: cost, args: {query.sort: cost}, value: total}";
    const other = "{measure: cost, operation: totalCharges, value: sum}";
    for (const totals of [own, other]) expect(requestOf({ totals, tool }).filter).toBe("query.team");
    const taken = "{measure: cost, args: {query.team: red}, value: total}";
    expect(shown(found({ totals: taken, tool }))).toEqual([expect.stringContaining("place_twice")]);
  });
});

describe("no total can be read", () => {
  test.each<[string, Written, string]>([
    [
      "of no column",
      { totals: "{measure: cots, value: total}" },
      'unknown_column: There is no column "cots" whose total this could be. Did you mean "cost"?',
    ],
    ["of a truth", { totals: "{measure: paid, value: total}" }, 'sum_not_number: "paid" is no number'],
    [
      "of a column that is not added up",
      { totals: "{measure: cost, value: total}", result: ", group: {by: id, count: n}" },
      'unknown_column: There is no column "cost" whose total',
    ],
    [
      "from a path that is not there",
      { totals: "{measure: cost, value: totle}" },
      'path_not_in_spec: "totle" is not in the body of the total. There is rows, next, more, total',
    ],
    [
      "from a truth",
      { totals: "{measure: cost, value: more}" },
      "total_not_number: A total is a number or a list of {value, unit}",
    ],
    ["from a list of names", { totals: "{measure: cost, operation: totalCharges, value: names}" }, "total_not_number"],
    ["from a count that is none", { totals: "{count: rows}" }, "total_not_number: `rows` is never a number."],
    [
      "from a count that is not there",
      { totals: "{count: totle}" },
      'path_not_in_spec: "totle" is not in the body. There is rows',
    ],
    [
      "with a word of exactness that is not there",
      { totals: "{count: total, exactWhen: relatoin}" },
      'path_not_in_spec: "relatoin" is not in the body',
    ],
    [
      "in a unit that is not there",
      { totals: "{measure: cost, operation: totalCharges, value: sum, unit: curency}" },
      'path_not_in_spec: "curency" is not in the body of the total',
    ],
    [
      "with a caveat that nothing says",
      {
        totals:
          "{measure: cost, operation: totalCharges, value: sum, caveats: [{when: stail, code: STALE, note: Old.}]}",
      },
      'path_not_in_spec: "stail" is not in the body of the total. There is sum, currency, sums, names, stale',
    ],
    [
      "by a walk without pages",
      { totals: "{measure: cost, walk: {maxPages: 3}}", operation: "listPlain" },
      "walk_needs_pages: Nothing says how `listPlain` cuts its list into pages, so there are none to walk.",
    ],
    [
      "from no operation",
      { totals: "{measure: cost, operation: totlCharges, value: sum}" },
      'unknown_operation: The spec has no operation `totlCharges`. Did you mean "totalCharges"?',
    ],
    [
      "from an operation that writes",
      { totals: "{measure: cost, operation: addCharges, value: total}" },
      "unsafe_source: `addCharges` sends POST",
    ],
    [
      "with args that go nowhere",
      { totals: "{measure: cost, args: {query.teem: red}, value: total}" },
      'unknown_place: listCharges has no `query.teem`. Did you mean "query.team"?',
    ],
    [
      "with args that go nowhere in another operation",
      { totals: "{measure: cost, operation: totalCharges, args: {query.teem: null}, value: sum}" },
      'unknown_place: totalCharges has no `query.teem`. Did you mean "query.team"?',
    ],
    [
      "with args that name no input",
      { totals: '{measure: cost, args: {team: "${input.teem}"}, value: total}' },
      "unknown_input: There is no input `teem`",
    ],
    [
      "without what its request needs",
      {
        totals: "{measure: cost, args: {body/range/from: null}, value: total}",
        operation: "queryCharges",
        tool: QUERY,
      },
      "bad_value: `body/range/from` is required, so it cannot be left out of the request for the total.",
    ],
    [
      "over a pin",
      { totals: "{measure: cost, args: {query.team: red}, value: total}", pins: "{team: blue}" },
      "pinned_place: `query.team` is a place of the pin `team`",
    ],
    [
      "without a word where it may be of more rows",
      { totals: "{measure: cost, operation: totalCharges, value: sum}", tool: "  input: {sort: {}}\n" },
      "total_unnarrowed: `sort` goes to the list and not to `totalCharges`, whose total may be of more rows.",
    ],
  ])("%s", (_, written, want) => {
    const problems = found(written);
    expect(shown(problems)).toEqual([expect.stringContaining(want)]);
    expect(problems[0]?.hint).toMatch(/\w/);
  });
});
