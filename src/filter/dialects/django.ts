import type { FilterParameter } from "../../model/filter.ts";
import { ALL_TYPES, capabilities, type Dialect, type Leaf, ORDERED, ordered, STRINGS } from "../dialect.ts";
import { leavesOf } from "../fit-groups.ts";
import { writeParameters } from "../write-parameters.ts";

const SUFFIXES: Readonly<Record<string, string>> = {
  eq: "",
  lt: "__lt",
  lte: "__lte",
  gt: "__gt",
  gte: "__gte",
  in: "__in",
  contains: "__contains",
};

/** django-filter's parameters: one a condition, all of which hold; there is neither OR nor NOT, and a comma separates the values of `__in`. */
export const django: Dialect = {
  name: "django",
  capabilities: capabilities({
    eq: ALL_TYPES,
    in: ALL_TYPES,
    ...ordered(ORDERED),
    contains: STRINGS,
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "all", depth: 1 },
  limits: {},
  nullOnNegation: "drop",
  fieldNames: /^[\w.-]+$/,
  insertion: "parameter",
  takesControls: false,
  plain: { eq: "{value}" },
  refuseValue: ({ text }, { op }) =>
    op === "in" && text.includes(",") ? "A comma would be taken as the end of a value by django." : undefined,
  write: (clause) =>
    writeParameters(leavesOf(clause), writeLeaf, {
      base: ({ field }) => field.to,
      join: (name, key) => `${name}__${key}`,
    }),
};

function writeLeaf(leaf: Leaf): FilterParameter {
  const { to } = leaf.field;
  if (leaf.kind === "null") return [`${to}__isnull`, String(leaf.op === "is_null")];
  const name = `${to}${SUFFIXES[leaf.op]}`;
  return [name, leaf.kind === "member" ? leaf.values.map(({ text }) => text).join(",") : leaf.value.text];
}
