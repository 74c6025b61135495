import type { FilterFieldEntry } from "../../curation/format.ts";
import type { FilterField, FilterOp } from "../../model/filter.ts";

/** Where nothing stands around the value, or the values. */
const PLAIN: Readonly<Partial<Record<FilterOp, string>>> = {
  eq: "{value}",
  lt: "{value}",
  lte: "{value}",
  gt: "{value}",
  gte: "{value}",
  contains: "{value}",
  ne: "{value}",
  in: "{values}",
  not_in: "{values}",
};

/**
 * With `params` a field that lists one operator alone is a parameter that means just this (`since` is `gte`), and `in` beside `eq` is a list of values
 * at the same place: both are sent as they are.
 */
export function withPlainOps(field: FilterField, { ops }: FilterFieldEntry, dialect: string): FilterField {
  if (dialect !== "params" || !Array.isArray(ops)) return field;
  const isMeant = ops.length === 1 ? ops[0] !== "eq" : ops.length === 2 && ops.includes("eq") && ops.includes("in");
  const said = isMeant ? ops.flatMap((op) => (PLAIN[op] === undefined ? [] : [[op, PLAIN[op]] as const])) : [];
  return said.length === 0 ? field : { ...field, templates: Object.fromEntries(said) };
}
