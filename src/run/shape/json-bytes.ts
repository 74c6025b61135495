import type { Json } from "../../model/json.ts";

/** Bytes of the value's compact JSON text in UTF-8. */
export function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
