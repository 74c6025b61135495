import type { FieldType } from "../../model/filter.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { defineJsonDialect } from "../define-json-dialect.ts";
import { capabilities, type Dialect, type Leaf, type LeafOp, ORDERED, ordered, STRINGS, TEXTS } from "../dialect.ts";
import { lostDigits } from "../lost-digits.ts";

const CAN_BE_EMPTY: readonly FieldType[] = ["string", "integer", "decimal", "date", "date-time", "enum"];
const EQUAL: readonly FieldType[] = [...CAN_BE_EMPTY, "boolean"];

/** Which kind of property a type is, unless the field's name says it: `status:Stage`, `title:Name`. */
const KINDS: Readonly<Record<FieldType, string>> = {
  string: "rich_text",
  integer: "number",
  decimal: "number",
  boolean: "checkbox",
  date: "date",
  "date-time": "date",
  enum: "select",
};
const NAMED_KIND =
  /^(title|rich_text|url|email|phone_number|number|checkbox|select|status|date|created_time|last_edited_time|unique_id):(.*)$/su;

/**
 * Notion's filters of a database, whose conditions are named by the kind of the property; groups are nested once, there is neither IN nor NOT.
 * A date is never unequal, but before or after; a checkbox is never empty.
 */
export const notion: Dialect = defineJsonDialect({
  name: "notion",
  capabilities: capabilities({
    eq: EQUAL,
    ne: [...TEXTS, "integer", "decimal", "boolean"],
    ...ordered(ORDERED),
    contains: STRINGS,
    not_contains: STRINGS,
    is_null: CAN_BE_EMPTY,
    is_not_null: CAN_BE_EMPTY,
  }),
  groups: { shape: "free", depth: 2 },
  limits: { leaves: 100 },
  nullOnNegation: "drop",
  neverMissing: ["boolean"],
  refuseValue: lostDigits,
  leaf: writeLeaf,
  group: (kind, parts) => ({ [kind]: parts }),
});

const WORDS: Readonly<Partial<Record<LeafOp, string>>> = {
  eq: "equals",
  ne: "does_not_equal",
  contains: "contains",
  not_contains: "does_not_contain",
  is_null: "is_empty",
  is_not_null: "is_not_empty",
};
const ORDER_OF_NUMBERS: typeof WORDS = {
  lt: "less_than",
  lte: "less_than_or_equal_to",
  gt: "greater_than",
  gte: "greater_than_or_equal_to",
};
const ORDER_OF_DATES: typeof WORDS = { lt: "before", lte: "on_or_before", gt: "after", gte: "on_or_after" };

function writeLeaf(leaf: Leaf): JsonObject {
  const { type, to } = leaf.field;
  const [, kind = KINDS[type], property = to] = NAMED_KIND.exec(to) ?? [];
  const isDate = type === "date" || type === "date-time";
  const word = WORDS[leaf.op] ?? (isDate ? ORDER_OF_DATES : ORDER_OF_NUMBERS)[leaf.op] ?? leaf.op;
  const condition = { [kind]: { [word]: operandOf(leaf) } };
  // The two times of a page are no properties of the database.
  return kind === "created_time" || kind === "last_edited_time"
    ? { timestamp: kind, ...condition }
    : { property, ...condition };
}

function operandOf(leaf: Leaf): Json {
  if (leaf.kind === "null") return true;
  return leaf.kind === "compare" ? leaf.value.wire : leaf.values.map(({ wire }) => wire);
}
