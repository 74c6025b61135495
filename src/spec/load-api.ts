import type { Egress } from "../egress/open-egress.ts";
import type { Api, Operation, SpecFault } from "../model/api.ts";
import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { type IndexedOperation, indexOperations } from "./index-operations.ts";
import { createLift } from "./lift-schema.ts";
import { readDocument, type SpecDocument } from "./read-document.ts";
import { readOperation } from "./read-operation.ts";
import { readSecuritySchemes } from "./read-security.ts";
import { readServers } from "./read-servers.ts";
import { createResolver } from "./resolve-schema.ts";

/**
 * Reads an OpenAPI document (2.0, 3.0, 3.1, 3.2; JSON or YAML) from a file path or an http(s) URL; URLs need `egress`. Only an index is made:
 * operations and schemas are lifted when asked for, and a fault in one is the fault of whoever asks. Throws UnreadableInput, one line for a person.
 */
export async function loadApi(source: string, options: { readonly egress?: Egress }): Promise<Api> {
  return openApi(await readDocument(source, options.egress));
}

/** The parsed document behind an Api of this room, for `checkSpec`. */
export function documentOf(api: Api): SpecDocument | undefined {
  return documents.get(api);
}

const documents = new WeakMap<Api, SpecDocument>();

function openApi(document: SpecDocument): Api {
  const schemas = createLift(document.version);
  const resolve = createResolver(document, schemas);
  const operations = indexOperations(document);
  const byKey = new Map(operations.map((operation) => [operation.entry.key, operation]));
  const byId = indexIds(operations);
  const read = new Map<string, Operation | SpecFault>();
  const info = ownValue(document.root, "info");
  const api: Api = {
    source: document.source,
    title: wordOf(info, "title"),
    version: wordOf(info, "version"),
    files: [{ path: document.source, sha256: document.sha256 }],
    servers: readServers(document, []),
    securitySchemes: readSecuritySchemes(document),
    index: operations.map(({ entry }) => entry),
    find: (reference) => (byKey.get(reference) ?? byId.get(reference))?.entry,
    read(entry) {
      const indexed = byKey.get(entry.key);
      if (indexed === undefined) return { fault: `There is no operation ${entry.key}.`, pointer: "#/paths" };
      const known = read.get(entry.key) ?? faultOf(() => readOperation({ document, schemas, resolve }, indexed));
      read.set(entry.key, known);
      return known;
    },
    resolve,
  };
  documents.set(api, document);
  return api;
}

function indexIds(operations: readonly IndexedOperation[]): ReadonlyMap<string, IndexedOperation> {
  const byId = new Map<string, IndexedOperation>();
  const doubled = new Set<string>();
  for (const operation of operations) {
    const { id } = operation.entry;
    if (id === undefined) continue;
    if (byId.has(id)) doubled.add(id);
    byId.set(id, operation);
  }
  for (const id of doubled) byId.delete(id);
  return byId;
}

function wordOf(info: Json | undefined, name: string): string {
  const value = isJsonObject(info) ? ownValue(info, name) : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
