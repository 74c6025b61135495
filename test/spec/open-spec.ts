import type { Egress } from "../../src/egress/open-egress.ts";
import { type Api, isFault, type Operation } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import { loadApi } from "../../src/spec/load-api.ts";

export const SOURCE = "https://spec.example/openapi.yaml";

/** An egress that answers every request with these bytes and counts the URLs asked for. */
export function fakeEgress(body: string | Uint8Array, status = 200): Egress & { readonly asked: string[] } {
  const asked: string[] = [];
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  async function* chunks() {
    yield bytes;
  }
  return {
    asked,
    async request({ url }) {
      asked.push(url);
      return { status, headers: new Map(), url, body: chunks() };
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
