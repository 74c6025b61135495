import * as z from "zod";

/** The only way that zod tells which keys were known where one was not: in the message, which `explainIssues` reads. */
export function nameKnownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === "unrecognized_keys" ? knownKeys(issue.inst).join(" ") : undefined;
}

/** The keys of an object's schema, and as `key/inner` those of the objects right inside it. */
function knownKeys(schema: unknown): string[] {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Readonly<Record<string, unknown>>) : {};
  return Object.entries(shape).flatMap(([name, entry]) => [
    name,
    ...innerKeys(entry).map((inner) => `${name}/${inner}`),
  ]);
}

function innerKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodExactOptional) return innerKeys(schema.unwrap());
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
