import type { Json } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Omission } from "../shape/omit.ts";

/** What one step gave: with inputs in the caller's form, and in the upstream's. */
export interface StepGiven {
  readonly shown: Json;
  readonly wire: Json;
  readonly omitted: readonly Omission[];
}

const LONGEST_WORDS = 200;

/** Why an optional step failed, short. */
export function sayFailure({ message }: Error): string {
  return clipCharacters(message, LONGEST_WORDS);
}
