import type { FieldType, Literal } from "../../model/filter.ts";
import { defineTextDialect } from "../define-text-dialect.ts";
import { capabilities, type Dialect, type Leaf } from "../dialect.ts";

/** Labels are texts; a number is equal by its digits alone. */
const TYPES: readonly FieldType[] = ["string", "integer", "boolean", "enum"];

/**
 * Kubernetes' label selectors (concepts, "Labels and Selectors"): requirements that all hold. Values are not quoted but limited in their
 * characters; `!=` and `notin` select objects without the label too.
 */
export const kubernetesSelector: Dialect = defineTextDialect({
  name: "kubernetes-selector",
  capabilities: capabilities({ eq: TYPES, ne: TYPES, in: TYPES, not_in: TYPES, is_null: TYPES, is_not_null: TYPES }),
  groups: { shape: "all", depth: 1 },
  nullOnNegation: "keep",
  fieldNames: /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/,
  refuseValue: ({ text }) =>
    /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(text)
      ? undefined
      : "The value of a label has at most 63 letters, digits, `-`, `_` and `.`, the first and last a letter or digit.",
  and: ",",
  or: ",",
  literal,
  leaf: writeLeaf,
});

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${leaf.op === "is_null" ? "!" : ""}${to}`;
  if (leaf.kind === "compare") return `${to}${leaf.op === "eq" ? "=" : "!="}${literal(leaf.value)}`;
  return `${to} ${leaf.op === "in" ? "in" : "notin"} (${leaf.values.map(literal).join(",")})`;
}

function literal({ text }: Literal): string {
  return text;
}
