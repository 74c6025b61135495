import * as z from "zod";

/** A key that must be there, with the sentence that `vitrine schema --host` prints. */
export function key<S extends z.ZodType>(schema: S, says: string): S {
  return schema.describe(says);
}

/** A key that may be left out. */
export function may<S extends z.ZodType>(schema: S, says: string): z.ZodExactOptional<S> {
  return z.exactOptional(schema.describe(says));
}
