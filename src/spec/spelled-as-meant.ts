import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { spellingOf } from "./number-spelling.ts";

const LARGE_INTEGER = /^[-+]?[1-9]\d{15,}$/;

/**
 * The values that a schema lists or presets under `name`, as it means them: integers beyond 2^53 by their digits, and numbers where it wants texts
 * as they are written, since YAML needs no quotes around `1.10`.
 */
export function spelledAsMeant(schema: JsonObject, name: string, raw: Json): Json {
  const spell = spellingFor(schema);
  if (!Array.isArray(raw)) return spell?.(schema, name, raw) ?? raw;
  const isOfItems = name === "default" && isJsonObject(schema.items);
  const spellItem = isOfItems ? spellingFor(schema.items as JsonObject) : spell;
  return spellItem === undefined ? raw : raw.map((item: Json, index) => spellItem(raw, String(index), item) ?? item);
}

type Spell = (holder: object, key: string, value: Json) => Json | undefined;

function spellingFor({ type, format }: JsonObject): Spell | undefined {
  const types = [type].flat().map((one) => String(one).toLowerCase());
  if (types.includes("integer") || format === "int64" || format === "uint64") return spellInteger;
  return types.includes("string") && !types.includes("number") ? spellText : undefined;
}

function spellInteger(holder: object, key: string): Json | undefined {
  const literal = spellingOf(holder, key);
  return literal !== undefined && LARGE_INTEGER.test(literal) ? literal.replace(/^\+/, "") : undefined;
}

function spellText(holder: object, key: string, value: Json): Json | undefined {
  return typeof value === "number" ? spelledNumber(holder, key, value) : undefined;
}

/** A number as it is written in the document. */
export function spelledNumber(holder: object, key: string, value: number): string {
  return spellingOf(holder, key) ?? String(value);
}
