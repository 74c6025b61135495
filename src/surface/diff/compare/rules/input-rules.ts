import type { RuleFamily } from "./rule-family.ts";

/** Of what callers write. Here it is narrowing that breaks. */
export const INPUT_RULES = [
  {
    why: "Arguments are checked: a call that still sends the old one is refused as an unknown argument.",
    remedy: "Keep the input, or put the change into a tool of another name.",
    rules: [
      ["input_removed", "BREAKING", "Input removed"],
      ["input_renamed", "BREAKING", "Input renamed"],
    ],
  },
  {
    why: "Calls that left it out are refused.",
    remedy: "Give it a `default`, or make it optional.",
    rules: [
      ["required_input_added", "BREAKING", "Required input added"],
      ["input_required", "BREAKING", "Optional input became required"],
    ],
  },
  {
    why: "Values that were taken are refused.",
    remedy: "Take the old values as well; the curation overrides what the spec says (`type`, `enum`, bounds).",
    rules: [
      ["input_type_changed", "BREAKING", "Type of an input changed"],
      ["input_enum_narrowed", "BREAKING", "Value of an input removed"],
      ["input_bound_tightened", "BREAKING", "Bound of an input tightened"],
      ["input_pattern_added", "BREAKING", "Pattern of an input added"],
      ["input_format_added", "BREAKING", "Format of an input added"],
      ["input_closed", "BREAKING", "Further properties refused"],
      ["input_values_checked", "BREAKING", "Values checked against the upstream's list"],
      ["input_checks_added", "BREAKING", "Checks beyond the schema added"],
    ],
  },
  {
    why: "Nobody can tell by comparing whether values that were taken are still taken, so it counts as breaking.",
    remedy: "Compare the two by hand; suppress it with a reason once it is understood.",
    rules: [
      ["input_pattern_changed", "UNKNOWN", "Pattern of an input changed"],
      ["input_checks_changed", "UNKNOWN", "Checks beyond the schema changed"],
      ["input_values_source_changed", "UNKNOWN", "Values come from another list"],
      ["input_keyword_changed", "UNKNOWN", "Keyword of an input's schema that no rule knows"],
    ],
  },
  {
    why: "The same argument means something else to the upstream, or is no longer understood as it was written.",
    remedy: "Give the new meaning an input of another name.",
    rules: [
      ["input_form_changed", "BREAKING", "Form or unit of an input changed"],
      ["input_entity_changed", "BREAKING", "Kind of thing that an input names changed"],
    ],
  },
  {
    why: "The same call may ask for something else.",
    remedy: "Check that calls that leave it out, or rely on it, still get what they want.",
    rules: [
      ["input_default_changed", "BEHAVIOUR", "Default of an input changed"],
      ["input_end_changed", "BEHAVIOUR", "End of a range read in another way"],
      ["input_entity_added", "BEHAVIOUR", "Input is now read as the name of a thing"],
    ],
  },
  {
    why: "Every call that worked still works.",
    remedy: "Nothing must be done.",
    rules: [
      ["optional_input_added", "COMPATIBLE", "Optional input added"],
      ["input_optional", "COMPATIBLE", "Required input became optional"],
      ["input_type_widened", "COMPATIBLE", "Type of an input widened"],
      ["input_enum_widened", "COMPATIBLE", "Value of an input added"],
      ["input_bound_relaxed", "COMPATIBLE", "Bound of an input relaxed"],
      ["input_pattern_removed", "COMPATIBLE", "Pattern of an input removed"],
      ["input_format_removed", "COMPATIBLE", "Format of an input removed"],
      ["input_opened", "COMPATIBLE", "Further properties taken"],
      ["input_values_unchecked", "COMPATIBLE", "Values no longer checked against a list"],
      ["input_checks_removed", "COMPATIBLE", "Checks beyond the schema removed"],
    ],
  },
] as const satisfies readonly RuleFamily[];
