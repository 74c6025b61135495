import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import type { FilterOp, FilterTarget } from "../../src/model/filter.ts";
import { CONTROLS, conditionOf, groupOf, HOSTILE, literalOf, means, withPaths } from "./conditions.ts";
import { UPSTREAMS, type Upstream } from "./dialects.ts";
import type { Row } from "./selects.ts";

const OPS: readonly FilterOp[] = ["eq", "ne", "in", "not_in", "contains"];
const ROW: Row = {
  name: "x",
  code: "x",
  status: "active",
  stage: "active",
  qty: 1,
  size: 1,
  amount: 1,
  active: true,
  day: "2026-01-31",
  at: "2026-01-31T00:00:00Z",
};

/** Rows that have the text, a part of it, it within another, and another one. */
function rowsAround(text: string): Row[] {
  const texts = [text, text.slice(1), `${text}x`, `y${text}`, "x", "active", text.toUpperCase()];
  return texts.map((code) => ({ ...ROW, code }));
}

/** The text by its plain meaning, or a refusal that names where it stands. */
function selectsPlainly(text: string, op: FilterOp, { target, fields, models, open }: Upstream): boolean {
  const field = fields.find(({ name }) => name === "code")!;
  const one = conditionOf(field, op, op === "in" || op === "not_in" ? [text, "other"] : [text]);
  for (const condition of [one, withPaths(groupOf("all", [conditionOf(field, "ne", ["zzz"]), one]))]) {
    try {
      const select = open(writeFilter(condition, target));
      const rows = rowsAround(text);
      for (const nulls of models)
        expect([text, rows.map((row) => select(row, nulls))]).toStrictEqual([
          text,
          rows.map((row) => means(condition, row)),
        ]);
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error;
      if (condition === one) return false;
    }
  }
  return true;
}

describe.each(UPSTREAMS)("hostile text in $title", (upstream) => {
  test.each(OPS)("under %s selects by its plain meaning, or is refused", (op) => {
    for (const text of [...HOSTILE, ...CONTROLS]) selectsPlainly(text, op, upstream);
  });

  test("of any characters selects by its plain meaning, or is refused", () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 8, unit: "binary" }),
      fc.string({
        minLength: 1,
        maxLength: 6,
        unit: fc.constantFrom(..."\"'\\,;:()[]{}<>=!~*%_?&|+-/#@$ .aO\u0000\n\ud800"),
      }),
    );
    fc.assert(fc.property(text, fc.constantFrom(...OPS), (one, op) => void selectsPlainly(one, op, upstream)));
  });

  test("is refused with a lone half of a character", () => {
    const field = upstream.fields.find(({ name }) => name === "code")!;
    expect(() => writeFilter(conditionOf(field, "eq", ["a\ud800b"]), upstream.target)).toThrow(NotExpressible);
  });
});

/** The dialects in which every text can be said, but for control characters where they are texts themselves. */
test.each([
  "odata",
  "soql",
  "jql",
  "lucene",
  "elasticsearch",
  "mongo",
  "postgrest",
  "strapi",
  "datadog",
  "notion",
  "hubspot",
  "django",
  "params",
])("%s takes every hostile text for equality", (dialect) => {
  const upstream = UPSTREAMS.find(({ title }) => title === dialect)!;
  expect(HOSTILE.filter((text) => !selectsPlainly(text, "eq", upstream))).toStrictEqual([]);
});

test.each(
  UPSTREAMS.filter(
    ({ target }) =>
      !["json", "elasticsearch", "mongo", "directus", "notion", "hubspot", "aws-cost-explorer"].includes(
        target.dialect,
      ),
  ),
)("$title, which is text, refuses control characters", (upstream) => {
  for (const text of CONTROLS) expect([text, selectsPlainly(text, "eq", upstream)]).toStrictEqual([text, false]);
});

/** What of a discovered field's name would be read as more than a name. */
const NAMES: readonly (readonly [FilterTarget["dialect"], readonly string[]])[] = [
  ["odata", ["a eq 1 or b", "a'", "not", "a(b)", ""]],
  ["aip-160", ["a OR b", 'a"', "NOT", "a:b"]],
  ["rsql", ["a==1,b", "a b", "(a", 'a"']],
  ["soql", ["a = 1 OR b", "a'b", "a--b"]],
  ["jql", ["a\nb", ""]],
  ["lucene", ["a:1 OR b", "_exists_", "a*", "a b", '"a"']],
  ["elasticsearch", ["*", "a*", "boost", "_name"]],
  ["mongo", ["$where", "$or", ""]],
  ["django", ["a&b", "a=b", ""]],
  ["postgrest", ["a.eq.1,b", "or", "a)", "and"]],
  ["directus", ["_or", "_and", "year(a)", "$a"]],
  ["strapi", ["$or", "a][b", "a[b]"]],
  ["shopify", ["a:1 OR b", "-a", "OR"]],
  ["datadog", ["a:1 OR b", "-a", "*"]],
  ["aws-cost-explorer", ["And", "service"]],
  ["stripe-search", ["a:1 OR b", 'metadata["a"b"]', "-a"]],
  ["github-search", ["a:b", "-a", "A"]],
  ["kubernetes-selector", ["a,b", "!a", "a b", "-a"]],
  ["json-api", ["a][b", ""]],
  ["text", ["a = 1 OR b", "a'b", "(a"]],
];

describe("the name of a field", () => {
  test.each(NAMES)("in %s is never more than a name", (dialect, names) => {
    const { target, fields } = UPSTREAMS.find(({ title }) => title === dialect)!;
    for (const to of names) {
      const field = { ...fields.find(({ name }) => name === "code")!, to };
      const condition = { kind: "compare", op: "eq", field, value: literalOf(field, "x"), path: "filter" } as const;
      expect(() => writeFilter(condition, target), to).toThrow(NotExpressible);
    }
  });
});
