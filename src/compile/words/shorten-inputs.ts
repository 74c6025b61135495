import type { PortableSchema } from "../../model/schema.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { firstSentence } from "./plain-text.ts";

/** The inputs, each told in its first sentence; what the schema cannot say otherwise is still added to it. */
export function shortenInputs(inputs: readonly Input[]): Input[] {
  return inputs.map((input) => ({ ...input, type: shortenType(input.type) }));
}

function shortenType<T extends ValueType>(type: T): T {
  const { description } = type;
  const short = { ...type, ...(description !== undefined && { description: firstSentence(description) }) };
  switch (short.kind) {
    case "array":
      return { ...short, items: shortenType(short.items) };
    case "map":
      return { ...short, values: shortenType(short.values) };
    case "object":
      return { ...short, properties: short.properties.map((one) => ({ ...one, type: shortenType(one.type) })) };
    default:
      return short;
  }
}

/** What a reply holds, by names and types alone. */
export function withoutWords({ description: _said, ...schema }: PortableSchema): PortableSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(items !== undefined && { items: withoutWords(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withoutWords(one)])),
    }),
  };
}
