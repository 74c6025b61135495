import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import {
  anything,
  count,
  either,
  flag,
  type JsonCheck,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  text,
} from "./manifest/check-json.ts";
import { showHidden } from "./manifest/hidden-characters.ts";
import type { Manifest } from "./manifest-format.ts";

/** A manifest as `manifestText` writes it. Throws `UnreadableInput`, whose message names neither the file nor anything long, for any other text. */
export function readManifest(content: string): Manifest {
  const value = parse(content);
  if (!isJsonObject(value) || !Object.hasOwn(value, "manifest")) throw new UnreadableInput("it is not a manifest.");
  if (value.manifest !== 1)
    throw new UnreadableInput("it is a manifest of another version of vitrine: make it anew with `tools --lock`.");
  const fault = anything(value, "") ?? MANIFEST(value, "") ?? findDouble(value);
  if (fault !== undefined) throw new UnreadableInput(`it is not a whole manifest: ${showHidden(fault)}`);
  return value as unknown as Manifest;
}

function parse(content: string): Json {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, "")) as Json;
  } catch {
    throw new UnreadableInput("it is not JSON.");
  }
}

/** What is compared by name has one of each. */
function findDouble({ tools }: { readonly [key: string]: Json }): string | undefined {
  const names = (tools as unknown as Manifest["tools"]).map(({ name }) => name);
  const double = names.findIndex((name, at) => names.indexOf(name) !== at);
  return double === -1 ? undefined : `\`tools[${double}].name\` is that of another tool.`;
}

const TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;
const BOUNDS = ["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"] as const;
// A bound may be below zero.
const bound: JsonCheck = (value, path) => (typeof value === "number" ? undefined : `\`${path}\` is not a number.`);

const schema: JsonCheck = (value, path) =>
  objectOf(
    {},
    {
      type: oneOf(...TYPES),
      description: text,
      properties: mapOf(schema),
      required: listOf(text),
      items: schema,
      enum: listOf(text),
      pattern: text,
      default: anything,
      format: text,
      ...Object.fromEntries(BOUNDS.map((key) => [key, bound])),
    },
  )(value, path);

const said: JsonCheck = (value, path) =>
  objectOf(
    {},
    {
      type: text,
      nullable: oneOf(true),
      optional: oneOf(true),
      format: text,
      enum: listOf(text),
      enumDigest: text,
      properties: mapOf(said),
      items: said,
      below: text,
    },
  )(value, path);

const listed = {
  name: text,
  title: text,
  description: text,
  inputSchema: schema,
  annotations: objectOf({ readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag }),
  tags: listOf(text),
};
const others = { outputSchema: schema, aliases: listOf(text) };

const filter = objectOf(
  {
    offered: flag,
    depth: count,
    dialects: listOf(text),
    fields: mapOf(objectOf({ type: text, nullable: flag, ops: listOf(text) }, { values: listOf(text) })),
  },
  { from: text, always: listOf(text), required: oneOf(true) },
);

const parts = mapOf(text);

const conduct = objectOf(
  { operations: listOf(text), access: listOf(text), requests: parts, replies: parts, budget: count, deadlineMs: count },
  {
    states: listOf(text),
    unpinned: listOf(text),
    addresses: parts,
    limit: objectOf({ default: count, max: count }),
    defaults: mapOf(anything),
    inputs: mapOf(
      objectOf({}, { form: text, end: text, entity: text, valuesFrom: text, takes: listOf(text), checks: text }),
    ),
    fields: mapOf(objectOf({}, { form: text, unit: text, clip: either(count, oneOf("first-sentence")), round: count })),
    said,
    filter,
    order: listOf(text),
    totals: anything,
    group: anything,
    all: count,
    text: anything,
    pages: listOf(text),
    errors: listOf(objectOf({ on: text, error: text, recover: text })),
    confirm: objectOf({ text, human: flag }),
    suggest: listOf(text),
    emptyNote: text,
    keyed: oneOf(true),
  },
);

const group = objectOf({ discriminator: text, actions: mapOf(objectOf({ ...listed, conduct }, others)) });

/** A tool has a conduct, or in its place actions. */
const tool: JsonCheck = (value, path) =>
  objectOf({ ...listed, tokens: count }, { ...others, conduct, group })(value, path) ??
  either(objectOf({ conduct }), objectOf({ group }))(value, path);

const upstream = objectOf(
  { timeoutMs: count, retries: count, maxResponseBytes: count, concurrency: count, answers: text },
  { address: text, headers: text, tls: text },
);

const MANIFEST = objectOf({
  made: objectOf({ vitrine: text, from: listOf(objectOf({ path: text, sha256: text })) }),
  server: objectOf(
    { name: text, instructions: text, structured: flag, pageTokenTtlMs: count, upstream },
    { title: text },
  ),
  tokens: count,
  pins: listOf(text),
  tools: listOf(tool),
});
