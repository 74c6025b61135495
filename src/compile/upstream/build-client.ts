import type { CredentialEntry } from "../../curation/format.ts";
import type { SecurityScheme } from "../../model/api.ts";
import type { Credential } from "../../model/credential.ts";
import type { Value } from "../../model/value.ts";
import type { Building } from "./build-credentials.ts";
import { fillServer } from "./fill-server.ts";
import { readSetting } from "./read-setting.ts";

type ClientEntry = NonNullable<CredentialEntry["clientCredentials"]>;

/** OAuth client credentials; undefined, with a finding, where nobody says where tokens are fetched. */
export function buildClient(
  client: ClientEntry,
  scheme: SecurityScheme | undefined,
  building: Building,
): Credential | undefined {
  const tokenUrl =
    client.tokenUrl === undefined
      ? specTokenUrl(scheme, building)
      : ownTokenUrl(client.tokenUrl, "clientCredentials", building);
  if (tokenUrl === undefined) return undefined;
  const scopes = client.scopes ?? (hasScopes(scheme) ? undefined : []);
  return {
    kind: "clientCredentials",
    tokenUrl,
    clientId: readSetting(client.clientId),
    clientSecret: readSetting(client.clientSecret),
    ...(scopes !== undefined && { scopes: scopes.map(readSetting) }),
    ...(client.audience !== undefined && { audience: readSetting(client.audience) }),
  };
}

/** OAS 3.1 4.8.30: of other schemes a requirement lists roles, which are not exchanged in-band. */
export function hasScopes(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === "oauth2" || scheme?.type === "openIdConnect";
}

/** The token URL that the curation writes, under `kind`; undefined, with a finding, where it can be none. */
export function ownTokenUrl(text: string, kind: string, { at, report }: Building): Value | undefined {
  const value = readSetting(text);
  if (value.kind !== "literal" || isTokenUrl(text)) return value;
  const message = `\`${text.slice(0, 80)}\` is no address of a token endpoint.`;
  const path = [...at, kind, "tokenUrl"];
  report.add("error", "bad_token_url", path, message, "Write an http or https URL without fragment and user.");
  return undefined;
}

// RFC 6749 3.2: it may have a query, and no fragment.
function isTokenUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.hash === "" && url.username === "";
}

/** The token URL of the spec's flow. A client's secret goes only where the user, or a spec of the user's own, says. */
function specTokenUrl(scheme: SecurityScheme | undefined, building: Building): Value | undefined {
  const { entry, api, at, report } = building;
  const lacks = (message: string) => {
    report.add("error", "token_url_needed", [...at, "clientCredentials"], message, "Add `tokenUrl`.");
    return undefined;
  };
  const stated = scheme?.type === "oauth2" ? scheme.tokenUrl : undefined;
  if (stated === undefined) return lacks("The spec does not say where tokens are fetched.");
  if (/^https?:\/\//i.test(api.source))
    return lacks("A spec that was read from a URL does not decide where a client's secret goes.");
  if (isTokenUrl(stated)) return { kind: "literal", value: stated };
  // OAS 3.1 4.6: a relative URL of an API is relative to its server; the curation's base URL is known when serving.
  if (entry.baseUrl !== undefined && !URL.canParse(stated)) return { kind: "literal", value: stated };
  const server = fillServer(api, entry.serverVariables);
  const url = URL.canParse(stated, server) ? new URL(stated, server).href : "";
  return isTokenUrl(url)
    ? { kind: "literal", value: url }
    : lacks(`The spec's token URL \`${stated.slice(0, 80)}\` is not absolute.`);
}
