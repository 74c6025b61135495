import { type JsonObject, ownValue } from "../model/json.ts";

/** The own property as text, where it is text. */
export function textOf(raw: JsonObject, name: string): string | undefined {
  const value = ownValue(raw, name);
  return typeof value === "string" ? value : undefined;
}

/** Whether the own property is `true`. */
export function isTrue(raw: JsonObject, name: string): boolean {
  return ownValue(raw, name) === true;
}

/** The texts in a list; none where there is no list. */
export function textsOf(raw: JsonObject, name: string): string[] {
  const value = ownValue(raw, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
