import type { RuleFamily } from "./rule-family.ts";

/** Of what rows can be asked for. */
export const FILTER_RULES = [
  {
    why: "Filters that were written against it are refused.",
    remedy: "Keep the field and its operators; `filter.fields` and `ops` say what is offered.",
    rules: [
      ["filter_removed", "BREAKING", "Filter removed"],
      ["filter_field_removed", "BREAKING", "Filter field removed"],
      ["filter_field_type_changed", "BREAKING", "Type of a filter field changed"],
      ["filter_op_removed", "BREAKING", "Filter operator removed"],
      ["filter_values_removed", "BREAKING", "Value of a filter field removed"],
      ["filter_depth_lowered", "BREAKING", "Filters may be nested less deep"],
      ["filter_from_removed", "BREAKING", "Further filter fields no longer offered"],
      ["filter_required", "BREAKING", "A filter is required"],
    ],
  },
  {
    why: "Every call now reaches rows that were always left out.",
    remedy: "Keep the condition in `filter.always`, or have the new reach approved.",
    rules: [["filter_always_removed", "BREAKING", "Condition of every call removed"]],
  },
  {
    why: "Another operation says which further fields there are, and nobody can tell by comparing which; so it counts as breaking.",
    remedy: "Compare the two lists by hand; suppress it with a reason once they are understood.",
    rules: [["filter_from_changed", "UNKNOWN", "Further filter fields come from another list"]],
  },
  {
    why: "The same filter may keep other rows.",
    remedy: "Compare the rows of both, above all those that have no value.",
    rules: [
      ["filter_nulls_changed", "BEHAVIOUR", "Rows without a value treated in another way"],
      ["filter_dialect_changed", "BEHAVIOUR", "Filter written in another language"],
      ["filter_always_added", "BEHAVIOUR", "Condition of every call added"],
    ],
  },
  {
    why: "Every filter that was taken still is.",
    remedy: "Nothing must be done.",
    rules: [
      ["filter_added", "COMPATIBLE", "Filter added"],
      ["filter_field_added", "COMPATIBLE", "Filter field added"],
      ["filter_op_added", "COMPATIBLE", "Filter operator added"],
      ["filter_values_added", "COMPATIBLE", "Value of a filter field added"],
      ["filter_depth_raised", "COMPATIBLE", "Filters may be nested deeper"],
      ["filter_from_added", "COMPATIBLE", "Further filter fields offered"],
      ["filter_optional", "COMPATIBLE", "A filter is no longer required"],
    ],
  },
] as const satisfies readonly RuleFamily[];
