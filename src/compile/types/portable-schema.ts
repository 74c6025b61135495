import type { PortableSchema } from "../../model/schema.ts";
import type { Input } from "../../model/tool.ts";
import type { Bounds, ValueType } from "../../model/value.ts";
import { describeType } from "./describe-type.ts";
import { isPortablePattern } from "./read-pattern.ts";

const LONGEST_DESCRIPTION = 1_024;

/** The schema of a tool's arguments in the portable subset (contract section 2). A root object always has `properties`. */
export function inputSchema(inputs: readonly Input[]): PortableSchema {
  const required = inputs.filter((input) => input.required).map((input) => input.name);
  return {
    type: "object",
    properties: Object.fromEntries(inputs.map((input) => [input.name, schemaOfInput(input)])),
    ...(required.length > 0 && { required }),
  };
}

function schemaOfInput(input: Input): PortableSchema {
  const { default: fallback, end } = input;
  // Whatever the upstream makes of a date alone, callers always mean the whole day (contract section 1, Forms).
  const ends = end === undefined ? [] : ["A date alone includes its whole day."];
  if (fallback === undefined) return portableSchema(input.type, { asked: input.required, words: ends });
  if (fallback.kind === "relative")
    return portableSchema(withoutPreset(input.type), {
      asked: false,
      words: [...ends, `Default: ${fallback.time.words}.`],
    });
  const shown = typeof fallback.value === "string" ? fallback.value : JSON.stringify(fallback.value);
  const schema = portableSchema(input.type, { asked: false, words: [...ends, `Default: ${shown}.`] });
  return fallback.value === null ? schema : { ...schema, default: fallback.value };
}

function withoutPreset({ preset: _preset, ...type }: ValueType): ValueType {
  return type as ValueType;
}

interface Saying {
  /** The caller has to give the value, so that an explicit null may be the only way to say that there is none. */
  readonly asked: boolean;
  readonly words?: readonly string[];
}

/** What a caller may write, in the portable subset; what the subset cannot say stands in the description. */
export function portableSchema(type: ValueType, saying: Saying = { asked: false }): PortableSchema {
  const words = [type.description, ...describeType(type, saying.asked), ...(saying.words ?? [])];
  const description = words
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/[.!?…:]$|^Pattern: |by the pattern /.test(part!) ? part : `${part}.`))
    .join(" ");
  return {
    type: jsonType(type),
    ...(description !== "" && { description: cutAtWord(description) }),
    ...keywords(type),
    ...(type.preset !== undefined && !saying.asked && { default: type.preset }),
  };
}

function cutAtWord(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text;
  const head = text.slice(0, LONGEST_DESCRIPTION - 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), 1))}…`;
}

const JSON_TYPES = {
  string: "string",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  enum: "string",
  date: "string",
  // A date alone is accepted as well, so `format: date-time` would refuse too much.
  "date-time": "string",
  array: "array",
  object: "object",
  map: "array",
  json: "string",
} as const satisfies Record<ValueType["kind"], PortableSchema["type"]>;

function jsonType(type: ValueType): NonNullable<PortableSchema["type"]> {
  return type.kind === "integer" && type.digits === true ? "string" : JSON_TYPES[type.kind];
}

function keywords(type: ValueType): PortableSchema {
  switch (type.kind) {
    case "enum":
      return { enum: type.values.map(({ text }) => text) };
    case "string":
      return {
        ...(type.minLength !== undefined && { minLength: type.minLength }),
        ...(type.maxLength !== undefined && { maxLength: type.maxLength }),
        ...(type.pattern !== undefined && isPortablePattern(type.pattern) && { pattern: type.pattern }),
      };
    case "integer":
      return type.digits === true ? { pattern: "^-?[0-9]+$" } : limits(type);
    case "number":
      return limits(type);
    case "array":
      return {
        items: portableSchema(type.items),
        ...(type.minItems !== undefined && { minItems: type.minItems }),
        ...(type.maxItems !== undefined && { maxItems: type.maxItems }),
      };
    case "object": {
      const required = type.properties.filter((one) => one.required).map((one) => one.name);
      const properties = type.properties.map(
        (one) => [one.name, portableSchema(one.type, { asked: one.required })] as const,
      );
      return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
    }
    case "map": {
      const properties = { key: { type: "string" as const }, value: portableSchema(type.values) };
      return { items: { type: "object", properties, required: ["key", "value"] } };
    }
    case "boolean":
    case "date":
    case "date-time":
    case "json":
      return {};
    default:
      return type satisfies never;
  }
}

function limits(type: Bounds): PortableSchema {
  return {
    ...(type.minimum !== undefined && { minimum: type.minimum }),
    ...(type.maximum !== undefined && { maximum: type.maximum }),
  };
}
