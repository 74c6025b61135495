import { readFileSync } from "node:fs";
import $RefParser from "@apidevtools/json-schema-ref-parser";
import { CORE_SCHEMA, load, Type } from "js-yaml";
import { convertObj } from "swagger2openapi";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";

/** The document as OpenAPI 3, read without any code of ours: Swagger 2.0 is converted by swagger2openapi, 3.2 is taken for 3.1. */
export async function readRawDocument(file: string): Promise<JsonObject> {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const parsed = HAS_FILES.test(text) ? await bundleFiles(file) : parseText(file, text);
  if (typeof parsed["swagger"] !== "string") return parsed;
  const { openapi } = await convertObj(parsed as never, { patch: true, warnOnly: true, anchors: true, resolve: false });
  return openapi as unknown as JsonObject;
}

/** `<<`, which the core schema does not know. */
const MERGE = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text) => text === "<<" });

const HAS_FILES = /\$ref["']?:\s*["']?(?!https?:)[^\s"'#]+\.(json|ya?ml)\b/;

/** Documents of several files are put together by json-schema-ref-parser. */
async function bundleFiles(file: string): Promise<JsonObject> {
  return (await $RefParser.bundle(file, { resolve: { http: false } })) as unknown as JsonObject;
}

function parseText(file: string, text: string): JsonObject {
  if (file.endsWith(".json")) return JSON.parse(text) as JsonObject;
  return load(text, { schema: CORE_SCHEMA.extend({ implicit: [MERGE] }), json: true }) as JsonObject;
}

/** What a local reference leads to. */
export function followRef(document: JsonObject, ref: string): Json {
  let at: Json | undefined = document;
  for (const part of ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((one) => one !== "")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(name)] : isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  if (at === undefined) throw new Error(`${ref} leads nowhere.`);
  return at;
}

/** The object itself, or what its `$ref` leads to; what stands beside a `$ref` is laid over it. */
export function deref(document: JsonObject, value: Json | undefined): JsonObject {
  let at: Json | undefined = value;
  for (let hops = 0; isJsonObject(at) && typeof at["$ref"] === "string" && hops < 20; hops += 1) {
    const { $ref, ...beside } = at;
    const target = followRef(document, $ref as string);
    at = isJsonObject(target) ? { ...target, ...beside } : target;
  }
  return isJsonObject(at) ? at : {};
}
