import type { PortableSchema } from "../../../model/schema.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { compareKeywords, type KeywordChange, type Way } from "./compare-keywords.ts";
import { compareProperties, type PropertyRules } from "./compare-properties.ts";
import { compareText } from "./compare-words.ts";
import { change, into, type Spot } from "./make-change.ts";
import { sameValue } from "./same-value.ts";

/** What callers write. `name` is the input as a sentence names it; empty at the root. */
export function* compareInput(before: PortableSchema, after: PortableSchema, spot: Spot, name = ""): Iterable<Change> {
  const keywords = compareKeywords(before, after);
  for (const one of keywords)
    yield change(ruleOf(one), into(spot, one.keyword), one.before, one.after, phrase(one.keyword, name));
  if (!sameValue(before.default, after.default))
    yield change(
      "input_default_changed",
      into(spot, "default"),
      before.default,
      after.default,
      phrase("default", name),
    );
  yield* compareText(
    "input_text_changed",
    into(spot, "description"),
    before.description,
    after.description,
    name === "" ? "The text of the input" : `The text of \`${name}\``,
  );
  if (keywords.some(({ keyword, way }) => keyword === "type" && way === "other")) return;
  yield* compareProperties(before, after, { spot, outside: name }, PROPERTIES);
  if (before.items !== undefined || after.items !== undefined)
    yield* compareInput(before.items ?? {}, after.items ?? {}, into(spot, "items"), `${name}[]`);
}

const PROPERTIES: PropertyRules = {
  removed: ["input_removed", "is no longer an input."],
  renamed: ["input_renamed", "looks renamed to"],
  added: ["optional_input_added", "is a new input; a call may leave it out."],
  addedRequired: ["required_input_added", "is a new input; a call must give it."],
  required: ["input_required", "was optional and is required."],
  optional: ["input_optional", "was required and is optional."],
  unnamed: "input_keyword_changed",
  compare: compareInput,
};

type Rules = Readonly<Partial<Record<Way, ChangeRuleId>>>;

const BOUND: Rules = { narrower: "input_bound_tightened", wider: "input_bound_relaxed" };

const RULES: ReadonlyMap<string, Rules> = new Map<string, Rules>([
  ["type", { narrower: "input_type_changed", other: "input_type_changed", wider: "input_type_widened" }],
  ["enum", { narrower: "input_enum_narrowed", wider: "input_enum_widened" }],
  ...["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"].map((one) => [one, BOUND] as const),
  ["pattern", { narrower: "input_pattern_added", wider: "input_pattern_removed", unknown: "input_pattern_changed" }],
  ["format", { narrower: "input_format_added", other: "input_format_added", wider: "input_format_removed" }],
  ["additionalProperties", { narrower: "input_closed", wider: "input_opened" }],
]);

function ruleOf({ keyword, way }: KeywordChange): ChangeRuleId {
  return RULES.get(keyword)?.[way] ?? "input_keyword_changed";
}

function phrase(keyword: string, name: string): string {
  return name === "" ? `\`${keyword}\` of the arguments` : `\`${keyword}\` of \`${name}\``;
}
