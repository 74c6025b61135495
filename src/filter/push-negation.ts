import type { Condition } from "../model/filter.ts";
import type { Clause, Leaf, LeafClause, LeafOp } from "./dialect.ts";

/**
 * The same filter with every negation at a leaf (De Morgan), groups of one dissolved and groups of one kind flattened. Since a filter is
 * two-valued the meaning stays, also on rows without a value: the negation of `lt` is "not less", which such rows pass.
 */
export function pushNegation(condition: Condition, negated = false): Clause {
  if (condition.kind !== "group") return leafClause(condition, negated);
  const inside = negated !== (condition.match === "none");
  const isAnd = (condition.match === "all") !== inside;
  return group(
    isAnd ? "and" : "or",
    condition.conditions.map((part) => pushNegation(part, inside)),
    condition.path,
  );
}

/** A group of clauses: one alone stands for itself, and a group of the same kind inside it is part of it. */
export function group(kind: "and" | "or", parts: readonly Clause[], path: string): Clause {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  if (flat.length === 0) throw new TypeError("A group of no conditions has no meaning.");
  return flat.length === 1 ? flat[0]! : { kind, parts: flat, path };
}

const OPPOSITE: Readonly<Partial<Record<LeafOp, LeafOp>>> = {
  eq: "ne",
  ne: "eq",
  in: "not_in",
  not_in: "in",
  contains: "not_contains",
  is_null: "is_not_null",
  is_not_null: "is_null",
};

/** Where the order is total, "not less" is "at least". */
const REVERSED = { lt: "gte", lte: "gt", gt: "lte", gte: "lt" } as const;

function leafClause(condition: Exclude<Condition, { kind: "group" }>, negated: boolean): Clause {
  const leaf: Leaf = condition;
  if (!negated) return { kind: "leaf", leaf };
  if (leaf.op === "lt" || leaf.op === "lte" || leaf.op === "gt" || leaf.op === "gte") {
    const reversed: Clause = { kind: "leaf", leaf: { ...leaf, op: REVERSED[leaf.op] } };
    if (!leaf.field.nullable) return reversed;
    return group("or", [reversed, missingClause(leaf, `none over ${leaf.op}`)], leaf.path);
  }
  return { kind: "leaf", leaf: { ...leaf, op: OPPOSITE[leaf.op] } as Leaf };
}

/** The rows without a value of a leaf's field, which belong to the negation called `completes`. */
export function missingClause({ field, path }: Leaf, completes: string): LeafClause {
  return { kind: "leaf", leaf: { kind: "null", op: "is_null", field, path, completes } };
}
