import type { Literal } from "../../model/filter.ts";
import { defineTextDialect } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered, STRINGS } from "../dialect.ts";
import { unixMilliseconds } from "../write-moment.ts";

/** `~` looks for parts of at least so many characters. */
const LEAST_CHARACTERS = 3;

/**
 * Stripe's search: AND or OR, never both, and no brackets. Moments are in Unix seconds. How a backslash is read is not said, so a text that
 * holds one is refused.
 */
export const stripeSearch: Dialect = defineTextDialect({
  name: "stripe-search",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    ...ordered(ORDERED),
    contains: STRINGS,
    not_contains: STRINGS,
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "one-kind", depth: 1 },
  nullOnNegation: "drop",
  fieldNames: /^[a-z_]+(\.[a-z_]+)*(\[("[^"\\\p{C}]+"|'[^'\\\p{C}]+')\])?$/u,
  refuseValue: (value, { op }) => {
    if (value.text.includes("\\")) return "How stripe-search reads a backslash is not known.";
    if ((value.type === "date" || value.type === "date-time") && unixSeconds(value) === undefined)
      return "stripe-search takes moments in whole seconds.";
    return (op === "contains" || op === "not_contains") && [...value.text].length < LEAST_CHARACTERS
      ? `stripe-search looks for parts of at least ${LEAST_CHARACTERS} characters.`
      : undefined;
  },
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

const COMPARATORS: Readonly<Record<string, string>> = {
  eq: ":",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  contains: "~",
};

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${leaf.op === "is_null" ? "" : "-"}${to}:null`;
  if (leaf.kind === "member") return leaf.values.map((value) => `${to}:${literal(value)}`).join(" OR ");
  if (leaf.op === "ne") return `-${to}:${literal(leaf.value)}`;
  if (leaf.op === "not_contains") return `-${to}~${literal(leaf.value)}`;
  return `${to}${COMPARATORS[leaf.op]}${literal(leaf.value)}`;
}

function literal(value: Literal): string {
  if (isText(value) || value.type === "boolean") return `"${value.text.replaceAll('"', '\\"')}"`;
  return String(unixSeconds(value) ?? value.text);
}

function unixSeconds({ type, text }: Literal): number | undefined {
  if (type !== "date" && type !== "date-time") return undefined;
  const milliseconds = unixMilliseconds(text);
  return milliseconds === undefined || milliseconds % 1000 !== 0 ? undefined : milliseconds / 1000;
}
