import type { PortableSchema } from "../schema.ts";
import type { Input, Tool } from "../tool.ts";

/** The tool with every text replaced that tells callers of other tools. */
export function mapTexts(tool: Tool, say: (text: string) => string): Tool {
  const { inputs, errors, suggest, shape } = tool;
  return {
    ...tool,
    description: say(tool.description),
    inputSchema: mapDescriptions(tool.inputSchema, say),
    inputs: inputs.map((input) => mapInput(input, say)),
    errors: errors.map((rule) => ({ ...rule, recover: say(rule.recover) })),
    ...(suggest !== undefined && { suggest: suggest.map((one) => ({ ...one, why: say(one.why) })) }),
    shape:
      shape.kind === "list" && shape.emptyNote !== undefined ? { ...shape, emptyNote: say(shape.emptyNote) } : shape,
  };
}

function mapInput(input: Input, say: (text: string) => string): Input {
  const { description } = input.type;
  return description === undefined ? input : { ...input, type: { ...input.type, description: say(description) } };
}

function mapDescriptions(schema: PortableSchema, say: (text: string) => string): PortableSchema {
  const { description, properties, items } = schema;
  return {
    ...schema,
    ...(description !== undefined && { description: say(description) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, mapDescriptions(one, say)]),
      ),
    }),
    ...(items !== undefined && { items: mapDescriptions(items, say) }),
  };
}
