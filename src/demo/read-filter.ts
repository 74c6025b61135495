import { type Arity, OPERATORS } from "./operators.ts";
import { Refusal } from "./refusal.ts";

/** A filter whose shape is right; field names and the types of values are checked when it is written. */
export type Filter =
  | { readonly kind: "condition"; readonly field: string; readonly op: string; readonly values: readonly Scalar[] }
  | { readonly kind: "and" | "or"; readonly parts: readonly Filter[] };

export type Scalar = string | number | boolean;

const MAX_DEPTH = 6;
const MAX_PARTS = 100;
const MAX_VALUES = 500;

/** Reads either one condition or a group. Throws `Refusal` with the path of what is wrong. */
export function readFilter(raw: unknown, path = "filter", depth = 1): Filter {
  if (!isObject(raw)) throw refuse(path, "must be a condition or a group");
  if (depth > MAX_DEPTH) throw refuse(path, `is nested deeper than ${MAX_DEPTH} levels`);
  const group = (["and", "or"] as const).find((name) => Object.hasOwn(raw, name));
  return group === undefined ? readCondition(raw, path) : readGroup(raw, group, path, depth);
}

/** Every field name of a filter, in order. */
export const fieldsOf = (filter: Filter): string[] =>
  filter.kind === "condition" ? [filter.field] : filter.parts.flatMap(fieldsOf);

function readGroup(raw: Record<string, unknown>, kind: "and" | "or", path: string, depth: number): Filter {
  const parts = raw[kind];
  if (Object.keys(raw).length !== 1) throw refuse(path, `must hold ${kind} and nothing else`);
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS)
    throw refuse(`${path}.${kind}`, `must be a list of 1 to ${MAX_PARTS} filters`);
  return { kind, parts: parts.map((part, index) => readFilter(part, `${path}.${kind}[${index}]`, depth + 1)) };
}

function readCondition(raw: Record<string, unknown>, path: string): Filter {
  const { field, op, value, values, ...others } = raw;
  if (Object.keys(others).length > 0) throw refuse(path, `has unknown properties: ${Object.keys(others).join(", ")}`);
  if (typeof field !== "string") throw refuse(`${path}.field`, "must be the name of a field");
  const operator = typeof op === "string" ? OPERATORS.get(op) : undefined;
  if (typeof op !== "string" || operator === undefined)
    throw new Refusal("UNKNOWN_OPERATOR", `${path}.op must be one of ${[...OPERATORS.keys()].join(", ")}.`);
  return { kind: "condition", field, op, values: readValues(operator.arity, value, values, path) };
}

function readValues(arity: Arity, value: unknown, values: unknown, path: string): readonly Scalar[] {
  switch (arity) {
    case "none":
      if (value !== undefined || values !== undefined) throw refuse(path, "takes neither value nor values");
      return [];
    case "one":
      if (!isScalar(value) || values !== undefined) throw refuse(path, "needs one value");
      return [value];
    case "many":
      if (
        value !== undefined ||
        !Array.isArray(values) ||
        values.length === 0 ||
        values.length > MAX_VALUES ||
        !values.every(isScalar)
      )
        throw refuse(path, `needs values, a list of 1 to ${MAX_VALUES}`);
      return values;
    default:
      return arity satisfies never;
  }
}

const isScalar = (value: unknown): value is Scalar => ["string", "number", "boolean"].includes(typeof value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (path: string, what: string) => new Refusal("INVALID_FILTER", `${path} ${what}.`);
