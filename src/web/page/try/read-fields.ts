import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { PortableSchema } from "../../../model/schema.ts";
import { type ExactJson, ExactNumber, parseAsWritten } from "./parse-as-written.ts";

/** The texts of a form by input; what is absent, or empty, is not sent. */
export type Fields = ReadonlyMap<string, string>;

export type FieldKind = "choice" | "choices" | "switch" | "number" | "text" | "lines" | "json";

/** With more words than these a list of words is typed, not ticked. */
const MOST_TICKS = 12;

/** Which control an input has. */
export function kindOf({ type, enum: words, items }: PortableSchema): FieldKind {
  if (words !== undefined) return "choice";
  if (type === "boolean") return "switch";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  if (type !== "array" || items?.type === undefined || items.type === "object" || items.type === "array") return "json";
  return items.enum !== undefined && items.enum.length <= MOST_TICKS ? "choices" : "lines";
}

export interface ReadForm {
  readonly arguments: JsonObject;
  /** By input: why its text is no value of it. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The arguments as an agent would send them. What only the server knows, it says. */
export function readFields(schema: PortableSchema, fields: Fields): ReadForm {
  const values: [string, Json][] = [];
  const faults = new Map<string, string>();
  const required = new Set(schema.required);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const text = fields.get(name) ?? "";
    if (text.trim() === "") {
      if (required.has(name)) faults.set(name, "This is required.");
      continue;
    }
    const read = readText(inner, text);
    if ("fault" in read) faults.set(name, read.fault);
    else values.push([name, read.value]);
  }
  return { arguments: Object.fromEntries(values), faults };
}

type ReadText = { readonly value: Json } | { readonly fault: string };

function readText(schema: PortableSchema, text: string): ReadText {
  switch (kindOf(schema)) {
    case "choice":
    case "text":
      return { value: text };
    case "switch":
      return { value: text === "true" };
    case "number":
      return readNumber(schema, text);
    case "choices":
    case "lines":
      return readLines(schema.items ?? {}, text);
    case "json":
      return readJson(schema, text);
  }
}

function readNumber({ type }: PortableSchema, text: string): ReadText {
  const value = Number(text);
  if (!Number.isFinite(value)) return { fault: `${text.trim()} is no number.` };
  if (type === "integer" && !Number.isInteger(value)) return { fault: "A whole number is needed." };
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { fault: TOO_LARGE };
  return { value };
}

const TOO_LARGE = "This page cannot send so large a number exactly.";

/** No integer of it would be another one. */
function isExact(value: ExactJson): boolean {
  if (value instanceof ExactNumber)
    return !/^-?\d+$/.test(value.written) || Number.isSafeInteger(Number(value.written));
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

function readLines(items: PortableSchema, text: string): ReadText {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = lines.map((line) => (kindOf(items) === "text" ? { value: line } : readText(items, line.trim())));
  const at = read.findIndex((one) => "fault" in one);
  const wrong = read[at];
  if (wrong !== undefined && "fault" in wrong) return { fault: `Line ${at + 1}: ${wrong.fault}` };
  return { value: read.flatMap((one) => ("value" in one ? [one.value] : [])) };
}

function readJson({ type }: PortableSchema, text: string): ReadText {
  try {
    const value = JSON.parse(text) as Json;
    if (!isExact(parseAsWritten(text))) return { fault: TOO_LARGE };
    if (type === "object" && !isJsonObject(value)) return { fault: "An object is needed: {…}." };
    return type === "array" && !Array.isArray(value) ? { fault: "A list is needed: […]." } : { value };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The other way: the texts that stand for arguments. What the schema does not know is left out. */
export function fillFields(schema: PortableSchema, given: JsonObject): Fields {
  const known = new Map(Object.entries(schema.properties ?? {}));
  const texts = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    const inner = known.get(name);
    return inner === undefined ? [] : [[name, writeText(inner, value)]];
  });
  return new Map(texts);
}

function writeText(schema: PortableSchema, value: Json): string {
  const kind = kindOf(schema);
  if (kind === "json") return JSON.stringify(value, null, 2);
  if (Array.isArray(value)) return value.map(plain).join("\n");
  return plain(value);
}

const plain = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
