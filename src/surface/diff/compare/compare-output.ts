import type { PortableSchema } from "../../../model/schema.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { compareKeywords, type KeywordChange, type Way } from "./compare-keywords.ts";
import { compareProperties, type PropertyRules, type Told } from "./compare-properties.ts";
import { compareText } from "./compare-words.ts";
import { change, changeSaying, into, type Spot } from "./make-change.ts";
import { sameValue } from "./same-value.ts";

/** What callers read; `undefined` where nothing is promised. */
export function* compareOutput(
  before: PortableSchema | undefined,
  after: PortableSchema | undefined,
  spot: Spot,
): Iterable<Change> {
  if (before !== undefined && after === undefined)
    yield changeSaying("output_schema_removed", spot, before, after, "Replies are no longer described by a schema.");
  else if (before === undefined && after !== undefined)
    yield changeSaying("output_schema_added", spot, before, after, "Replies are described by a schema.");
  else if (before !== undefined && after !== undefined && rootOf(before) !== rootOf(after))
    yield changeSaying(
      "output_root_changed",
      spot,
      before,
      after,
      `A reply was ${rootOf(before)} and is ${rootOf(after)}.`,
    );
  else if (before !== undefined && after !== undefined) yield* compareField(before, after, spot, "");
}

/** Contract section 4: a list has `data` and `rowCount`. */
function rootOf({ type, properties = {} }: PortableSchema): string {
  if (type !== "object") return type === undefined ? "of any type" : `of type ${type}`;
  return Object.hasOwn(properties, "data") && Object.hasOwn(properties, "rowCount") ? "a list of rows" : "an object";
}

function* compareField(before: PortableSchema, after: PortableSchema, spot: Spot, name: string): Iterable<Change> {
  const keywords = compareKeywords(before, after);
  for (const one of keywords)
    yield change(
      ruleOf(one),
      into(spot, one.keyword),
      one.before,
      one.after,
      name === "" ? `\`${one.keyword}\` of the reply` : `\`${one.keyword}\` of \`${name}\``,
    );
  if (!sameValue(before.default, after.default))
    yield change(
      "output_keyword_changed",
      into(spot, "default"),
      before.default,
      after.default,
      `\`default\` of \`${name}\``,
    );
  yield* compareText(
    "output_text_changed",
    into(spot, "description"),
    before.description,
    after.description,
    name === "" ? "The text of the reply" : `The text of \`${name}\``,
  );
  if (keywords.some(({ keyword, way }) => keyword === "type" && way === "other")) return;
  if (hasInside(before) !== hasInside(after) && (isOpen(before) || isOpen(after))) {
    yield tellInside(before, after, spot, name);
    return;
  }
  yield* compareProperties(before, after, { spot, outside: name }, PROPERTIES);
  if (before.items !== undefined || after.items !== undefined)
    yield* compareField(before.items ?? {}, after.items ?? {}, into(spot, "items"), `${name}[]`);
}

/**
 * Of large replies only so many names are told (`outlineSchema` of the compiler): where none are left, those that were told may be there as before.
 */
function tellInside(before: PortableSchema, after: PortableSchema, spot: Spot, name: string): Change {
  const isTold = hasInside(after);
  const message = `What is inside \`${name}\` is ${isTold ? "now" : "no longer"} told.`;
  return changeSaying(isTold ? "output_inside_told" : "output_inside_untold", spot, before, after, message);
}

function hasInside({ properties = {}, items }: PortableSchema): boolean {
  return items !== undefined || Object.keys(properties).length > 0;
}

function isOpen(schema: PortableSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "description");
}

const NEW: Told = ["output_field_added", "is new in the reply."];

const PROPERTIES: PropertyRules = {
  removed: ["output_field_removed", "is gone from the reply."],
  renamed: ["output_field_renamed", "of the reply looks renamed to"],
  added: NEW,
  addedRequired: NEW,
  required: ["output_field_promised", "is now always in the reply."],
  optional: ["output_field_optional", "is no longer always in the reply."],
  unnamed: "output_keyword_changed",
  compare: compareField,
};

type Rules = Readonly<Partial<Record<Way, ChangeRuleId>>>;

const BOUND: Rules = { narrower: "output_bound_tightened", wider: "output_bound_relaxed" };

const RULES: ReadonlyMap<string, Rules> = new Map<string, Rules>([
  ["enum", { narrower: "output_enum_narrowed", wider: "output_enum_widened" }],
  ...["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "additionalProperties"].map(
    (one) => [one, BOUND] as const,
  ),
  ["pattern", { ...BOUND, unknown: "output_pattern_changed" }],
  ["format", { narrower: "output_format_added", wider: "output_format_changed", other: "output_format_changed" }],
]);

function ruleOf({ keyword, way, before, after }: KeywordChange): ChangeRuleId {
  if (keyword !== "type") return RULES.get(keyword)?.[way] ?? "output_keyword_changed";
  // Contract section 2: a cell that may be null declares no type.
  if (after === undefined) return "output_nullable";
  if (before === undefined) return "output_never_null";
  return way === "narrower" ? "output_type_narrowed" : "output_type_changed";
}
