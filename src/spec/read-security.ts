import { isFault, type SchemeUse, type SecurityScheme } from "../model/api.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { childOf } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { followRefs } from "./resolve-ref.ts";

/** The declared schemes by name; one that is malformed counts as not declared. */
export function readSecuritySchemes(document: SpecDocument): ReadonlyMap<string, SecurityScheme> {
  const root = { value: document.root, pointer: "#" };
  const schemes = faultOf(() => {
    if (document.version === "2.0") return followRefs(document, childOf(root, "securityDefinitions"));
    return followRefs(document, childOf(followRefs(document, childOf(root, "components")), "securitySchemes"));
  });
  if (isFault(schemes)) return new Map();
  const found = new Map<string, SecurityScheme>();
  for (const name of Object.keys(isJsonObject(schemes.value) ? schemes.value : {})) {
    const target = faultOf(() => followRefs(document, childOf(schemes, name)));
    const scheme = isFault(target) || !isJsonObject(target.value) ? undefined : readScheme(target.value);
    if (scheme !== undefined) found.set(name, scheme);
  }
  return found;
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
  return { type: "apiKey", in: place, name };
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
export function readSecurity(layers: readonly JsonObject[]): readonly (readonly SchemeUse[])[] {
  const stated = layers.map((layer) => ownValue(layer, "security")).find((security) => Array.isArray(security));
  if (!Array.isArray(stated)) return [];
  return stated
    .filter(isJsonObject)
    .map((all) => Object.entries(all).map(([scheme, scopes]) => ({ scheme, scopes: namesIn(scopes) })));
}

function namesIn(value: Json): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
