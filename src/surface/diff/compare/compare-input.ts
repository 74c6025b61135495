import type { PortableSchema } from "../../../model/schema.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { compareKeywords, type KeywordChange, type Way } from "./compare-keywords.ts";
import { compareText } from "./compare-words.ts";
import { change, changeSaying, into, type Spot } from "./make-change.ts";
import { isRequired, pairProperties, requiredUnnamed } from "./pair-properties.ts";
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
  yield* compareProperties(before, after, spot, name);
  if (before.items !== undefined || after.items !== undefined)
    yield* compareInput(before.items ?? {}, after.items ?? {}, into(spot, "items"), `${name}[]`);
}

function* compareProperties(
  before: PortableSchema,
  after: PortableSchema,
  spot: Spot,
  outside: string,
): Iterable<Change> {
  const { both, renamed, removed, added } = pairProperties(before, after);
  const at = (name: string) => into(spot, "properties", name);
  const within = (name: string) => (outside === "" ? name : `${outside}.${name}`);
  for (const [name, schema] of removed)
    yield changeSaying("input_removed", at(name), schema, undefined, `\`${within(name)}\` is no longer an input.`);
  for (const { old, name } of renamed) {
    const message = `\`${within(old)}\` looks renamed to \`${within(name)}\`.`;
    yield changeSaying("input_renamed", at(old), old, name, message);
  }
  for (const [name, schema] of added) {
    const needed = isRequired(after, name);
    const message = `\`${within(name)}\` is a new input; a call ${needed ? "must give it" : "may leave it out"}.`;
    yield changeSaying(needed ? "required_input_added" : "optional_input_added", at(name), undefined, schema, message);
  }
  for (const { name, ...pair } of both) {
    const [was, is] = [isRequired(before, name), isRequired(after, name)];
    if (was !== is) {
      const message = is
        ? `\`${within(name)}\` was optional and is required.`
        : `\`${within(name)}\` was required and is optional.`;
      yield changeSaying(is ? "input_required" : "input_optional", at(name), was, is, message);
    }
    yield* compareInput(pair.before, pair.after, at(name), within(name));
  }
  const [lost, come] = requiredUnnamed(before, after);
  if (lost.length + come.length > 0)
    yield change("input_keyword_changed", into(spot, "required"), lost, come, `what is required of \`${outside}\``);
  for (const { name, ...pair } of renamed) yield* compareInput(pair.before, pair.after, at(name), within(name));
}

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
