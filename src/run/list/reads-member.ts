import { expressionsOf } from "../../model/expressions-of.ts";
import { namesRead } from "../expressions/names-read.ts";
import type { Column } from "../shape/list-columns.ts";
import { isIdName, type ReadsMember } from "./identify-row.ts";

/**
 * What these columns read, and what rows are told apart by; `more` is read too. Undefined where rows are shown as they come, or any member may be read.
 */
export function readsMember(
  columns: readonly Column[] | undefined,
  more: readonly (readonly string[] | undefined)[] = [],
): ReadsMember | undefined {
  if (columns === undefined) return undefined;
  const names = new Set<string>();
  for (const read of [...columns.flatMap(namesOf), ...more]) {
    if (read === undefined) return undefined;
    for (const name of read) names.add(name);
  }
  return (name) => names.has(name) || isIdName(name);
}

function namesOf(column: Column): readonly (readonly string[] | undefined)[] {
  if (column.kind === "own") return [[column.name]];
  const units = [column.unit, column.form?.as === "minor" ? column.form.unit : undefined];
  const expressions = units.flatMap((unit) => (unit === undefined ? [] : expressionsOf(unit)));
  return [column.path, ...expressions].map(namesRead);
}
