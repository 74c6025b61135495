import type { PortableSchema } from "../schema.ts";
import type { Shape } from "../shape.ts";
import type { Suggestion, Tool, ValueSource } from "../tool.ts";
import { withoutSentences } from "./without-sentences.ts";

/** A tool whose texts name none of these tools, by the names that callers see: what named one is left out with its sentence. */
export function leaveOutTools(tool: Tool, hidden: ReadonlySet<string>): Tool {
  if (hidden.size === 0) return tool;
  const { inputs, filter, inputSchema } = tool;
  const errors = tool.errors.map((rule) => ({
    ...rule,
    recover: withoutSentences(rule.recover, hidden) || "Try without.",
  }));
  return {
    ...tool,
    description: withoutSentences(tool.description, hidden),
    errors,
    ...(tool.suggest !== undefined && { suggest: withoutSuggestions(tool.suggest, hidden) }),
    inputSchema: { ...inputSchema, properties: tellAllWithout(inputSchema.properties ?? {}, hidden) },
    inputs: inputs.map((input) => {
      const source = input.valuesFrom && { valuesFrom: withoutLister(input.valuesFrom, hidden) };
      return { ...input, ...source, type: tellWithout(input.type, hidden) };
    }),
    ...(filter?.from !== undefined && { filter: { ...filter, from: withoutLister(filter.from, hidden) } }),
    shape: shapeWithout(tool.shape, hidden),
  };
}

/** The arguments, what is said of each without the hidden tools. */
function tellAllWithout(
  properties: Readonly<Record<string, PortableSchema>>,
  hidden: ReadonlySet<string>,
): Record<string, PortableSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, tellWithout(schema, hidden)]));
}

function tellWithout<T extends { readonly description?: string }>(told: T, hidden: ReadonlySet<string>): T {
  const { description, ...rest } = told;
  if (description === undefined) return told;
  const kept = withoutSentences(description, hidden);
  return kept === "" ? (rest as T) : { ...told, description: kept };
}

/** None leads to a hidden tool; what is left of a reason without its sentence is told. */
function withoutSuggestions(suggest: readonly Suggestion[], hidden: ReadonlySet<string>): Suggestion[] {
  const kept = suggest
    .filter(({ tool }) => !hidden.has(tool))
    .map((one) => ({ ...one, why: withoutSentences(one.why, hidden) }));
  return kept.filter(({ why }) => why !== "");
}

function withoutLister<T extends ValueSource>(source: T, hidden: ReadonlySet<string>): T {
  const { tool, ...rest } = source;
  return tool !== undefined && hidden.has(tool) ? (rest as T) : source;
}

function shapeWithout(shape: Shape, hidden: ReadonlySet<string>): Shape {
  const rest = shape.rest?.map(({ tool, ...one }) => ({
    ...one,
    ...(tool !== undefined && !hidden.has(tool) && { tool }),
  }));
  const told = rest === undefined ? shape : { ...shape, rest };
  if (told.kind !== "list" || told.emptyNote === undefined) return told;
  const { emptyNote, ...others } = told;
  const kept = withoutSentences(emptyNote, hidden);
  return kept === "" ? others : { ...others, emptyNote: kept };
}
