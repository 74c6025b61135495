import { CREDENTIAL_NAME } from "../../model/says-credential.ts";
import { foldName } from "../word/nouns.ts";
import type { Slot } from "./list-slots.ts";
import type { Resource } from "./name-resource.ts";

const ASKS_ONE = /^(info|get|describe|retrieve|fetch|inspect|show|read)$/;
const LISTS = /^(list|search|find|query|all)$/;
/** "Conversation ID to fetch history for." */
const TELLS_ID = /^(the )?(\w+ ){0,2}(id|identifier) (of|to|for)\b/i;
const HAS_ID = /\bids?\b/i;
const OPTIONAL = /\b(omit\w*|defaults?|optional|if not|leave)\b/i;

/** Of methods in documents that require nothing but a credential: what picks the thing that one is about is needed all the same. */
export function markPicks(slots: readonly Slot[], { verb, thing }: Resource): readonly Slot[] {
  const isTold = slots.some(({ required, name }) => required && !CREDENTIAL_NAME.test(name));
  if (verb === undefined || LISTS.test(verb) || isTold) return slots;
  const asksOne = ASKS_ONE.test(verb);
  return slots.map((slot) => (picks(slot, thing, asksOne) ? { ...slot, required: true, picks: true } : slot));
}

function picks({ name, in: where, description, view: { type } }: Slot, thing: string, asksOne: boolean): boolean {
  if (where !== "query" && where !== "body") return false;
  if ((type !== "string" && type !== "number") || CREDENTIAL_NAME.test(name) || /cursor/i.test(name)) return false;
  if (OPTIONAL.test(description)) return false;
  const isNamed = foldName(name) === foldName(thing);
  return TELLS_ID.test(description) || (asksOne && (isNamed || HAS_ID.test(description.slice(0, 60))));
}
