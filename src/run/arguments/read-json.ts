import { isJsonObject, type Json } from "../../model/json.ts";
import { boundArguments } from "./bound-arguments.ts";
import { type Argument, pinnedFault, type Reading } from "./reading.ts";

/** Free-form data: JSON as text becomes what it says, a text that is no JSON stays a text. */
export function readJson(raw: Json, path: string, reading: Reading): Argument | undefined {
  const parsed = typeof raw === "string" ? parseJsonText(raw) : undefined;
  const value = parsed === undefined ? raw : parsed;
  const fault = boundArguments(value, path) ?? findPinned(value, path, reading.pinnedInside);
  if (!fault) return { caller: value, wire: value };
  reading.faults.push(fault);
  return undefined;
}

/** What a JSON text says; undefined where the text is no JSON. */
export function parseJsonText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A pin reaches no name inside free-form data, so such a name is refused there. */
function findPinned(value: Json, path: string, pinned: ReadonlySet<string>) {
  if (pinned.size === 0) return undefined;
  const open: { value: Json; path: string }[] = [{ value, path }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { value: here, path: at } = one;
    if (Array.isArray(here)) open.push(...here.map((item: Json, index) => ({ value: item, path: `${at}[${index}]` })));
    if (!isJsonObject(here)) continue;
    for (const [name, inside] of Object.entries(here)) {
      if (pinned.has(name.toLowerCase())) return pinnedFault(`${at}.${name}`);
      open.push({ value: inside, path: `${at}.${name}` });
    }
  }
  return undefined;
}
