import { describe, expect, test } from "vitest";
import { FILTER_DIALECTS } from "../../src/curation/format-filter.ts";
import { capabilities, type Dialect, writtenText } from "../../src/filter/dialect.ts";
import { DIALECT_NAMES, findDialect } from "../../src/filter/find-dialect.ts";
import { offerMatches, offerOps } from "../../src/filter/offer-ops.ts";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import {
  type Condition,
  FIELD_TYPES,
  FILTER_OPS,
  type FilterField,
  type FilterOp,
  type WrittenFilter,
} from "../../src/model/filter.ts";
import { conditionOf, groupOf, means, pathsOf, withPaths } from "./conditions.ts";
import { UPSTREAMS, type Upstream } from "./dialects.ts";
import type { Row } from "./selects.ts";

// Every dialect × operator × type × nesting: something is written that means the same, or it is refused with a path and a reason.

const VALUES: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  string: ["abc", "open"],
  enum: ["active", "closed"],
  integer: [1, -5],
  decimal: [12.5, 0],
  boolean: [true, false],
  date: ["2026-01-31", "2026-02-01"],
  "date-time": ["2026-01-31T00:00:00Z", "2026-01-31T00:00:01Z"],
};

/** Rows in which each field once has each of its values, and once none. */
const ROWS: readonly Row[] = [0, 1, 2].map((index) => ({
  name: [...VALUES["string"]!, null][index]!,
  code: ["abc", "open", "xabcx"][index]!,
  status: [...VALUES["enum"]!, null][index]!,
  stage: ["active", "closed", "past_due"][index]!,
  qty: [...VALUES["integer"]!, null][index]!,
  size: [1, -5, 7][index]!,
  amount: [...VALUES["decimal"]!, null][index]!,
  active: [...VALUES["boolean"]!, null][index]!,
  day: [...VALUES["date"]!, null][index]!,
  at: [...VALUES["date-time"]!, null][index]!,
}));

const NESTINGS: Readonly<Record<string, (one: Condition, other: Condition) => Condition>> = {
  single: (one) => one,
  all: (one, other) => groupOf("all", [one, other]),
  any: (one, other) => groupOf("any", [one, other]),
  none: (one, other) => groupOf("none", [one, other]),
  "none of one": (one) => groupOf("none", [one]),
  mixed: (one, other) => groupOf("all", [other, groupOf("any", [one, other])]),
  "mixed the other way": (one, other) => groupOf("any", [other, groupOf("all", [one, other])]),
  "none in none": (one, other) => groupOf("none", [other, groupOf("none", [one, other])]),
};

