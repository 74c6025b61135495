import { createHash } from "node:crypto";
import { type Api, isFault } from "../../model/api.ts";
import { bareSchema } from "../../model/bare-schema.ts";
import { compareTexts } from "../../model/compare-texts.ts";
import type { Json } from "../../model/json.ts";
import { onceFor } from "../../model/once-for.ts";
import { rememberBounded } from "../../model/remember.ts";
import type { Schema } from "../../model/schema.ts";

/**
 * A digest of schemas, each by a name, with all that they refer to: the same while nothing is different in them but words and order. Undefined where
 * none of them says anything.
 */
export function digestInside(
  inside: readonly (readonly [name: string, schema: Schema])[],
  api: Api,
): string | undefined {
  const own = inside.map(([name, schema]) => ({ name, ...readSchema(schema) })).filter(({ text }) => text !== "{}");
  if (own.length === 0) return undefined;
  const reached = new Set(own.flatMap(({ references }) => references));
  const lines = own.map(({ name, text }) => `${name}\t${text}`);
  const read = readingOf(api);
  for (const reference of reached) {
    const { digest, references } = read(reference);
    lines.push(`${reference}\t${digest}`);
    // A set goes on over what is added to it meanwhile.
    for (const one of references) reached.add(one);
  }
  return digestOf(lines.toSorted(compareTexts).join("\n"));
}

/** A schema's own words; what it refers to stands for itself. */
interface Read {
  readonly text: string;
  readonly references: readonly string[];
}

interface ReadReference {
  readonly digest: string;
  readonly references: readonly string[];
}

/** More than whole APIs have. */
const MOST_KNOWN = 10_000;

/** One schema is reached from many replies. */
const readingOf = onceFor((api: Api) => rememberBounded(MOST_KNOWN, (reference) => readReference(reference, api)));

function readReference(reference: string, api: Api): ReadReference {
  const resolved = api.resolve({ $ref: reference });
  const { text, references } = isFault(resolved)
    ? { text: resolved.fault, references: [] }
    : readSchema(resolved.schema);
  return { digest: digestOf(text), references };
}

function readSchema(schema: Schema): Read {
  const references: string[] = [];
  return { text: write(bareSchema(schema), "", references), references };
}

/** Sets of the specification, in whose order nothing is said (JSON Schema 2020-12, validation 6.1.2, 6.5.3). */
const SETS: ReadonlySet<string> = new Set(["required", "enum"]);

/** The same text for the same schema; `references` gets what it names by `$ref`, and the subtypes of its discriminators. */
function write(value: Json, key: string, references: string[]): string {
  if (Array.isArray(value)) {
    const items = value.map((one) => write(one, "", references));
    return `[${(SETS.has(key) ? items.toSorted(compareTexts) : items).join()}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).toSorted(([a], [b]) => compareTexts(a, b));
    const inner = key === "mapping" ? "$ref" : undefined;
    return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${write(one, inner ?? name, references)}`).join()}}`;
  }
  if (key === "$ref" && typeof value === "string") references.push(value);
  return JSON.stringify(value);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
