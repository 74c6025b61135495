import type { Egress } from "../../src/egress/open-egress.ts";
import { type Api, isFault, type Operation } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import { loadApi } from "../../src/spec/load-api.ts";

export const SOURCE = "https://spec.example/openapi.yaml";

/** An egress that answers `SOURCE` with these bytes, other URLs with the `others` of that URL or 404, and notes the URLs asked for. */
export function fakeEgress(
  body: string | Uint8Array,
  status = 200,
  others: Readonly<Record<string, string>> = {},
): Egress & { readonly asked: string[] } {
  const asked: string[] = [];
  async function* chunks(text: string | Uint8Array) {
    yield typeof text === "string" ? new TextEncoder().encode(text) : text;
  }
  return {
    asked,
    async request({ url }) {
      asked.push(url);
      const found = url === SOURCE ? body : others[url];
      const known = url === SOURCE ? status : found === undefined ? 404 : 200;
      return { status: known, headers: new Map(), url, body: chunks(found ?? "") };
    },
    async close() {},
  };
}

export async function openText(text: string | Uint8Array): Promise<Api> {
  return await loadApi(SOURCE, { egress: fakeEgress(text) });
}

export async function openSpec(spec: object): Promise<Api> {
  return await openText(JSON.stringify(spec));
}

/** A whole document around one part, so that a table shows the part only. */
export function openapi(version: string, parts: object): object {
  return { openapi: version, info: { title: "case", version: "1.0" }, ...parts };
}

export function swagger(parts: object): object {
  return { swagger: "2.0", info: { title: "case", version: "1.0" }, ...parts };
}

/** The operation, or a failed test where it is broken or absent. */
export function readOf(api: Api, reference: string): Operation {
  const entry = api.find(reference);
  if (entry === undefined) throw new Error(`no operation ${reference}`);
  const operation = api.read(entry);
  if (isFault(operation)) throw new Error(`${operation.fault} at ${operation.pointer}`);
  return operation;
}

export function resolveOf(api: Api, schema: Schema): Schema {
  const resolved = api.resolve(schema);
  if (isFault(resolved)) throw new Error(`${resolved.fault} at ${resolved.pointer}`);
  return resolved.schema;
}

/** The only property schema of the JSON body of `POST /x`. */
export function bodySchema(api: Api): Schema {
  const schema = readOf(api, "POST /x").body?.content[0]?.schema;
  if (schema === undefined) throw new Error("no body schema");
  return resolveOf(api, schema);
}

export function withBody(version: string, schema: unknown, components: object = {}): object {
  const post = { requestBody: { content: { "application/json": { schema } } }, responses: {} };
  return openapi(version, { paths: { "/x": { post } }, components });
}
