import type { GroupEntry } from "../../curation/format.ts";
import type { Schema } from "../../model/schema.ts";
import type { Group } from "../../model/shape.ts";
import type { Value } from "../../model/value.ts";
import { ANY, elementsOf, NUMBER, orNull } from "../expressions/type-algebra.ts";
import type { EntryPath } from "../open-report.ts";
import { mayBe } from "../reply/build-fields.ts";
import type { ShapeChecker } from "../reply/shape-checker.ts";
import { checkColumn, type ListColumns, reportNoSpread } from "./columns.ts";

export interface BuiltGroup {
  readonly group: Group;
  /** The columns of the groups. */
  readonly columns: ListColumns;
}

/** Where the author says no other number. */
const MOST_PAGES = 100;

/** How rows are added up, and what columns that leaves. */
export function buildGroup(entry: GroupEntry, at: EntryPath, columns: ListColumns, check: ShapeChecker): BuiltGroup {
  const written = typeof entry.by === "string" ? [entry.by] : entry.by;
  const by = written.flatMap((text, index) => {
    const here = typeof entry.by === "string" ? [...at, "by"] : [...at, "by", index];
    return readBy(text, here, columns, check) ?? [];
  });
  const sum = entry.sum ?? [];
  for (const [index, name] of sum.entries()) checkSum(name, [...at, "sum", index], columns, check);
  const named = by.filter((one) => typeof one === "string");
  const names = [...named, ...sum];
  for (const [index, name] of sum.entries())
    if (names.indexOf(name) !== named.length + index) reportTwice(name, [...at, "sum", index], check);
  if (entry.count !== undefined && names.includes(entry.count)) reportTwice(entry.count, [...at, "count"], check);
  const { count, maxPages = MOST_PAGES } = entry;
  const group: Group = { by, sum, maxPages, ...(count !== undefined && { count }) };
  return { group, columns: columnsOfGroups(group, named, columns) };
}

/** A column, the added columns, or names that a value gives; a value that gives columns by a list may give none. */
function readBy(text: string, at: EntryPath, columns: ListColumns, check: ShapeChecker): string | Value | undefined {
  if (text === "...") {
    if (columns.spread === undefined) reportNoSpread(at, check.report);
    return columns.spread;
  }
  if (!text.includes("${")) {
    checkColumn(text, at, columns, "to group by", check.report);
    return text;
  }
  const { value, type } = check.readValue(text, at);
  if (value.kind === "literal" && typeof value.value === "string") return value.value;
  if (!isNames(type, check))
    check.report.add(
      "error",
      "not_a_list_of_names",
      at,
      "`by` takes the name of a column or a list of names, and this is neither.",
      "Name an input of type string or string[].",
    );
  return value;
}

function isNames(type: Schema, check: ShapeChecker): boolean {
  return mayBe(type, ["string"], check) || mayBe(elementsOf(type, check.api) ?? NUMBER, ["string"], check);
}

function checkSum(name: string, at: EntryPath, columns: ListColumns, check: ShapeChecker): void {
  if (!checkColumn(name, at, columns, "to add up", check.report)) return;
  if (canBeAdded(columns.types.get(name), check)) return;
  const message = `"${name}" is no number, so it cannot be added up.`;
  check.report.add("error", "sum_not_number", at, message, "Name a column of numbers, or count rows with `count`.");
}

/** A text may hold a number, exact to every digit. */
export function canBeAdded(type: Schema | undefined, check: ShapeChecker): boolean {
  return type === undefined || mayBe(type, ["number", "integer", "string"], check);
}

function reportTwice(name: string, at: EntryPath, check: ShapeChecker): void {
  check.report.add("error", "field_clash", at, `"${name}" is a column of the groups already.`, "Name each once.");
}

function columnsOfGroups(group: Group, named: readonly string[], columns: ListColumns): ListColumns {
  const { by, sum, count } = group;
  const taken = new Set([...named, ...sum, ...(count === undefined ? [] : [count])]);
  const units = new Map([...columns.units].filter(([name]) => sum.includes(name)));
  const spread = by.find((one) => typeof one !== "string");
  const types = new Map<string, Schema>([
    ...named.map((name) => [name, columns.types.get(name) ?? ANY] as const),
    ...[...units.values()].flatMap((unit) => unitNames(unit, named, taken, columns).map((one) => [one, ANY] as const)),
    ...[...sum, ...(count === undefined ? [] : [count])].map((name) => [name, orNull(NUMBER)] as const),
  ]);
  return { types, units, paths: columns.paths, open: false, ...(spread !== undefined && { spread }) };
}

/**
 * What the column of a sum's unit may be called, where no column grouped by shows it: as the column that reads the same, else `currency`, or
 * `unit` where a call finds that it is no currency.
 */
function unitNames(
  unit: Value,
  named: readonly string[],
  taken: ReadonlySet<string>,
  { paths }: ListColumns,
): string[] {
  if (unit.kind !== "expression") return [];
  const same = [...paths].flatMap(([name, path]) => (path === unit.expression.jmespath ? [name] : []));
  if (same.some((name) => named.includes(name))) return [];
  const [first] = same;
  return (first !== undefined && !taken.has(first) ? [first] : ["currency", "unit"]).filter((name) => !taken.has(name));
}
