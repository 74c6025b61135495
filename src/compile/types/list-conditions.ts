import type { Schema } from "../../model/schema.ts";

/** What a schema asks for only where the value is `given`, or only where it is not. */
export interface Condition {
  readonly given: Schema;
  readonly asks?: Schema;
  readonly otherwise?: Schema;
}

const NONE: readonly Condition[] = [];

/** `if` with its two sides, and what hangs on a property's being there, as one kind (JSON Schema 2020-12, core 10.2.2, validation 6.5.4). */
export function listConditions(schema: Schema): readonly Condition[] {
  const { if: given, then: asks, else: otherwise, dependentRequired, dependentSchemas } = schema;
  if (given === undefined && dependentRequired === undefined && dependentSchemas === undefined) return NONE;
  return [
    ...(given === undefined
      ? []
      : [{ given, ...(asks !== undefined && { asks }), ...(otherwise !== undefined && { otherwise }) }]),
    ...Object.entries(dependentRequired ?? {}).map(([name, required]) => ({
      given: { required: [name] },
      asks: { required },
    })),
    ...Object.entries(dependentSchemas ?? {}).map(([name, asks]) => ({ given: { required: [name] }, asks })),
  ];
}
