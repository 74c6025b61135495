import type { FilterParameter, FilterTarget } from "../../model/filter.ts";
import { type Clause, type Dialect, EVERY_OPERATOR, type Leaf, templateOf, valuesOf } from "../dialect.ts";
import { sqlWildcard } from "../sql-wildcard.ts";
import { fillRaw, flattenParameters } from "../write-parameters.ts";

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "$eq",
  ne: "$ne",
  lt: "$lt",
  lte: "$lte",
  gt: "$gt",
  gte: "$gte",
  in: "$in",
  not_in: "$notIn",
  contains: "$contains",
  not_contains: "$notContains",
};

/** Strapi reads its query by `qs` with `arrayLimit: 100`, `depth: 20`: what is beyond becomes an object, or a text. */
const MOST_ITEMS = 100;
const MOST_GROUPS = 7;

/** Strapi's filters in brackets, every step of which has its index: `filters[$and][0][status][$in][0]`. Dots in a name lead into relations. */
export function openStrapi({ parameter = "filters" }: FilterTarget): Dialect {
  return {
    name: "strapi",
    capabilities: EVERY_OPERATOR,
    groups: { shape: "free", depth: MOST_GROUPS },
    limits: { leaves: MOST_ITEMS },
    nullOnNegation: "drop",
    fieldNames: /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}_][\p{L}\p{N}_-]*){0,3}$/u,
    insertion: "raw",
    takesControls: false,
    refuse: (leaf) => (valuesOf(leaf).length > MOST_ITEMS ? `It takes at most ${MOST_ITEMS} values.` : undefined),
    refuseValue: sqlWildcard,
    write: (clause) => ({ kind: "parameters", parameters: writeClause(clause, parameter) }),
  };
}

function writeClause(clause: Clause, name: string): readonly FilterParameter[] {
  if (clause.kind === "leaf") return writeLeaf(clause.leaf, name);
  return clause.parts.flatMap((part, index) => writeClause(part, `${name}[$${clause.kind}][${index}]`));
}

function writeLeaf(leaf: Leaf, name: string): readonly FilterParameter[] {
  const at = `${name}${leaf.field.to
    .split(".")
    .map((step) => `[${step}]`)
    .join("")}`;
  const template = templateOf(leaf);
  if (template !== undefined)
    return flattenParameters(at, fillRaw(template, leaf), { join: (outer, key) => `${outer}[${key}]`, indexed: true });
  if (leaf.kind === "null") return [[`${at}[${leaf.op === "is_null" ? "$null" : "$notNull"}]`, "true"]];
  if (leaf.kind === "compare") return [[`${at}[${OPERATORS[leaf.op]}]`, leaf.value.text]];
  return leaf.values.map(({ text }, index) => [`${at}[${OPERATORS[leaf.op]}][${index}]`, text]);
}
