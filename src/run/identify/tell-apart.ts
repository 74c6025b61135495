import { isJsonObject, type Json } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Candidate } from "./read-candidates.ts";

export const MOST_CANDIDATES = 5;
/** What an error keeps of one value. */
const ROOM = 100;
const LONGEST_TEXT = 40;

/** The first candidates as an error shows them: the identifier, and of the rest what differs among them, as far as there is room. */
export function tellApart(candidates: readonly Candidate[]): Json[] {
  const shown = candidates.slice(0, MOST_CANDIDATES);
  const same = (name: string) => {
    const texts = candidates.map((one) => (isJsonObject(one.shown) ? JSON.stringify(one.shown[name]) : undefined));
    return candidates.length > 1 && texts.every((text) => text === texts[0]);
  };
  return shown.map(({ id, shown: one }) => {
    if (!isJsonObject(one)) return id;
    let kept: { readonly [name: string]: Json } = { id };
    for (const [name, value] of Object.entries(one)) {
      if (name === "id" || value === null || typeof value === "object" || same(name)) continue;
      const next = { ...kept, [name]: typeof value === "string" ? clipCharacters(value, LONGEST_TEXT) : value };
      if (JSON.stringify(next).length <= ROOM) kept = next;
    }
    return kept;
  });
}
