import type { PortableSchema } from "../../model/schema.ts";
import type { Shape } from "../../model/shape.ts";
import type { Suggestion, Tool, ValueSource } from "../../model/tool.ts";

/** A tool whose texts name none of these tools, by the names that callers see: what named one is left out with its sentence. */
export function leaveOutTools(tool: Tool, hidden: ReadonlySet<string>): Tool {
  if (hidden.size === 0) return tool;
  const { inputs, filter, inputSchema } = tool;
  const errors = tool.errors.map((rule) => ({
    ...rule,
    recover: withoutTools(rule.recover, hidden) || "Try without.",
  }));
  return {
    ...tool,
    description: withoutTools(tool.description, hidden),
    errors,
    ...(tool.suggest !== undefined && { suggest: withoutSuggestions(tool.suggest, hidden) }),
    inputSchema: { ...inputSchema, properties: withoutToolsInside(inputSchema.properties ?? {}, hidden) },
    inputs: inputs.map((input) => {
      const source = input.valuesFrom && { valuesFrom: withoutLister(input.valuesFrom, hidden) };
      return { ...input, ...source, type: tellWithout(input.type, hidden) };
    }),
    ...(filter?.from !== undefined && { filter: { ...filter, from: withoutLister(filter.from, hidden) } }),
    shape: withoutRest(tool.shape, hidden),
  };
}

/** The arguments, what is said of each without the hidden tools. */
function withoutToolsInside(
  properties: Readonly<Record<string, PortableSchema>>,
  hidden: ReadonlySet<string>,
): Record<string, PortableSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, tellWithout(schema, hidden)]));
}

function tellWithout<T extends { readonly description?: string }>(told: T, hidden: ReadonlySet<string>): T {
  const { description, ...rest } = told;
  if (description === undefined) return told;
  const kept = withoutTools(description, hidden);
  return kept === "" ? (rest as T) : { ...told, description: kept };
}

/** None leads to a hidden tool; what is left of a reason without its sentence is told. */
function withoutSuggestions(suggest: readonly Suggestion[], hidden: ReadonlySet<string>): Suggestion[] {
  const kept = suggest
    .filter(({ tool }) => !hidden.has(tool))
    .map((one) => ({ ...one, why: withoutTools(one.why, hidden) }));
  return kept.filter(({ why }) => why !== "");
}

function withoutLister<T extends ValueSource>(source: T, hidden: ReadonlySet<string>): T {
  const { tool, ...rest } = source;
  return tool !== undefined && hidden.has(tool) ? (rest as T) : source;
}

function withoutRest(shape: Shape, hidden: ReadonlySet<string>): Shape {
  if (shape.rest === undefined) return shape;
  const rest = shape.rest.map(({ tool, ...one }) => ({
    ...one,
    ...(tool !== undefined && !hidden.has(tool) && { tool }),
  }));
  return { ...shape, rest };
}

/** Sentences that name a hidden tool go; of a `Next:`, or an order of calls, only the part between semicolons does. */
export function withoutTools(text: string, hidden: ReadonlySet<string>): string {
  const namesHidden = (part: string) => [...part.matchAll(/`([^`\n]+)`/g)].some(([, name]) => hidden.has(name!));
  const sentences = text.split(/(?<=[.!?](?:["')]|`(?=\s))?)(?=\s)/);
  const kept = sentences.flatMap((sentence) => {
    if (!namesHidden(sentence)) return sentence;
    const [, space = "", head = "", list = ""] = /^(\s*)(Next: )([\s\S]*?)\.?$/.exec(sentence) ?? [];
    const parts = list.split("; ").filter((part) => part !== "" && !namesHidden(part));
    return head === "" || parts.length === 0 ? [] : `${space}${head}${parts.join("; ")}.`;
  });
  return kept.join("").trim();
}
