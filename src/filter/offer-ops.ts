import {
  type Condition,
  FILTER_OPS,
  type FieldType,
  type FilterField,
  type FilterOp,
  type FilterTarget,
  type Literal,
} from "../model/filter.ts";
import { wireLiteral } from "./read-literal.ts";
import { NotExpressible } from "./refusal.ts";
import { writeFilter } from "./write-filter.ts";

/**
 * Sixth door of the room. Which of a field's operators the upstream can be asked for at all, so that a tool offers no other: what is missing is
 * refused whatever its value. Empty where the field cannot be written.
 */
export function offerOps(field: FilterField, target: FilterTarget): readonly FilterOp[] {
  return (field.ops ?? FILTER_OPS).filter((op) => explainOp(field, op, target) === undefined);
}

/** Why the upstream cannot be asked for one of them, a sentence; undefined where it can. */
export function explainOp(field: FilterField, op: FilterOp, target: FilterTarget): string | undefined {
  return explain(sampleCondition(field, op), target);
}

/** Which groups the upstream can be asked for: those in which some two conditions can be said. */
export function offerMatches(
  fields: readonly FilterField[],
  target: FilterTarget,
): readonly ("all" | "any" | "none")[] {
  const samples = fields
    .flatMap((field) => offerOps(field, target).map((op) => sampleCondition(field, op)))
    .slice(0, MOST_SAMPLES);
  const pairs = samples.flatMap((one, index) => samples.slice(index + 1).map((other) => [one, other]));
  return (["all", "any", "none"] as const).filter((match) =>
    pairs.some((conditions) => explain({ kind: "group", match, conditions, path: "filter" }, target) === undefined),
  );
}

const MOST_SAMPLES = 20;

function explain(condition: Condition, target: FilterTarget): string | undefined {
  try {
    writeFilter(condition, target);
    return undefined;
  } catch (error) {
    if (error instanceof NotExpressible) return error.message;
    throw error;
  }
}

/** A condition that a caller could write. */
export function sampleCondition(field: FilterField, op: FilterOp): Condition {
  const path = "filter";
  const value = sampleLiteral(field);
  switch (op) {
    case "is_null":
    case "is_not_null":
      return { kind: "null", op, field, path };
    case "in":
    case "not_in":
      return { kind: "member", op, field, values: [value, value], path };
    default:
      return { kind: "compare", op, field, value, path };
  }
}

const SAMPLES: Readonly<Record<FieldType, Literal>> = {
  string: { type: "string", text: "abc", wire: "abc" },
  enum: { type: "enum", text: "abc", wire: "abc" },
  integer: { type: "integer", text: "1", wire: 1 },
  decimal: { type: "decimal", text: "1", wire: 1 },
  boolean: { type: "boolean", text: "true", wire: true },
  date: { type: "date", text: "2026-01-31", wire: "2026-01-31" },
  "date-time": { type: "date-time", text: "2026-01-31T00:00:00Z", wire: "2026-01-31T00:00:00Z" },
};

function sampleLiteral({ type, values, as }: FilterField): Literal {
  const listed = values?.[0];
  if (listed) return wireLiteral(listed.wire);
  if (as?.as === "date") return SAMPLES.date;
  return as === undefined ? SAMPLES[type] : SAMPLES.integer;
}
