import type { RuleFamily } from "./rule-family.ts";

/** Of what callers read. Here it is widening that breaks. */
export const OUTPUT_RULES = [
  {
    why: "Programs and prompts that read the field no longer find it, or not always.",
    remedy: "Keep the column under its old name: `fields: {OLD: path}`.",
    rules: [
      ["output_field_removed", "BREAKING", "Field of the reply removed"],
      ["output_field_renamed", "BREAKING", "Field of the reply renamed"],
      ["output_field_optional", "BREAKING", "Field of the reply no longer promised"],
    ],
  },
  {
    why: "What reads the reply expects another kind of value.",
    remedy: "Keep the old form, and give the new one in a column of another name.",
    rules: [
      ["output_type_changed", "BREAKING", "Type of a field changed"],
      ["output_format_changed", "BREAKING", "Format of a field changed"],
      ["output_root_changed", "BREAKING", "Kind of reply changed"],
      ["output_schema_removed", "BREAKING", "Output schema removed"],
      ["structured_removed", "BREAKING", "Structured replies removed"],
    ],
  },
  {
    why: "The same number or text now means something else, and nothing in the reply shows it.",
    remedy: "Give the new meaning a column of another name.",
    rules: [
      ["field_unit_changed", "BREAKING", "Unit of a field changed"],
      ["field_form_changed", "BREAKING", "Form of a field changed"],
    ],
  },
  {
    why: "The reply may hold what it never held before; most agents cope, strict programs may not.",
    remedy: "Check what reads the field.",
    rules: [
      ["output_nullable", "BEHAVIOUR", "Field may be null"],
      ["output_enum_widened", "BEHAVIOUR", "Field may have further values"],
      ["output_bound_relaxed", "BEHAVIOUR", "Bound of a field relaxed"],
      ["field_unit_declared", "BEHAVIOUR", "Unit of a field said, or no longer said"],
      ["field_clip_changed", "BEHAVIOUR", "Field clipped in another way"],
      ["field_round_changed", "BEHAVIOUR", "Field rounded in another way"],
    ],
  },
  {
    why: "Nobody can tell by comparing whether the reply still holds what it held, so it counts as breaking.",
    remedy: "Compare the two by hand; suppress it with a reason once it is understood.",
    rules: [
      ["output_type_untold", "UNKNOWN", "Type of a field no longer told"],
      ["output_enum_unclear", "UNKNOWN", "Values of a field, too many to compare, changed"],
      ["output_pattern_changed", "UNKNOWN", "Pattern of a field changed"],
      ["output_inside_untold", "UNKNOWN", "Inner fields no longer told"],
      ["output_below_changed", "UNKNOWN", "Something below the compared fields changed"],
      ["output_keyword_changed", "UNKNOWN", "Keyword of an output schema that no rule knows"],
    ],
  },
  {
    why: "Whatever reads the reply finds all that it found.",
    remedy: "Nothing must be done.",
    rules: [
      ["output_field_added", "COMPATIBLE", "Field of the reply added"],
      ["output_field_promised", "COMPATIBLE", "Field of the reply now promised"],
      ["output_type_told", "COMPATIBLE", "Type of a field told"],
      ["output_type_narrowed", "COMPATIBLE", "Type of a field narrowed"],
      ["output_never_null", "COMPATIBLE", "Field never null"],
      ["output_enum_narrowed", "COMPATIBLE", "Field has fewer values"],
      ["output_bound_tightened", "COMPATIBLE", "Bound of a field tightened"],
      ["output_inside_told", "COMPATIBLE", "Inner fields told"],
      ["output_below_added", "COMPATIBLE", "Something below the compared fields added"],
      ["output_format_added", "COMPATIBLE", "Format of a field promised"],
      ["output_schema_added", "COMPATIBLE", "Output schema added"],
      ["structured_added", "COMPATIBLE", "Structured replies added"],
    ],
  },
] as const satisfies readonly RuleFamily[];
