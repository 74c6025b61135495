import type { Egress } from "../egress/open-egress.ts";
import type { Api, Operation, SpecFault } from "../model/api.ts";
import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { once } from "../model/once.ts";
import { faultOf } from "./broken-spec.ts";
import { createSubtypes } from "./find-subtypes.ts";
import { indexOperations } from "./index-operations.ts";
import { createLift } from "./lift-schema.ts";
import { readDocument, type SpecDocument } from "./read-document.ts";
import { readOperation } from "./read-operation.ts";
import { readSecuritySchemes } from "./read-security.ts";
import { readServers } from "./read-servers.ts";
import { createResolver } from "./resolve-schema.ts";

export interface LoadOptions {
  /** For URLs: of the spec, its overlays, and what it refers to at its own origin. Kept as long as `fetchPending` may be called. */
  readonly egress?: Egress;
  /** Files or http(s) URLs of OpenAPI Overlays (1.0, 1.1), applied in this order before anything else. */
  readonly overlays?: readonly string[];
}

/**
 * Reads an OpenAPI document (2.0, 3.0, 3.1, 3.2; JSON or YAML) from a file path or an http(s) URL; URLs need `egress`. Operations, schemas and the
 * files that they stand in are read when asked for, and a fault in one is the fault of whoever asks. Throws UnreadableInput, one line for a person.
 */
export async function loadApi(source: string, { egress, overlays = [] }: LoadOptions): Promise<Api> {
  return openApi(await readDocument(source, egress, overlays));
}

/** The document behind an Api of this room, for `checkSpec`. */
export function documentOf(api: Api): SpecDocument | undefined {
  return documents.get(api);
}

const documents = new WeakMap<Api, SpecDocument>();

function openApi(document: SpecDocument): Api {
  const info = ownValue(document.root, "info");
  let reading = openReading(document);
  const api: Api = {
    source: document.source,
    title: wordOf(info, "title"),
    version: wordOf(info, "version"),
    problems: document.problems,
    servers: readServers(document, []),
    get files() {
      return [...document.files, ...document.further.files()];
    },
    get securitySchemes() {
      return reading.securitySchemes();
    },
    get index() {
      return reading.index();
    },
    find: (reference) => reading.find(reference),
    read: (entry) => reading.read(entry),
    resolve: (schema) => reading.resolve(schema),
    subtypesOf: (name) => reading.subtypesOf(name),
    async fetchPending() {
      const hasCome = await document.further.fetchPending();
      // What was found while documents were missing is not to be believed any more.
      if (hasCome) reading = openReading(document);
      return hasCome;
    },
  };
  documents.set(api, document);
  return api;
}

/** All that is worked out about a document once; `openApi` begins anew where more of the spec has come. */
function openReading(document: SpecDocument) {
  const subtypesOf = createSubtypes(document);
  const schemas = createLift(document, subtypesOf);
  const resolve = createResolver(document, schemas);
  const operations = indexOperations(document);
  const read = new Map<string, Operation | SpecFault>();
  return {
    resolve,
    subtypesOf,
    securitySchemes: once(() => readSecuritySchemes(document)),
    index: once(() => operations.all().map(({ entry }) => entry)),
    find: (reference: string) => (operations.byKey(reference) ?? operations.byId(reference))?.entry,
    read(entry: { readonly key: string }): Operation | SpecFault {
      const indexed = operations.byKey(entry.key);
      if (indexed === undefined) return { fault: `There is no operation ${entry.key}.`, pointer: "#/paths" };
      const known = read.get(entry.key) ?? faultOf(() => readOperation({ document, schemas, resolve }, indexed));
      read.set(entry.key, known);
      return known;
    },
  };
}

function wordOf(info: Json | undefined, name: string): string {
  const value = isJsonObject(info) ? ownValue(info, name) : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
