import type { CredentialEntry } from "../../curation/format.ts";
import type { SecurityScheme } from "../../model/api.ts";
import type { Credential } from "../../model/credential.ts";
import { hasScopes, ownTokenUrl } from "./build-client.ts";
import type { Building } from "./build-credentials.ts";
import { readSetting } from "./read-setting.ts";

type ExchangeEntry = NonNullable<CredentialEntry["tokenExchange"]>;

/** The exchange of the caller's own token (RFC 8693); undefined, with a finding, where it cannot be one. */
export function buildExchange(
  { tokenUrl: written, scopes: own, clientId, clientSecret, audience, resource }: ExchangeEntry,
  scheme: SecurityScheme | undefined,
  building: Building,
): Credential | undefined {
  const { at, report } = building;
  const tokenUrl = ownTokenUrl(written, "tokenExchange", building);
  if (clientId === undefined && clientSecret !== undefined) {
    const message = "`clientSecret` is of no use without `clientId`.";
    report.add("error", "client_incomplete", [...at, "tokenExchange", "clientSecret"], message, "Add `clientId`.");
    return undefined;
  }
  if (tokenUrl === undefined) return undefined;
  const scopes = own ?? (hasScopes(scheme) ? undefined : []);
  return {
    kind: "tokenExchange",
    tokenUrl,
    ...(clientId !== undefined && { clientId: readSetting(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: readSetting(clientSecret) }),
    ...(scopes !== undefined && { scopes: scopes.map(readSetting) }),
    ...(audience !== undefined && { audience: readSetting(audience) }),
    ...(resource !== undefined && { resource: readSetting(resource) }),
  };
}
