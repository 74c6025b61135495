import { ExpressionFailed } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { Value } from "../../model/value.ts";
import { currencyExponent } from "../arguments/currency-exponents.ts";
import { clipCharacters } from "../clip-characters.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";

/** Longer ones are no units; they are shown cut. */
const LONGEST = 40;

/** Reads the unit that the value gives over a row or a body; undefined where it gives none. */
export function unitReader(unit: Value, roots: Roots): (current: Json) => string | undefined {
  if (unit.kind !== "expression") {
    const constant = nameUnit(evaluateValue(unit, roots));
    return () => constant;
  }
  const { expression } = unit;
  return (current) => {
    try {
      return nameUnit(evaluateExpression(expression, current, roots));
    } catch (error) {
      if (error instanceof ExpressionFailed) return undefined;
      throw error;
    }
  };
}

/** `usd` is USD; a unit that is no currency stands as it is, for `Gb` is not `GB`. */
export function nameUnit(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const unit = value.trim();
  return isCurrency(unit) ? unit.toUpperCase() : clipCharacters(unit, LONGEST);
}

export function isCurrency(unit: string): boolean {
  return currencyExponent(unit) !== undefined;
}

/** The key under which a reply shows the unit (contract section 4). */
export function unitKey(unit: string): "currency" | "unit" {
  return isCurrency(unit) ? "currency" : "unit";
}
