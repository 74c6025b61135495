import type { Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { type Dialect, EVERY_OPERATOR, type Leaf } from "../dialect.ts";

/**
 * PostgREST's conditions, always as one tree in the parameter `and` or `or`: there every value can be quoted, and no column is taken for a
 * parameter such as `order` or `select`. `*` stands for `%` in LIKE and cannot be escaped.
 */
export const postgrest: Dialect = defineTextDialect({
  name: "postgrest",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!(and|or|not)$)[\p{L}_][\p{L}\p{N}_$]*(->>?[\p{L}\p{N}_]+)*$/u,
  refuseValue: ({ text }, { op }) =>
    (op === "contains" || op === "not_contains") && text.includes("*")
      ? "A * would be taken as a wildcard by postgrest."
      : undefined,
  and: ",",
  or: ",",
  literal,
  leaf: writeLeaf,
  nested: (kind, text) => `${kind}(${text})`,
  finish: (text, clause) => ({
    kind: "parameters",
    parameters: [[clause.kind === "or" ? "or" : "and", `(${text})`]],
  }),
});

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "eq",
  ne: "neq",
  lt: "lt",
  lte: "lte",
  gt: "gt",
  gte: "gte",
  in: "in",
  not_in: "not.in",
};

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${to}.${leaf.op === "is_null" ? "is" : "not.is"}.null`;
  if (leaf.kind === "member") return `${to}.${OPERATORS[leaf.op]}.(${leaf.values.map(literal).join(",")})`;
  if (leaf.op === "contains") return `${to}.like.${pattern(leaf.value)}`;
  if (leaf.op === "not_contains") return `${to}.not.like.${pattern(leaf.value)}`;
  return `${to}.${OPERATORS[leaf.op]}.${literal(leaf.value)}`;
}

function literal({ text }: Literal): string {
  return inDoubleQuotes(text);
}

/** Escaped for LIKE first, then for the quotes around it. */
function pattern({ text }: Literal): string {
  return inDoubleQuotes(`*${text.replace(/[\\%_]/g, "\\$&")}*`);
}
