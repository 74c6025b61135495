import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { INPUT_NAME, RESERVED_INPUTS } from "../entry-names.ts";
import type { Path } from "../finding.ts";
import type { InputEntry } from "../format.ts";
import { INPUT_TYPES } from "../format-tool.ts";
import { readPointer } from "./runtime-expression.ts";
import type { Refuse } from "./write-expression.ts";

export interface FlowInputs {
  readonly entries: Readonly<Record<string, InputEntry>>;
  /** As the tool calls them, by the workflow's names. */
  readonly names: ReadonlyMap<string, string>;
  /** By the tool's names. */
  readonly origins: ReadonlyMap<string, Path>;
}

/** The inputs of a workflow (a JSON Schema of an object) as inputs of a tool. */
export function readInputs(document: JsonObject, workflow: JsonObject, at: Path, refuse: Refuse): FlowInputs {
  const { schema, path } = resolveInputs(document, workflow.inputs ?? null, [...at, "inputs"], refuse);
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = new Map(Object.keys(properties).map((name) => [name, portable(name)]));
  const entries = Object.entries(properties).map(([name, property]): [string, InputEntry] => {
    const entry = readProperty(isJsonObject(property) ? property : {});
    return [names.get(name)!, { ...entry, ...(required.includes(name) && { required: true }) }];
  });
  const origins = new Map([...names].map(([name, own]) => [own, [...path, "properties", name]]));
  return { entries: Object.fromEntries(entries), names, origins };
}

function resolveInputs(
  document: JsonObject,
  value: Json,
  at: Path,
  refuse: Refuse,
): { schema: JsonObject; path: Path } {
  const schema = isJsonObject(value) ? value : {};
  if (typeof schema.$ref !== "string") return { schema, path: at };
  const path = schema.$ref.startsWith("#/") ? readPointer(schema.$ref.slice(1)) : [];
  const found = follow(document, path);
  if (path.length > 0 && isJsonObject(found)) return { schema: found, path };
  refuse(
    "arazzo_unsupported",
    [...at, "$ref"],
    `\`${schema.$ref}\` leads to nothing in this document.`,
    "Write the inputs out, or under components.inputs.",
  );
  return { schema: {}, path: at };
}

/** What stands at a path of own properties. */
export function follow(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce((node, name) => (isJsonObject(node) ? ownValue(node, name) : undefined), value);
}

function portable(name: string): string {
  const folded = name.replace(/\W/g, "_").replace(/^([^A-Za-z])/, "in_$1");
  return RESERVED_INPUTS.includes(folded) || !INPUT_NAME.test(folded) ? `input_${folded}`.slice(0, 64) : folded;
}

type Word = NonNullable<InputEntry["type"]>;

function readProperty(schema: JsonObject): InputEntry {
  const type = typeWord(schema);
  const values = Array.isArray(schema.enum) ? schema.enum.filter(isScalar) : [];
  return {
    ...(type !== undefined && values.length === 0 && { type }),
    ...(values.length > 0 && { enum: values }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(typeof schema.description === "string" && schema.description.trim() !== "" && { describe: schema.description }),
    ...(typeof schema.pattern === "string" && { pattern: schema.pattern }),
    ...Object.fromEntries(
      BOUNDS.flatMap((key) => (typeof schema[key] === "number" ? [[key, schema[key]] as const] : [])),
    ),
  };
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;

function isScalar(value: Json): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Our word for a type; an object is JSON as text. */
function typeWord(schema: JsonObject): Word | undefined {
  const types = [schema.type ?? []].flat().filter((one) => one !== "null");
  const [only] = types;
  if (types.length !== 1 || typeof only !== "string") return undefined;
  if (only === "object") return "json";
  if (only === "array") {
    const inner = isJsonObject(schema.items) ? typeWord(schema.items) : undefined;
    const word = `${inner ?? "json"}[]`;
    return INPUT_TYPES.find((one) => one === word);
  }
  const isTime = only === "string" && (schema.format === "date" || schema.format === "date-time");
  const word = isTime ? String(schema.format) : only;
  return INPUT_TYPES.find((one) => one === word);
}
