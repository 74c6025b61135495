import { isJsonObject, type JsonObject } from "../model/json.ts";

/** The SDK's schema of a tools/call leaves this one name out, and a caller would never hear that there is no such argument. */
const LOST = "__proto__";
/** No input of a tool is called so either. */
const KEPT = "\u0000__proto__";

/** The message with every argument under a name that the SDK hands on; itself where there is nothing to do. */
export function keepName<T extends object>(message: T): T {
  const { params } = message as { readonly params?: unknown };
  const args = isJsonObject(params) ? params["arguments"] : undefined;
  if (!isJsonObject(params) || !isJsonObject(args) || !Object.hasOwn(args, LOST)) return message;
  return { ...message, params: { ...params, arguments: rename(args, LOST, KEPT) } };
}

/** The arguments as they were sent, of a message that went through `keepName`. */
export function restoreName<T extends object>(args: T): T {
  return Object.hasOwn(args, KEPT) ? (rename(args as JsonObject, KEPT, LOST) as T) : args;
}

// Object.fromEntries defines own properties, whatever they are called.
function rename(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]));
}
