import { isFault, referenceName, type SchemeUse, type SecurityScheme } from "../model/api.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { childOf, type Located } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { followRefs, lookUp } from "./resolve-ref.ts";

/** The declared schemes by name, and those that a requirement names by URI; one that is malformed counts as not declared. */
export function readSecuritySchemes(document: SpecDocument): ReadonlyMap<string, SecurityScheme> {
  const declared = declaredSchemes(document);
  const names = Object.keys(isJsonObject(declared.value) ? declared.value : {});
  const found = new Map<string, SecurityScheme>();
  for (const at of [...names.map((name) => ({ name, ...childOf(declared, name) })), ...schemesByUri(document)]) {
    const target = faultOf(() => followRefs(document, at));
    const scheme = isFault(target) || !isJsonObject(target.value) ? undefined : readScheme(target.value);
    if (scheme !== undefined) found.set(at.name, scheme);
  }
  return found;
}

function declaredSchemes(document: SpecDocument): Located {
  const root = { value: document.root, pointer: "#" };
  const schemes = faultOf(() => {
    if (document.version === "2.0") return followRefs(document, childOf(root, "securityDefinitions"));
    return followRefs(document, childOf(followRefs(document, childOf(root, "components")), "securitySchemes"));
  });
  return isFault(schemes) ? { value: undefined, pointer: "#" } : schemes;
}

function readScheme(raw: JsonObject): SecurityScheme | undefined {
  const reader = SCHEME_READERS.get(textOf(raw, "type") ?? "");
  return reader?.(raw);
}

const SCHEME_READERS: ReadonlyMap<string, (raw: JsonObject) => SecurityScheme | undefined> = new Map([
  ["apiKey", readApiKey],
  ["http", (raw) => ({ type: "http", scheme: (textOf(raw, "scheme") ?? "").toLowerCase() })],
  ["basic", () => ({ type: "http", scheme: "basic" })],
  ["oauth2", readOauth2],
  ["openIdConnect", (raw) => ({ type: "openIdConnect", url: textOf(raw, "openIdConnectUrl") ?? "" })],
  ["mutualTLS", () => ({ type: "mutualTLS" })],
]);

function readApiKey(raw: JsonObject): SecurityScheme | undefined {
  const [place, name] = [textOf(raw, "in"), textOf(raw, "name")];
  if (name === undefined || (place !== "header" && place !== "query" && place !== "cookie")) return undefined;
  return { type: "apiKey", in: place, name, ...(tellsOfSigning(raw) && { signs: true }) };
}

/** "Amazon Signature authorization v4"; OpenAPI has no type for it. */
function tellsOfSigning(raw: JsonObject): boolean {
  return Object.values(raw).some((text) => typeof text === "string" && /sigv4|\bsignature\b|\bhmac\b/i.test(text));
}

const FLOWS = ["clientCredentials", "authorizationCode", "password", "deviceAuthorization", "implicit"];

// 2.0 has the one flow's fields on the scheme itself.
function readOauth2(raw: JsonObject): SecurityScheme {
  const flows = ownValue(raw, "flows");
  const stated = isJsonObject(flows) ? FLOWS.map((name) => ownValue(flows, name)).filter(isJsonObject) : [raw];
  const tokenUrl = stated.map((flow) => textOf(flow, "tokenUrl")).find((url) => url !== undefined);
  const scopes = stated.flatMap((flow) => Object.keys(objectOf(ownValue(flow, "scopes"))));
  const metadataUrl = textOf(raw, "oauth2MetadataUrl");
  return {
    type: "oauth2",
    ...(tokenUrl !== undefined && { tokenUrl }),
    ...(metadataUrl !== undefined && { metadataUrl }),
    scopes: [...new Set(scopes)],
  };
}

/** The requirement of the innermost of `layers` (operation, document) that states one, an empty list included. */
export function readSecurity(document: SpecDocument, layers: readonly Located[]): readonly (readonly SchemeUse[])[] {
  const stated = layers.map((layer) => childOf(layer, "security")).find(({ value }) => Array.isArray(value));
  if (stated === undefined) return [];
  return requirementsIn(stated).map((all) =>
    Object.entries(all).map(([name, scopes]) => {
      const byUri = schemeByUri(document, name, stated.pointer);
      return { scheme: byUri?.name ?? name, scopes: namesIn(scopes) };
    }),
  );
}

function requirementsIn({ value }: Located): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A scheme that has no name of its own: it is called by the pointer to it. */
interface SchemeByUri extends Located {
  readonly name: string;
}

/** Those that the document or an operation in it requires. What only operations in further files require is not looked for, as nothing is opened. */
function schemesByUri(document: SpecDocument): SchemeByUri[] {
  if (document.version !== "3.2") return [];
  const root = { value: document.root, pointer: "#" };
  const operations = childrenOf(childOf(root, "paths")).flatMap(childrenOf);
  const stated = [root, ...operations].map((layer) => childOf(layer, "security"));
  return stated.flatMap((at) =>
    requirementsIn(at)
      .flatMap((all) => Object.keys(all))
      .flatMap((name) => schemeByUri(document, name, at.pointer) ?? []),
  );
}

function childrenOf(at: Located): Located[] {
  return isJsonObject(at.value) ? Object.keys(at.value).map((name) => childOf(at, name)) : [];
}

// OAS 3.2 4.30: a name that is declared is one; any other may be the URI of a scheme, and a bare word hardly is.
function schemeByUri(document: SpecDocument, name: string, from: string): SchemeByUri | undefined {
  if (document.version !== "3.2" || !/[#/.]/.test(name)) return undefined;
  const declared = declaredSchemes(document);
  if (isJsonObject(declared.value) && Object.hasOwn(declared.value, name)) return undefined;
  const target = faultOf(() => lookUp(document, name, from));
  if (isFault(target)) return undefined;
  const isDeclared = target.pointer.startsWith(`${declared.pointer}/`);
  return { ...target, name: isDeclared ? referenceName(target.pointer) : target.pointer };
}

function namesIn(value: Json): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
