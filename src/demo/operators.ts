import type { DataType } from "./fields.ts";

/** How many values an operator takes: none, one (`value`) or a list (`values`). */
export type Arity = "none" | "one" | "many";

interface Operator {
  readonly arity: Arity;
  readonly types: readonly DataType[];
  /** SQL of the condition; `field` and `values` are expressions, never text of the caller's. */
  write(field: string, values: readonly string[]): string;
}

const ANY: readonly DataType[] = ["string", "decimal", "date-time", "boolean", "json"];
const EQUAL: readonly DataType[] = ["string", "decimal", "date-time", "boolean"];
const ORDERED: readonly DataType[] = ["decimal", "date-time"];

const compare = (sign: string, types: readonly DataType[]): Operator => ({
  arity: "one",
  types,
  write: (field, values) => `${field} ${sign} ${values[0]}`,
});

/**
 * SQL's own logic throughout: a row without a value satisfies IS_EMPTY and no other operator, NOT_EQUALS and NOT_IN included.
 * A Map, since strangers send the names.
 */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["EQUALS", compare("=", EQUAL)],
  ["NOT_EQUALS", compare("<>", EQUAL)],
  ["GREATER_THAN", compare(">", ORDERED)],
  ["GREATER_THAN_OR_EQUAL", compare(">=", ORDERED)],
  ["LESS_THAN", compare("<", ORDERED)],
  ["LESS_THAN_OR_EQUAL", compare("<=", ORDERED)],
  ["IN", { arity: "many", types: EQUAL, write: (field, values) => `${field} IN (${values.join(", ")})` }],
  ["NOT_IN", { arity: "many", types: EQUAL, write: (field, values) => `${field} NOT IN (${values.join(", ")})` }],
  [
    "CONTAINS",
    { arity: "one", types: ["string"], write: (field, values) => `contains(lower(${field}), lower(${values[0]}))` },
  ],
  ["IS_EMPTY", { arity: "none", types: ANY, write: (field) => `coalesce(CAST(${field} AS VARCHAR), '') = ''` }],
  ["IS_NOT_EMPTY", { arity: "none", types: ANY, write: (field) => `coalesce(CAST(${field} AS VARCHAR), '') <> ''` }],
]);