function writeOrRefuse(condition: Condition, { target, always, models, open }: Upstream): "written" | "refused" {
  let written: WrittenFilter;
  try {
    written = writeFilter(condition, target);
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    expect(pathsOf(condition)).toContain(error.path);
    expect(error.message).toMatch(/\w.*\.$/);
    return "refused";
  }
  expect(writtenText(written)).not.toMatch(/undefined|NaN|\[object/);
  const select = open(written);
  const rows = ROWS.map((row) => ({ ...row, ...(row["active"] === null && always) }));
  for (const nulls of models)
    expect([condition, rows.map((row) => select(row, nulls))]).toStrictEqual([
      condition,
      rows.map((row) => means(condition, row)),
    ]);
  return "written";
}

describe.each(UPSTREAMS)("the table of $title", (upstream) => {
  const { target, fields } = upstream;

  test.each(Object.entries(NESTINGS))("%s", (_, nest) => {
    const outcomes = new Set<string>();
    for (const field of fields) {
      for (const op of FILTER_OPS) {
        for (const other of fields.filter(({ name }) => ["name", "status", "size"].includes(name))) {
          const one = conditionOf(field, op, VALUES[field.type]!);
          const two = conditionOf(other, "eq", VALUES[other.type]!);
          outcomes.add(writeOrRefuse(withPaths(nest(one, two)), upstream));
        }
      }
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("what the table names can be written, where a field always has a value", () => {
    const dialect = findDialect(target);
    for (const field of fields.filter(({ templates }) => templates === undefined)) {
      const certain: FilterField = { ...field, nullable: false };
      for (const op of FILTER_OPS.filter((one) => dialect.capabilities[one].includes(field.type))) {
        const condition = conditionOf(certain, op, VALUES[field.type]!);
        const refusal = dialect.refuse?.(condition as Parameters<NonNullable<Dialect["refuse"]>>[0]);
        expect([field.name, op, offerOps(certain, target).includes(op)]).toStrictEqual([
          field.name,
          op,
          refusal === undefined,
        ]);
      }
    }
  });
});

test("every dialect of the curation format is there and is tested", () => {
  expect([...DIALECT_NAMES].sort()).toStrictEqual([...FILTER_DIALECTS].sort());
  expect([...new Set(UPSTREAMS.map(({ target }) => target.dialect))].sort()).toStrictEqual([...FILTER_DIALECTS].sort());
});

test("a dialect that does not exist is the programmer's fault", () => {
  expect(() => findDialect({ dialect: "toString" })).toThrow(TypeError);
});

test("a table names all operators", () => {
  expect(Object.keys(capabilities({})).sort()).toStrictEqual([...FILTER_OPS, "not_contains"].sort());
});

const EQUALITY: readonly FilterOp[] = ["eq", "ne", "in", "not_in"];
const ORDER: readonly FilterOp[] = ["lt", "lte", "gt", "gte"];
const NULL: readonly FilterOp[] = ["is_null", "is_not_null"];
const TEXT: readonly FilterOp[] = ["contains"];

/** What a field that may lack a value offers: of a text, of a number, and of a date-time. */
const OFFERED: readonly (readonly [string, readonly FilterOp[], readonly FilterOp[], readonly FilterOp[], string])[] = [
  [
    "odata",
    [...EQUALITY, ...TEXT, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    "all,any,none",
  ],
  [
    "aip-160",
    [...EQUALITY, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    "all,any,none",
  ],
  ["jql", [...EQUALITY, ...NULL], [...EQUALITY, ...ORDER, ...NULL], [], "all,any,none"],
  [
    "lucene",
    [...EQUALITY, ...TEXT, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    "all,any,none",
  ],
  [
    "django",
    ["eq", "in", ...TEXT, ...NULL],
    ["eq", "in", ...ORDER, ...NULL],
    ["eq", "in", ...ORDER, ...NULL],
    "all,none",
  ],
  [
    "notion",
    [...EQUALITY, ...TEXT, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    ["eq", "ne", "in", ...ORDER, ...NULL],
    "all,any,none",
  ],
  [
    "datadog",
    [...EQUALITY, ...TEXT, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    [...EQUALITY, ...NULL],
    "all,any,none",
  ],
  ["aws-cost-explorer", [...EQUALITY, ...NULL], [], [], "all,any,none"],
  [
    "hubspot",
    [...EQUALITY, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    [...EQUALITY, ...ORDER, ...NULL],
    "all,any,none",
  ],
  [
    "stripe-search",
    ["eq", "ne", "in", ...TEXT, ...NULL],
    ["eq", "ne", "in", ...ORDER, ...NULL],
    ["eq", "ne", "in", ...ORDER, ...NULL],
    "all,any,none",
  ],
  ["github-search", ["eq", "ne", "not_in", ...NULL], ["eq", "ne", "not_in", ...ORDER], ORDER, "all,none"],
  ["kubernetes-selector", [...EQUALITY, ...NULL], [...EQUALITY, ...NULL], [], "all,none"],
  ["json-api", ["eq", "in"], ["eq", "in"], ["eq", "in"], "all"],
];

describe("what is offered", () => {
  test.each(OFFERED)("by %s", (dialect, ofText, ofNumber, ofMoment, matches) => {
    const { target, fields } = UPSTREAMS.find(({ title }) => title === dialect)!;
    const offered = (name: string) => offerOps(fields.find((field) => field.name === name)!, target);
    expect(offered("name")).toStrictEqual(inOrder(ofText));
    expect(offered("qty")).toStrictEqual(inOrder(ofNumber));
    expect(offered("at")).toStrictEqual(inOrder(ofMoment));
    expect(offerMatches(fields, target).join()).toBe(matches);
  });

  test("is never more than the author allows", () => {
    const field: FilterField = { name: "a", to: "a", type: "string", nullable: true, ops: ["eq", "lt"] };
    expect(offerOps(field, { dialect: "odata" })).toStrictEqual(["eq"]);
  });

  test("is nothing for a field whose name cannot be written", () => {
    const field: FilterField = { name: "a", to: "a eq 1 or b", type: "string", nullable: true };
    expect(offerOps(field, { dialect: "odata" })).toStrictEqual([]);
  });
});

const inOrder = (ops: readonly FilterOp[]) => FILTER_OPS.filter((op) => ops.includes(op));

test("every type is in the values of these tests", () => {
  expect(Object.keys(VALUES).sort()).toStrictEqual([...FIELD_TYPES].sort());
});
