import { FILTER_OPS, type FieldType, type FilterOp, type FilterTemplates, type Literal } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { holds, isWhole, isWord } from "./check-templates.ts";
import {
  ALL_TYPES,
  type Capabilities,
  capabilities,
  type Dialect,
  type Groups,
  type Insertion,
  type Leaf,
  ORDERED,
  STRINGS,
  templateOf,
} from "./dialect.ts";
import { templateFault } from "./template-fault.ts";

export interface TemplateLanguage {
  readonly table: Pick<Dialect, "capabilities" | "groups" | "limits" | "nullOnNegation" | "negates" | "fieldNames">;
  /** What a leaf is written in, and the upstream's word for its operator. */
  templateOf(leaf: Leaf): { readonly template: Json; readonly word: string };
  valueFault(literal: Literal, leaf: Leaf, insertion: Insertion): string | undefined;
}

/**
 * The table that an author's templates make. `single` has an operator where it has a place for its values, and is_null and is_not_null only
 * where `ops` names them, since no `{value}` tells them apart. `mayNest` says whether a group so written can stand inside another.
 */
export function templateLanguage(templates: FilterTemplates, mayNest: (template: Json) => boolean): TemplateLanguage {
  const byOp = new Map(FILTER_OPS.map((op) => [op, findTemplate(op, templates)]));
  const rows = FILTER_OPS.filter((op) => byOp.get(op) !== undefined).map((op) => [op, TYPES[op]] as const);
  return {
    table: {
      capabilities: capabilities(Object.fromEntries(rows) as Partial<Capabilities>),
      groups: groupsOf(templates, mayNest),
      limits: {},
      nullOnNegation: undefined,
      negates: templates.none !== undefined && holds(templates.none, "conditions"),
      fieldNames: /./su,
    },
    templateOf: (leaf) => {
      const own = templateOf(leaf);
      if (own !== undefined) return { template: own, word: leaf.op };
      const found = leaf.op === "not_contains" ? undefined : byOp.get(leaf.op);
      if (found === undefined) throw new TypeError(`There is no template for ${leaf.op}.`);
      return found;
    },
    valueFault: (literal, leaf, insertion) => {
      const found = leaf.op === "not_contains" || templateOf(leaf) !== undefined ? undefined : byOp.get(leaf.op);
      return found && templateFault(found.template, literal, leaf, insertion);
    },
  };
}

const TYPES: Readonly<Record<FilterOp, readonly FieldType[]>> = {
  eq: ALL_TYPES,
  ne: ALL_TYPES,
  in: ALL_TYPES,
  not_in: ALL_TYPES,
  lt: ORDERED,
  lte: ORDERED,
  gt: ORDERED,
  gte: ORDERED,
  contains: STRINGS,
  is_null: ALL_TYPES,
  is_not_null: ALL_TYPES,
};

function findTemplate(op: FilterOp, { single, ops }: FilterTemplates): { template: Json; word: string } | undefined {
  const named = ops?.[op];
  if (named !== undefined && named !== null && !isWord(named))
    return holds(named, "field") && isWhole(named, op) ? { template: named, word: op } : undefined;
  if (single === undefined || (ops !== undefined && named === undefined)) return undefined;
  const found = { template: single, word: typeof named === "string" ? named : op };
  // Without `{op}` the template says one thing whatever was asked: equality.
  if (!holds(single, "field") || (!holds(single, "op") && op !== "eq")) return undefined;
  if (op === "in" || op === "not_in") return holds(single, "values") ? found : undefined;
  if (op === "is_null" || op === "is_not_null") return ops !== undefined ? found : undefined;
  return holds(single, "value") ? found : undefined;
}

function groupsOf(templates: FilterTemplates, mayNest: (template: Json) => boolean): Groups {
  const [all, any] = [templates.all, templates.any].map((one) =>
    one !== undefined && holds(one, "conditions") ? one : undefined,
  );
  if (all === undefined) return any === undefined ? { shape: "single", depth: 0 } : { shape: "any", depth: 1 };
  if (any === undefined) return { shape: "all", depth: 1 };
  if (mayNest(all)) return mayNest(any) ? { shape: "free", depth: 8 } : { shape: "any-of-all", depth: 2 };
  return mayNest(any) ? { shape: "all-of-any", depth: 2 } : { shape: "one-kind", depth: 1 };
}
