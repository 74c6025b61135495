import * as z from "zod";
import type { Json } from "../model/json.ts";
import { CurationFile } from "./format.ts";

/** The JSON Schema (2020-12) of the curation file, made from the schema that validates it. */
export function curationJsonSchema(): object {
  return {
    ...printSchema(CurationFile),
    patternProperties: { "^x-": { description: "Anything, for example anchors." } },
  };
}

/** The JSON Schema (2020-12) of what a YAML file of ours may hold. */
export function printSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    io: "input",
    target: "draft-2020-12",
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema);
      tellDefault(zodSchema, jsonSchema);
    },
  });
}

/** That a number is safe and a name is a text tells a reader nothing. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (isJustText(schema.propertyNames)) delete schema.propertyNames;
}

/** What stands in a key's place, as a file would write it; zod leaves it out where it reads the text as something else, as of times and sizes. */
function tellDefault(schema: z.core.$ZodType, printed: z.core.JSONSchema.BaseSchema): void {
  const byDefault = z.globalRegistry.get(schema)?.default;
  if (byDefault !== undefined) printed.default = byDefault as Json;
}

function isJustText(names: z.core.JSONSchema.BaseSchema["propertyNames"]): boolean {
  return typeof names === "object" && Object.keys(names).length === 1 && names.type === "string";
}
