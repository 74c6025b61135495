import * as z from "zod";
import { HostSettings } from "./settings.ts";

/** The JSON Schema (2020-12) of the host file, made from the schema that validates it. */
export function hostJsonSchema(): object {
  return z.toJSONSchema(HostSettings, {
    io: "input",
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (Object.keys(jsonSchema.propertyNames ?? {}).join() === "type") delete jsonSchema.propertyNames;
    },
  });
}
