import type { ApiSection, CredentialEntry } from "../../curation/format.ts";
import type { Api, SecurityScheme } from "../../model/api.ts";
import type { Credential } from "../../model/credential.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Upstream } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { buildClient } from "./build-client.ts";
import { buildExchange } from "./build-exchange.ts";
import { fitsScheme, hintOfScheme, nameOfScheme } from "./fit-scheme.ts";
import { readSetting } from "./read-setting.ts";

/** The credential of operations for which none is written by a scheme. */
export const DEFAULT = "default";

/**
 * The credentials that the curation writes, by the spec's security schemes, and the certificate under `tls` for the spec's mutualTLS. Their
 * values stand as expressions and are not read here.
 */
export function buildCredentials(entry: ApiSection, api: Api, report: Report): Upstream["credentials"] {
  const names = [...api.securitySchemes.keys()];
  const written = Object.entries(entry.auth ?? {}).flatMap(([name, one]) => {
    const at = ["api", "auth", name];
    const scheme = api.securitySchemes.get(name);
    if (scheme === undefined && name !== DEFAULT) {
      const hint =
        names.length > 0 ? hintFor(nearestNames(name, names), names) : "The spec has none: write it as `default`.";
      report.add("error", "unknown_scheme", at, `The spec has no security scheme \`${name}\`.`, hint);
      return [];
    }
    const credential = buildCredential(one, scheme, { entry, api, at, report });
    if (credential === undefined) return [];
    checkLiteral(credential, at, report);
    return [{ scheme: name, credential }];
  });
  return [...written, ...certificates(entry, api, report)];
}

/** What building one credential looks at beside its own entry. */
export interface Building {
  readonly entry: ApiSection;
  readonly api: Api;
  readonly at: EntryPath;
  readonly report: Report;
}

const KINDS = ["apiKey", "bearer", "basic", "clientCredentials", "tokenExchange"] as const;

function buildCredential(
  one: CredentialEntry,
  scheme: SecurityScheme | undefined,
  building: Building,
): Credential | undefined {
  const { apiKey, bearer, basic, clientCredentials, tokenExchange } = one;
  const kind = KINDS.find((name) => one[name] !== undefined);
  if (kind === undefined) return undefined;
  const hasPlace = typeof apiKey === "object";
  if (!fitsScheme(kind, scheme, hasPlace)) return refuse(kind, scheme, building);
  if (hasPlace) return { kind: "apiKey", in: apiKey.in, name: apiKey.name, value: readSetting(apiKey.value) };
  if (apiKey !== undefined && scheme?.type === "apiKey")
    return { kind: "apiKey", in: scheme.in, name: scheme.name, value: readSetting(apiKey) };
  if (bearer !== undefined) return { kind: "bearer", token: readSetting(bearer) };
  if (basic !== undefined)
    return { kind: "basic", username: readSetting(basic.username), password: readSetting(basic.password) };
  if (clientCredentials !== undefined) return buildClient(clientCredentials, scheme, building);
  return tokenExchange && buildExchange(tokenExchange, scheme, building);
}

/** What is secret of each kind; a user's or client's name is not. */
function secretOf(credential: Credential): Value | undefined {
  switch (credential.kind) {
    case "apiKey":
      return credential.value;
    case "bearer":
      return credential.token;
    case "basic":
      return credential.password;
    case "clientCredentials":
    case "tokenExchange":
      return credential.clientSecret;
    case "mutualTLS":
      return undefined;
    default:
      return credential satisfies never;
  }
}

function checkLiteral(credential: Credential, at: EntryPath, report: Report): void {
  const secret = secretOf(credential);
  if (secret?.kind !== "literal" || secret.value === "" || secret.value === null) return;
  const message = "The credential stands in the file as it is, for everyone who reads the file.";
  const name = /^\$\{?(\w+)\}?$/.exec(String(secret.value))?.[1] ?? "NAME";
  report.add("warning", "literal_credential", at, message, `Read it from the environment: "\${env.${name}}".`);
}

function refuse(kind: string, scheme: SecurityScheme | undefined, { at, report }: Building): undefined {
  const what =
    scheme === undefined
      ? "The spec does not say where such a key goes."
      : `In the spec this scheme is ${nameOfScheme(scheme)}.`;
  report.add("error", "scheme_mismatch", [...at, kind], `\`${kind}\` does not fit. ${what}`, hintOfScheme(scheme));
}

/** A scheme that asks for a certificate is met by the connection's own. */
function certificates({ tls }: ApiSection, api: Api, report: Report): Upstream["credentials"] {
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) {
    const [has, lacks] = tls?.cert === undefined ? ["key", "cert"] : ["cert", "key"];
    const message = `\`${has}\` is of no use without \`${lacks}\`.`;
    report.add(
      "error",
      "tls_incomplete",
      ["api", "tls", has!],
      message,
      "Where one PEM file holds both, name it twice.",
    );
  }
  if (tls?.cert === undefined) return [];
  const schemes = [...api.securitySchemes].filter(([, { type }]) => type === "mutualTLS");
  return schemes.map(([scheme]) => ({ scheme, credential: { kind: "mutualTLS" } }));
}

/** `in.name`, in lower case, of everything that carries a credential: the spec's schemes, the curation's own and its fixed headers. */
export function credentialPlaces(entry: ApiSection, api: Api): ReadonlySet<string> {
  const schemes = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === "apiKey" ? [scheme] : []));
  const own = Object.values(entry.auth ?? {}).flatMap(({ apiKey }) => (typeof apiKey === "object" ? [apiKey] : []));
  const fixed = Object.keys(entry.headers ?? {}).map((name) => ({ in: "header", name }));
  return new Set([...schemes, ...own, ...fixed].map((one) => `${one.in}.${one.name.toLowerCase()}`));
}
