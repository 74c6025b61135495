import type { Json } from "../../model/json.ts";
import { defineJsonDialect } from "../define-json-dialect.ts";
import { capabilities, type Dialect, type Leaf, TEXTS } from "../dialect.ts";

/**
 * The Expression of AWS Cost Explorer: one operator at each root, values of one key joined by OR. A field's name is a dimension (`SERVICE`), or
 * `Tags/team`, or `CostCategories/name`; only the last two can be absent. There are no amounts and no parts of texts.
 */
export const awsCostExplorer: Dialect = defineJsonDialect({
  name: "aws-cost-explorer",
  capabilities: capabilities({ eq: TEXTS, ne: TEXTS, in: TEXTS, not_in: TEXTS, is_null: TEXTS, is_not_null: TEXTS }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^((Dimensions\/)?[A-Z_]+|(Tags|CostCategories)\/[^\p{C}]+)$/u,
  refuse: (leaf) =>
    leaf.kind === "null" && keyOf(leaf).kind === "Dimensions"
      ? "AWS Cost Explorer can ask for the absence of tags and cost categories only."
      : undefined,
  leaf: writeLeaf,
  group: (kind, parts) => ({ [kind === "and" ? "And" : "Or"]: parts }),
});

function writeLeaf(leaf: Leaf): Json {
  const { kind, key } = keyOf(leaf);
  const isNegative = leaf.op === "ne" || leaf.op === "not_in" || leaf.op === "is_not_null";
  const condition = { [kind]: { Key: key, ...matchOf(leaf) } };
  return isNegative ? { Not: condition } : condition;
}

function matchOf(leaf: Leaf): { [name: string]: Json } {
  if (leaf.kind === "null") return { MatchOptions: ["ABSENT"] };
  const values = leaf.kind === "member" ? leaf.values : [leaf.value];
  return { Values: values.map(({ text }) => text), MatchOptions: ["EQUALS"] };
}

function keyOf({ field }: Leaf): { kind: string; key: string } {
  const [, kind = "Dimensions", key = field.to] = /^(Dimensions|Tags|CostCategories)\/(.*)$/su.exec(field.to) ?? [];
  return { kind, key };
}
