import type { Literal } from "../../model/filter.ts";
import type { Json } from "../../model/json.ts";
import { defineJsonDialect } from "../define-json-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, type Leaf, ORDERED, ordered } from "../dialect.ts";
import { unixMilliseconds } from "../write-moment.ts";

const OPERATORS = {
  eq: "EQ",
  ne: "NEQ",
  lt: "LT",
  lte: "LTE",
  gt: "GT",
  gte: "GTE",
  in: "IN",
  not_in: "NOT_IN",
} as const;

/**
 * HubSpot's CRM search: one of at most five groups, whose filters all hold. Values are texts, moments Unix milliseconds. IN wants texts in lower
 * case, so that others are asked for one by one. CONTAINS_TOKEN looks for words, so there is no `contains`.
 */
export const hubspot: Dialect = defineJsonDialect({
  name: "hubspot",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    in: ALL_TYPES,
    not_in: ALL_TYPES,
    ...ordered(ORDERED),
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "any-of-all", depth: 2 },
  limits: { alternatives: 5, leavesOfAlternative: 10, leaves: 25 },
  nullOnNegation: "drop",
  refuse: (leaf) =>
    leaf.kind === "member" && leaf.values.some(({ type, text }) => type === "string" && text !== text.toLowerCase())
      ? "HubSpot's IN takes texts in lower case only."
      : undefined,
  refuseValue: (value) =>
    isMoment(value) && unixMilliseconds(value.text) === undefined
      ? "HubSpot takes moments in milliseconds."
      : undefined,
  leaf: writeLeaf,
  group: (_, parts) => parts,
  finish: (value, clause) => {
    const alternatives = clause.kind === "or" ? (value as readonly Json[]) : [value];
    return { filterGroups: alternatives.map((filters) => ({ filters: Array.isArray(filters) ? filters : [filters] })) };
  },
});

function writeLeaf(leaf: Leaf): Json {
  const propertyName = leaf.field.to;
  if (leaf.kind === "null")
    return { propertyName, operator: leaf.op === "is_null" ? "NOT_HAS_PROPERTY" : "HAS_PROPERTY" };
  const operator = OPERATORS[leaf.op as keyof typeof OPERATORS];
  return leaf.kind === "member"
    ? { propertyName, operator, values: leaf.values.map(textOf) }
    : { propertyName, operator, value: textOf(leaf.value) };
}

function textOf(value: Literal): string {
  return isMoment(value) ? String(unixMilliseconds(value.text)) : value.text;
}

function isMoment({ type }: Literal): boolean {
  return type === "date" || type === "date-time";
}
