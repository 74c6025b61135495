import type { Built, Remark } from "../build/build-curation.ts";
import { type Mends, mendsOf, type ToolMends } from "../build/mends.ts";
import { placeOf } from "./mend-error.ts";

/** What a rule has found in a draft that compiles: a warning, at its path. */
export interface Finding {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Rules that an optional input breaks: without it a caller is better off. */
const OF_INPUTS = new Set([
  "unit_unsaid",
  "untyped_time",
  "untyped_input",
  "enum_of_codes",
  "many_values",
  "many_inputs",
  "deep_schema",
  "credential_input",
  "deprecated_input",
  "input_undescribed",
  "guessed_id",
  "pattern_unenforced",
  "large_schema",
]);
const OF_WORDS = new Set([
  "prompt_in_text",
  "hidden_text",
  "hidden_characters",
  "encoded_text",
  "placeholder_text",
  "markup_text",
]);

/** Notes what a program can mend of a warning. True where something is then drafted otherwise. */
export function mendFinding({ code, path }: Finding, built: Built, mends: Mends): boolean {
  const [section, tool = "", part, key = ""] = path.map(String);
  const chosen = section === "tools" ? built.chosen.get(tool) : undefined;
  if (chosen === undefined) return false;
  const own = mendsOf(mends, chosen.fact.entry.key);
  const place = part === "input" ? placeOf(key, tool, built) : undefined;
  const slot = chosen.fact.slots.find((one) => one.place === place);
  if (OF_WORDS.has(code) && slot !== undefined)
    return addTo(own.distrustedInputs, slot.place) || (!slot.required && addTo(own.droppedInputs, slot.place));
  if (OF_WORDS.has(code) || code === "description_repeats_name") return turnOn(own, "distrustedUse");
  if (code === "limit_over_budget") return turnOn(own, "fewRows");
  if (code === "column_unbounded") return addTo(own.droppedFields, String(path[4] ?? ""));
  return OF_INPUTS.has(code) && slot?.required === false && addTo(own.droppedInputs, slot.place);
}

function turnOn(own: ToolMends, mend: "distrustedUse" | "fewRows"): boolean {
  const isNew = !own[mend];
  own[mend] = true;
  return isNew;
}

function addTo(set: Set<string>, one: string): boolean {
  const isNew = one !== "" && !set.has(one);
  set.add(one);
  return isNew;
}

/** What is left to a person, at its place. */
export function remarkOf({ code, path, message }: Finding): Remark {
  return { path: path.map(String), text: `decide: ${message} (${code})` };
}
