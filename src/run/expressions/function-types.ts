import type { Budget } from "./budget.ts";

/** A function over the current element, written `&expression`. Data cannot look like one: it is no JSON. */
export type Reference = (element: unknown) => unknown;

export const reference = (of: (element: unknown) => unknown): Reference => of;

export function isReference(value: unknown): value is Reference {
  return typeof value === "function";
}

export type ArgumentKind =
  | "number"
  | "string"
  | "array"
  | "object"
  | "any"
  | "reference"
  | "numbers"
  | "strings"
  | "arrays";

export interface JmesFunction {
  /** What each argument may be. */
  readonly takes: readonly (readonly ArgumentKind[])[];
  /** How many of them, from the right, may be left out. */
  readonly optional?: number;
  /** The last may be repeated. */
  readonly variadic?: boolean;
  /** Called with arguments that were checked against `takes`. */
  readonly run: (given: never, budget: Budget) => unknown;
}

/** The type of a value in JMESPath's words. */
export function kindOf(value: unknown): "null" | "array" | "reference" | "number" | "string" | "boolean" | "object" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isReference(value)) return "reference";
  return typeof value as "number" | "string" | "boolean" | "object";
}
