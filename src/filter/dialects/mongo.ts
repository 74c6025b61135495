import type { Json } from "../../model/json.ts";
import { defineJsonDialect } from "../define-json-dialect.ts";
import { type Dialect, EVERY_OPERATOR, type Leaf } from "../dialect.ts";
import { lostDigits } from "../lost-digits.ts";

const OPERATORS = {
  eq: "$eq",
  ne: "$ne",
  lt: "$lt",
  lte: "$lte",
  gt: "$gt",
  gte: "$gte",
  in: "$in",
  not_in: "$nin",
} as const;

/**
 * MongoDB's query documents. Every value stands under an operator of its own and is a scalar, so that none can be taken for one
 * (operator injection). `$ne` and `$nin` keep documents without the field; `$eq: null` matches an absent one too. A number never equals a
 * text here, so a number that JSON's readers would round is refused.
 */
export const mongo: Dialect = defineJsonDialect({
  name: "mongo",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "keep",
  fieldNames: /^(?!\$)[^\p{C}]+$/u,
  refuseValue: lostDigits,
  leaf: writeLeaf,
  group: (kind, parts) => ({ [kind === "and" ? "$and" : "$or"]: parts }),
});

function writeLeaf(leaf: Leaf): Json {
  return { [leaf.field.to]: condition(leaf) };
}

function condition(leaf: Leaf): Json {
  switch (leaf.op) {
    case "is_null":
      return { $eq: null };
    case "is_not_null":
      return { $ne: null };
    case "in":
    case "not_in":
      return { [OPERATORS[leaf.op]]: leaf.values.map(({ wire }) => wire) };
    case "contains":
      return { $regex: escapePattern(leaf.value.text) };
    case "not_contains":
      return { $not: { $regex: escapePattern(leaf.value.text) } };
    default:
      return { [OPERATORS[leaf.op]]: leaf.value.wire };
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
