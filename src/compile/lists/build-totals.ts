import type { TotalsEntry } from "../../curation/format.ts";
import type { Call } from "../../model/call.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Schema } from "../../model/schema.ts";
import type { Caveat, Group, Totals } from "../../model/shape.ts";
import type { Value } from "../../model/value.ts";
import { listAlternatives, propertyNames, propertyOf } from "../expressions/list-alternatives.ts";
import { elementsOf } from "../expressions/type-algebra.ts";
import { type EntryPath, hintFor } from "../open-report.ts";
import { mayBe, readUnit } from "../reply/build-fields.ts";
import type { ShapeChecker } from "../reply/shape-checker.ts";
import { canBeAdded } from "./build-group.ts";
import { checkColumn, type ListColumns } from "./columns.ts";

/** The request for an aggregate and the body that answers it. */
export interface Aggregate {
  readonly call: Call;
  readonly body: Schema;
}

export type AggregateEntry = Extract<TotalsEntry, { value: string }>;

/** What a total is read from. */
export interface TotalSources {
  /** Of the list itself. */
  readonly body: Schema;
  readonly columns: ListColumns;
  readonly group?: Group;
  /** As messages name it. */
  readonly operation: string;
  readonly unpaged: boolean;
  /** Steps have read the rows: there are no pages to walk, and none are needed. */
  readonly made?: true;
  /** Undefined, and a finding, where there is no such request. */
  aggregate(entry: AggregateEntry, at: EntryPath): Aggregate | undefined;
}

/** Where the true total comes from; undefined, and a finding, where it comes from nowhere. */
export function buildTotals(
  entry: TotalsEntry,
  at: EntryPath,
  sources: TotalSources,
  check: ShapeChecker,
): Totals | undefined {
  if ("count" in entry) return buildCount(entry, at, sources.body, check);
  checkMeasure(entry.measure, [...at, "measure"], sources, check);
  if ("walk" in entry) {
    if (sources.unpaged && !sources.made) reportUnpaged(sources.operation, [...at, "walk"], check);
    return { kind: "walk", ...measureOf(entry, at, sources.body, check), maxPages: entry.walk.maxPages };
  }
  const found = sources.aggregate(entry, at);
  if (found === undefined) return undefined;
  const value = { jmespath: entry.value };
  checkTotal(check.typeOf(value, [...at, "value"], found.body, BODY), [...at, "value"], check);
  return { kind: "aggregate", ...measureOf(entry, at, found.body, check), call: found.call, value };
}

const BODY = "the body of the total";

function buildCount(
  { count, exactWhen }: Extract<TotalsEntry, { count: string }>,
  at: EntryPath,
  body: Schema,
  check: ShapeChecker,
): Totals {
  const type = check.typeOf({ jmespath: count }, [...at, "count"], body, "the body");
  if (!mayBe(type, ["number", "integer", "string"], check))
    check.report.add(
      "error",
      "total_not_number",
      [...at, "count"],
      `\`${count}\` is never a number.`,
      "Name what the upstream says to be the number of all rows.",
    );
  if (exactWhen === undefined) return { kind: "count", count: { jmespath: count } };
  check.typeOf({ jmespath: exactWhen }, [...at, "exactWhen"], body, "the body");
  return { kind: "count", count: { jmespath: count }, exactWhen: { jmespath: exactWhen } };
}

function checkMeasure(name: string, at: EntryPath, { columns, group }: TotalSources, check: ShapeChecker): void {
  const summed = group === undefined ? columns : { types: new Map(group.sum.map((one) => [one, {}])), open: false };
  if (!checkColumn(name, at, summed, "whose total this could be", check.report)) return;
  if (canBeAdded(columns.types.get(name), check)) return;
  const message = `"${name}" is no number, so it has no total.`;
  check.report.add("error", "sum_not_number", at, message, "Name a column of numbers.");
}

type MeasuredEntry = Exclude<TotalsEntry, { count: string }>;

function measureOf(
  { measure, unit, additive, caveats }: MeasuredEntry,
  at: EntryPath,
  body: Schema,
  check: ShapeChecker,
) {
  const value: Value | undefined = unit === undefined ? undefined : readUnit(unit, [...at, "unit"], body, BODY, check);
  return {
    measure,
    ...(value !== undefined && { unit: value }),
    additive: additive ?? true,
    caveats: (caveats ?? []).map(({ when, code, note }, index): Caveat => {
      if (when === undefined) return { code, note };
      check.typeOf({ jmespath: when }, [...at, "caveats", index, "when"], body, BODY);
      return { when: { jmespath: when }, code, note };
    }),
  };
}

/** A number (a text may hold one), or a list of `{value, unit}`. */
function checkTotal(type: Schema, at: EntryPath, check: ShapeChecker): void {
  if (mayBe(type, ["number", "integer", "string"], check)) return;
  const elements = elementsOf(type, check.api);
  const alternatives = elements === undefined ? [] : listAlternatives(elements, check.api);
  if (alternatives.some((one) => propertyOf(one, "value") !== undefined)) return;
  const names = alternatives.flatMap(propertyNames);
  const hint = hintFor(nearestNames("value", names)) ?? "For example sum, or totals[].{value: sum, unit: currency}.";
  check.report.add(
    "error",
    "total_not_number",
    at,
    "A total is a number or a list of {value, unit}; this is neither.",
    hint,
  );
}

function reportUnpaged(operation: string, at: EntryPath, check: ShapeChecker): void {
  const message = `Nothing says how \`${operation}\` cuts its list into pages, so there are none to walk.`;
  check.report.add("error", "walk_needs_pages", at, message, "Say it in `pages`.");
}
