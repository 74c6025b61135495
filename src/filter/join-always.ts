import { type Condition, FILTER_OPS, type FilterField, type FilterOp, type Literal } from "../model/filter.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { ownValue } from "../model/json.ts";
import type { FilterFault } from "./filter-fault.ts";
import { type Convert, readValue } from "./read-value.ts";
import { NotExpressible } from "./refusal.ts";

/**
 * Third door of the room. The conditions that no caller sees or weakens (`filter.always`, contract section 3), joined with the caller's own by
 * AND. `always` is a map `field` or `field.op` → value (a list: one of it), already evaluated; null leaves a condition out, so whoever evaluates
 * a pin must have refused a null before. A field that callers have not is taken as itself, typed by its value. Undefined where there is no
 * condition at all. Throws `NotExpressible` with the path `always.KEY` for a value that is not of its field's type.
 */
export function joinAlways(
  always: JsonObject,
  caller: Condition | undefined,
  options: { readonly fields: ReadonlyMap<string, FilterField>; readonly convert?: Convert },
): Condition | undefined {
  const own = Object.entries(always)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => readEntry(key, value, options.fields, options.convert));
  const conditions = caller === undefined ? own : [...own, caller];
  if (conditions.length <= 1) return conditions[0];
  return { kind: "group", match: "all", conditions, path: caller?.path ?? "always" };
}

function readEntry(
  key: string,
  value: Json,
  fields: ReadonlyMap<string, FilterField>,
  convert: Convert | undefined,
): Condition {
  const path = `always.${key}`;
  const { name, op = Array.isArray(value) ? "in" : "eq" } = splitKey(key, fields);
  const field = fields.get(name) ?? fieldOf(name, value);
  const read = (one: Json): Literal => {
    const faults: FilterFault[] = [];
    const literal = readValue(one, field, path, { faults, convert });
    if (literal === undefined) throw new NotExpressible(path, faults[0]?.message ?? "It has no value.");
    return literal;
  };
  switch (op) {
    case "is_null":
    case "is_not_null":
      if (typeof value !== "boolean") throw new NotExpressible(path, `\`${path}\` must be true or false.`);
      return { kind: "null", op: value === (op === "is_null") ? "is_null" : "is_not_null", field, path };
    case "in":
    case "not_in": {
      const list: readonly Json[] = Array.isArray(value) ? value : [value];
      if (list.length === 0) throw new NotExpressible(path, `\`${path}\` must not be an empty list.`);
      return { kind: "member", op, field, values: list.map(read), path };
    }
    default:
      return { kind: "compare", op, field, value: read(value), path };
  }
}

/** `created.gte` is the operator `gte` on `created`, unless there is a field of that whole name. */
export function splitKey(key: string, fields: { has(name: string): boolean }): { name: string; op?: FilterOp } {
  const dot = key.lastIndexOf(".");
  const op = FILTER_OPS.find((one) => one === key.slice(dot + 1));
  return fields.has(key) || dot <= 0 || op === undefined ? { name: key } : { name: key.slice(0, dot), op };
}

function fieldOf(name: string, value: Json): FilterField {
  const sample: Json = Array.isArray(value) ? (value[0] as Json) : value;
  const type = ownValue(TYPES, typeof sample === "number" && !Number.isInteger(sample) ? "decimal" : typeof sample);
  return { name, to: name, type: type ?? "string", nullable: true };
}

const TYPES: Readonly<Record<string, FilterField["type"]>> = {
  string: "string",
  number: "integer",
  decimal: "decimal",
  boolean: "boolean",
};
