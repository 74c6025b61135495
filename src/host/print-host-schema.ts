import { printSchema } from "../curation/print-schema.ts";
import { HostSettings } from "./settings.ts";

/** The JSON Schema (2020-12) of the host file, made from the schema that validates it. */
export function hostJsonSchema(): object {
  return printSchema(HostSettings);
}
