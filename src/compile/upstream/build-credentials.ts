import type { ApiSection, CredentialEntry } from "../../curation/format.ts";
import type { Api, Operation, SecurityScheme } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Credential, Upstream } from "../../model/tool.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { readSetting } from "./read-setting.ts";

const DEFAULT = "default";

/** The credentials that the curation writes, by the spec's security schemes. Their values stand as expressions and are not read here. */
export function buildCredentials(
  auth: NonNullable<ApiSection["auth"]>,
  api: Api,
  report: Report,
): Upstream["credentials"] {
  const names = [...api.securitySchemes.keys()];
  return Object.entries(auth).flatMap(([name, entry]) => {
    const at = ["api", "auth", name];
    const scheme = api.securitySchemes.get(name);
    if (scheme === undefined && name !== DEFAULT) {
      const hint =
        names.length > 0 ? hintFor(nearestNames(name, names), names) : "The spec has none: write it as `default`.";
      report.add("error", "unknown_scheme", at, `The spec has no security scheme \`${name}\`.`, hint);
      return [];
    }
    const credential = buildCredential(entry, scheme, at, report);
    return credential === undefined ? [] : [{ scheme: name, credential }];
  });
}

function buildCredential(
  entry: CredentialEntry,
  scheme: SecurityScheme | undefined,
  at: EntryPath,
  report: Report,
): Credential | undefined {
  const { apiKey, bearer, basic } = entry;
  if (apiKey !== undefined) {
    if (typeof apiKey === "object")
      return { kind: "apiKey", in: apiKey.in, name: apiKey.name, value: readSetting(apiKey.value) };
    if (scheme?.type === "apiKey")
      return { kind: "apiKey", in: scheme.in, name: scheme.name, value: readSetting(apiKey) };
    const hint = scheme === undefined ? "Write apiKey: { value: …, in: header, name: … }." : hintOf(scheme);
    return refuse("apiKey", scheme, at, hint, report);
  }
  if (bearer !== undefined) {
    const fits =
      scheme === undefined || scheme.type === "oauth2" || scheme.type === "openIdConnect" || isHttp(scheme, "bearer");
    return fits ? { kind: "bearer", token: readSetting(bearer) } : refuse("bearer", scheme, at, hintOf(scheme), report);
  }
  if (basic === undefined) return undefined;
  if (scheme !== undefined && !isHttp(scheme, "basic")) return refuse("basic", scheme, at, hintOf(scheme), report);
  return { kind: "basic", username: readSetting(basic.username), password: readSetting(basic.password) };
}

function isHttp(scheme: SecurityScheme, name: string): boolean {
  return scheme.type === "http" && scheme.scheme === name;
}

function refuse(
  key: string,
  scheme: SecurityScheme | undefined,
  at: EntryPath,
  hint: string,
  report: Report,
): undefined {
  const what =
    scheme === undefined
      ? "The spec does not say where such a key goes."
      : `In the spec this scheme is ${nameOf(scheme)}.`;
  report.add("error", "scheme_mismatch", [...at, key], `\`${key}\` does not fit. ${what}`, hint);
}

function nameOf(scheme: SecurityScheme): string {
  return scheme.type === "http" ? `http ${scheme.scheme}` : scheme.type;
}

function hintOf(scheme: SecurityScheme): string {
  if (scheme.type === "apiKey") return "Write `apiKey`.";
  if (scheme.type === "http" && scheme.scheme === "basic") return "Write `basic`.";
  if (scheme.type === "mutualTLS") return "Write the certificate under `api.tls`.";
  return scheme.type === "http" && scheme.scheme !== "bearer"
    ? "Write the whole header as apiKey: { value, in: header, name: Authorization }."
    : "Write `bearer`.";
}

/** Warns, once for each set of schemes, where the operations ask for credentials that the curation does not write. */
export function checkSecurity(entry: ApiSection, operations: readonly Operation[], report: Report): void {
  const missing = new Map<string, Operation[]>();
  for (const operation of operations) {
    const wanted = operation.security.map((uses) => uses.map(({ scheme }) => scheme));
    const fits = wanted.some((schemes) =>
      schemes.every((name) => entry.auth !== undefined && Object.hasOwn(entry.auth, name)),
    );
    if (wanted.length === 0 || fits || wanted.some((schemes) => schemes.length === 0)) continue;
    const asked = wanted.map((schemes) => schemes.map((name) => `\`${name}\``).join(" with ")).join(" or ");
    missing.set(asked, [...(missing.get(asked) ?? []), operation]);
  }
  for (const [asked, [first, ...others]] of missing) {
    const more = others.length === 0 ? " needs" : ` and ${others.length} more need`;
    const message = `\`${first!.id ?? first!.key}\`${more} ${asked}, for which no credential is written.`;
    report.add(
      "warning",
      "auth_missing",
      entry.auth === undefined ? ["api"] : ["api", "auth"],
      message,
      "Write it under `api.auth`.",
    );
  }
}

/** `in.name`, in lower case, of everything that carries a credential: the spec's schemes, the curation's own and its fixed headers. */
export function credentialPlaces(entry: ApiSection, api: Api): ReadonlySet<string> {
  const schemes = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === "apiKey" ? [scheme] : []));
  const own = Object.values(entry.auth ?? {}).flatMap(({ apiKey }) => (typeof apiKey === "object" ? [apiKey] : []));
  const fixed = Object.keys(entry.headers ?? {}).map((name) => ({ in: "header", name }));
  return new Set([...schemes, ...own, ...fixed].map((one) => `${one.in}.${one.name.toLowerCase()}`));
}
