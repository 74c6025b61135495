import type { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { CallStep } from "../../model/step.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Omission } from "../shape/omit.ts";
import { mayHaveActed } from "./note-effects.ts";

/** What one step gave: with inputs in the caller's form, and in the upstream's. */
export interface StepGiven {
  readonly shown: Json;
  readonly wire: Json;
  readonly omitted: readonly Omission[];
}

const LONGEST_WORDS = 200;

/** Why an optional step failed, short; of a write that may have been carried out also that. */
export function sayFailure(error: ToolError, { safe }: Pick<CallStep, "safe">): string {
  const words = clipCharacters(error.message, LONGEST_WORDS);
  return safe || !mayHaveActed(error) ? words : `${words} It may have taken effect all the same.`;
}
