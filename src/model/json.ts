/** A JSON value as `JSON.parse` gives it. Objects may hold any own key, `__proto__` too: read them with `Object.entries` or `ownValue`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own property `key`, never one of the prototype's: a name that a stranger sends goes through here. */
export function ownValue<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
