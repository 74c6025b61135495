import type { Json } from "../../model/json.ts";
import { defineJsonDialect, nestByDots } from "../define-json-dialect.ts";
import { type Dialect, EVERY_OPERATOR, isText, type Leaf } from "../dialect.ts";
import { lostDigits } from "../lost-digits.ts";
import { sqlWildcard } from "../sql-wildcard.ts";

const OPERATORS = {
  eq: "_eq",
  ne: "_neq",
  lt: "_lt",
  lte: "_lte",
  gt: "_gt",
  gte: "_gte",
  in: "_in",
  not_in: "_nin",
  contains: "_contains",
  not_contains: "_ncontains",
} as const;

/**
 * Directus' filter rules; there is no negation of a group. A text that begins with `$` is a variable there (`$NOW`, `$CURRENT_USER`), and the
 * texts `true`, `false` and `null` become those values, so these are refused. Dots in a name lead into relations.
 */
export const directus: Dialect = defineJsonDialect({
  name: "directus",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!_(and|or|some|none)(\.|$))[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u,
  refuseValue: (value, leaf) => {
    if (isText(value) && /^(\$|(true|false|null)$)/i.test(value.text))
      return "Directus would take this text for a variable or another value.";
    return lostDigits(value) ?? sqlWildcard(value, leaf);
  },
  leaf: (leaf) => nestByDots(leaf.field.to, condition(leaf)),
  group: (kind, parts) => ({ [`_${kind}`]: parts }),
});

function condition(leaf: Leaf): Json {
  if (leaf.kind === "null") return { [leaf.op === "is_null" ? "_null" : "_nnull"]: true };
  const value = leaf.kind === "member" ? leaf.values.map(({ wire }) => wire) : leaf.value.wire;
  return { [OPERATORS[leaf.op]]: value };
}
