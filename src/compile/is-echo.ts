import type { LeftOut } from "../curation/format.ts";
import type { EntryPath } from "./open-report.ts";

interface Echo {
  /** What was left out of the curation, or what holds it; `*` is any name. */
  readonly wrong: string;
  /** What its absence makes wrong too: in the same tool where it is of a tool, else anywhere. */
  readonly codes: readonly string[];
  /** Only what names the entry that was left out, a step below `wrong`. */
  readonly named?: true;
  /** Only where that entry went whole. */
  readonly whole?: true;
}

/** Of a step that went, or lost what it is: others miss it, and inputs go elsewhere. */
const OF_A_LOST_STEP = [
  "confirm_unneeded",
  "input_unsent",
  "not_a_list",
  "path_not_in_spec",
  "place_needs_type",
  "place_twice",
  "required_unfilled",
  "rows_not_a_list",
  "union_needs_type",
  "unknown_place",
  "unknown_step",
];

const ECHOES: readonly Echo[] = [
  { wrong: "api/auth", codes: ["auth_missing", "literal_credential"] },
  { wrong: "api/baseUrl", codes: ["base_url_needed"] },
  { wrong: "api/serverVariables", codes: ["base_url_needed"] },
  { wrong: "api/pages", codes: ["all_unpaged", "order_needs_all", "page_taken", "walk_needs_pages"] },
  { wrong: "server/writes", codes: ["write_not_allowed"] },
  { wrong: "pins", codes: ["unknown_pin", "required_unfilled", "pin_unreached"], named: true },
  { wrong: "entities", codes: ["unknown_entity"], named: true },
  { wrong: "states", codes: ["unknown_state"], named: true },
  { wrong: "entities/*/aliases", codes: ["captures_unused", "required_unfilled"] },
  { wrong: "tools", codes: ["unknown_tool_name", "unknown_tool"], named: true, whole: true },
  { wrong: "tools/*/effect", codes: ["write_not_allowed", "confirm_unneeded"] },
  { wrong: "tools/*/unpinned", codes: ["pin_unreached"] },
  { wrong: "tools/*/unchecked", codes: ["path_not_in_spec", "unknown_place", "unknown_media_type", "bad_value"] },
  { wrong: "tools/*/operation", codes: ["required_unfilled", "unknown_place"] },
  { wrong: "tools/*/steps", codes: ["arazzo_unread"] },
  { wrong: "tools/*/steps", codes: OF_A_LOST_STEP, whole: true },
  { wrong: "tools/*/steps/*/operation", codes: OF_A_LOST_STEP },
  { wrong: "tools/*/steps/*/value", codes: OF_A_LOST_STEP },
  {
    wrong: "tools/*/steps/*/effect",
    codes: ["write_not_allowed", "effect_too_safe", "unsafe_pages", "confirm_unneeded"],
  },
  { wrong: "tools/*/steps/*/pages", codes: ["all_unpaged", "page_taken", "unfit_pages", "unsafe_pages"] },
  { wrong: "tools/*/steps/*/unchecked", codes: ["path_not_in_spec", "unknown_place", "bad_value"] },
  { wrong: "tools/*/steps/*/args", codes: ["required_unfilled"], named: true },
  { wrong: "tools/*/input", codes: ["unknown_input", "required_unfilled"], named: true },
  { wrong: "tools/*/input", codes: ["free_text_in_text", "not_a_list_of_names", "wrong_argument_type"], named: true },
  { wrong: "tools/*/args", codes: ["required_unfilled"], named: true },
  { wrong: "tools/*/filter", codes: ["pin_unreached", "required_unfilled", "nothing_to_filter", "missing_key"] },
  { wrong: "tools/*/filter/dialect", codes: ["filter_not_expressible"] },
  { wrong: "tools/*/filter/templates", codes: ["filter_not_expressible", "bad_template"] },
  { wrong: "tools/*/filter/nullOnNegation", codes: ["filter_not_expressible"] },
  { wrong: "tools/*/filter/fields", codes: ["filter_not_expressible", "unknown_place"], named: true },
  { wrong: "tools/*/result/fields", codes: ["unknown_column", "path_not_in_spec"], named: true },
  {
    wrong: "tools/*/pages",
    codes: ["all_unpaged", "order_needs_all", "page_taken", "unfit_pages", "walk_needs_pages"],
  },
  { wrong: "tools/*/result/group", codes: ["order_needs_all"] },
  { wrong: "tools/*/result/group/by", codes: ["unknown_column"] },
  { wrong: "tools/*/result/group/sum", codes: ["unknown_column"] },
  { wrong: "tools/*/result/group/count", codes: ["unknown_column"] },
  { wrong: "tools/*/result/totals/args", codes: ["total_unnarrowed"] },
];

/** What an input is called to be where its own `type` or form was left out. */
const OF_AN_INPUT = ["place_needs_type", "union_needs_type", "bad_form", "bad_bounds", "bad_default"];
/** Of an input that no expression names any more: it was named by one that was left out. */
const OF_A_LOST_INPUT = ["unknown_place", "ambiguous_name", "refused_place", "place_needs_type", "union_needs_type"];

/** Whether a mistake is only the shadow of one that was already found. */
export function isEcho(code: string, at: EntryPath, message: string, leftOut: readonly LeftOut[]): boolean {
  return leftOut.some(({ path, value }) => {
    const ofTool = path[0] === "tools" && path.length > 2;
    if (ofTool && (at[0] !== "tools" || at[1] !== path[1])) return false;
    if (ofTool && at[2] === "input" && at[3] !== undefined) {
      if (path[2] === "input" && path[3] === at[3] && OF_AN_INPUT.includes(code)) return true;
      if (OF_A_LOST_INPUT.includes(code) && names(JSON.stringify(value), at[3])) return true;
    }
    return ECHOES.some((echo) => echo.codes.includes(code) && isOf(echo, path, message));
  });
}

function isOf({ wrong, named, whole }: Echo, path: EntryPath, message: string): boolean {
  const steps = wrong.split("/");
  if (whole === true && path.length > steps.length + 1) return false;
  if (path.length < steps.length || !steps.every((step, at) => step === "*" || step === path[at])) return false;
  const name = path[steps.length];
  return named === undefined || name === undefined || names(message, name);
}

function names(text: string, name: string | number): boolean {
  return text.split(/[^\p{L}\p{N}_$-]+/u).includes(String(name).split(/[./]/).at(-1) ?? "");
}
