import type { PortableSchema } from "../model/schema.ts";
import type { Manifest } from "./manifest-format.ts";
import type { Profile } from "./profiles.ts";

/** A schema as OpenAI's strict mode takes it. */
export interface StrictSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, StrictSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: StrictSchema;
  readonly enum?: readonly (string | null)[];
}

/** The manifest with schemas as clients of the profile take them. */
export function inDialect(manifest: Manifest, { dialect }: Profile): Manifest {
  if (dialect === undefined) return manifest;
  const tools = manifest.tools.map((tool) => ({
    ...tool,
    inputSchema: strictSchema(tool.inputSchema) as PortableSchema,
  }));
  return { ...manifest, tools };
}

/**
 * The same arguments in OpenAI's strict dialect: every property is required and every object closed; what may be left out may be null instead, which a
 * client has to leave out again. Bounds, patterns and defaults stay in the descriptions alone (OpenAI, Structured Outputs, supported schemas).
 */
function strictSchema(schema: PortableSchema): StrictSchema {
  const { type, description, properties, items, enum: values } = schema;
  const needed = new Set(schema.required ?? []);
  const entries = Object.entries(properties ?? {}).map(
    ([name, one]) => [name, needed.has(name) ? strictSchema(one) : orNull(strictSchema(one))] as const,
  );
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(type === "object" && {
      properties: Object.fromEntries(entries),
      required: entries.map(([name]) => name),
      additionalProperties: false as const,
    }),
    ...(items !== undefined && { items: strictSchema(items) }),
    ...(values !== undefined && { enum: values }),
  };
}

function orNull(schema: StrictSchema): StrictSchema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === "string" && { type: [type, "null"] }),
    ...(values !== undefined && { enum: [...values, null] }),
  };
}
