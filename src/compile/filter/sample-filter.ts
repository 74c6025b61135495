import { findDialect } from "../../filter/find-dialect.ts";
import { sampleCondition } from "../../filter/offer-ops.ts";
import { NotExpressible } from "../../filter/refusal.ts";
import { writeFilter } from "../../filter/write-filter.ts";
import {
  FIELD_TYPES,
  type FilterField,
  type FilterOp,
  type FilterTarget,
  type WrittenFilter,
} from "../../model/filter.ts";
import { isJsonObject, type Json } from "../../model/json.ts";

/** A field of each type, where nothing is known of the fields before a call comes. */
export function anyFields(target: FilterTarget): FilterField[] {
  const { fieldNames } = findDialect(target);
  const name = ["field", "FIELD"].find((one) => fieldNames.test(one)) ?? "field";
  return FIELD_TYPES.filter((type) => type !== "enum").map((type) => ({ name, to: name, type, nullable: true }));
}

/** How one condition is written; undefined where it cannot be. */
export function writeSample(field: FilterField, op: FilterOp, target: FilterTarget): WrittenFilter | undefined {
  try {
    return writeFilter(sampleCondition(field, op), target);
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

/** The JSON value that a condition of equality becomes; undefined where the language writes none. */
export function sampleJson(target: FilterTarget): Json | undefined {
  const written = writeSample(anyFields(target)[0]!, "eq", target);
  return written?.kind === "json" ? written.value : undefined;
}

/** The type of what a language writes to its one place. */
export function writtenRoot(target: FilterTarget): "string" | "array" | "object" | undefined {
  const written = writeSample(anyFields(target)[0]!, "eq", target);
  if (written?.kind === "text") return "string";
  if (written?.kind !== "json") return undefined;
  return Array.isArray(written.value) ? "array" : isJsonObject(written.value) ? "object" : "string";
}
