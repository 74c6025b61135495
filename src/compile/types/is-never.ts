import type { Schema } from "../../model/schema.ts";

/** Whether no value at all is valid: `false`, as it is lifted. */
export function isNever({ not }: Schema): boolean {
  return not !== undefined && Object.keys(not).length === 0;
}
