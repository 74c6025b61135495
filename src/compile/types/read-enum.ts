import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import type { ValueType } from "../../model/value.ts";
import { stripHidden } from "../words/plain-text.ts";

/** The closed list of values that a schema allows, or undefined. Callers write every value as text; the upstream gets its own. */
export function readEnum(own: Schema): ValueType | undefined {
  const values = own.const === undefined ? own.enum : [own.const];
  if (values === undefined) return undefined;
  const byText = new Map<string, Json>();
  const written = new Set(values.map(enumText));
  for (const wire of values) {
    const text = shownText(wire);
    // It would look like another value of the list.
    if (text !== enumText(wire) && written.has(text)) continue;
    // Some model APIs answer 400 to an empty string in an enum; leaving the value out says the same.
    if (wire !== null && text !== "" && !byText.has(text)) byText.set(text, wire);
  }
  if (byText.size === 0) return undefined;
  if (byText.size === 2 && [...byText.values()].every((wire) => typeof wire === "boolean")) return { kind: "boolean" };
  return { kind: "enum", values: [...byText].map(([text, wire]) => ({ text, wire })) };
}

/** How a caller sees and writes a value of an enum: without what a person does not see, as models read the list. The upstream gets it whole. */
export function shownText(wire: Json): string {
  return stripHidden(enumText(wire));
}

/** A text as it is, everything else as JSON. */
export function enumText(wire: Json): string {
  return typeof wire === "string" ? wire : JSON.stringify(wire);
}
