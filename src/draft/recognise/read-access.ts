import type { Api, SchemeUse, SecurityScheme } from "../../model/api.ts";
import type { JsonObject } from "../../model/json.ts";
import { CREDENTIAL_NAME, saysCredential } from "../../model/says-credential.ts";
import type { Fact } from "../survey/read-fact.ts";

/** How the API is reached and let in, as a curation says it under `api`. */
export interface Access {
  readonly baseUrl?: string;
  readonly auth?: JsonObject;
  /** Sent with every request. */
  readonly headers?: JsonObject;
  /** Environment variables that serving needs, each with what it holds. */
  readonly env: readonly { readonly name: string; readonly holds: string }[];
  /** What a person has to decide. */
  readonly decide: readonly string[];
}

/** `name` is the API's short name in capitals, with which the environment variables begin. */
export function readAccess(api: Api, facts: readonly Fact[], name: string, refused: Refused): Access {
  const address = readAddress(api, facts, name, refused.needsBaseUrl);
  const credentials = without(readCredentials(api, facts, name), refused.droppedAuth);
  return {
    ...(address.baseUrl !== undefined && { baseUrl: address.baseUrl }),
    ...(credentials.auth !== undefined && { auth: credentials.auth }),
    ...(credentials.headers !== undefined && { headers: credentials.headers }),
    env: [...address.env, ...credentials.env],
    decide: [...address.decide, ...credentials.decide],
  };
}

/** What the compiler has said of an earlier try. */
export interface Refused {
  readonly needsBaseUrl: boolean;
  /** Names under `auth`. */
  readonly droppedAuth: ReadonlySet<string>;
}

function without(access: Omit<Access, "baseUrl">, dropped: ReadonlySet<string>): Omit<Access, "baseUrl"> {
  const kept = Object.entries(access.auth ?? {}).filter(([scheme]) => !dropped.has(scheme));
  const { auth: _auth, ...rest } = access;
  return kept.length === 0 ? rest : { ...rest, auth: Object.fromEntries(kept) };
}

function readAddress(api: Api, facts: readonly Fact[], name: string, isNeeded: boolean): Access {
  const url = facts[0]?.operation.servers[0]?.url ?? api.servers[0]?.url ?? "";
  const isWhole = facts.every(({ operation }) => isPublic(operation.servers[0]?.url ?? ""));
  const isRemote = /^https?:\/\//i.test(api.source);
  if (isPublic(url) && isWhole && !isRemote && !isNeeded) return { env: [], decide: [] };
  if (isPublic(url) && isWhole)
    return {
      baseUrl: url,
      env: [],
      decide: ["The address is the document's own word: is it where requests and credentials should go?"],
    };
  const variable = `${name}_URL`;
  const path = /^\/[\w./~-]*$/.test(url) && url !== "/" ? url.replace(/\/$/, "") : "";
  const example = /^https?:\/\/[\w./:~-]+$/.test(url)
    ? url
    : `https://${name.toLowerCase().replaceAll("_", "-")}.example.com${path}`;
  const holds = `the address of the API, for example ${example}`;
  return { baseUrl: `\${env.${variable}}`, env: [{ name: variable, holds }], decide: [] };
}

/** Whether a stated server is the API itself, and no example or a machine of one's own. */
function isPublic(url: string): boolean {
  if (!/^https:\/\/[^/{}]+/i.test(url) || !URL.canParse(url) || url.includes("{")) return false;
  const { hostname } = new URL(url);
  return (
    hostname.includes(".") &&
    !/(^|\.)(example\.(com|org|net)|localhost|local|test|invalid)$/.test(hostname) &&
    !/^[\d.]+$/.test(hostname)
  );
}

function readCredentials(api: Api, facts: readonly Fact[], name: string): Omit<Access, "baseUrl"> {
  const { securitySchemes } = api;
  const own = keyParameter(facts, name, securitySchemes);
  if (own !== undefined) return { ...own, decide: [] };
  const asked = facts.map(({ operation }) => operation.security).filter((one) => one.length > 0);
  const names = chooseSchemes(
    asked.map((one) => one.map((uses) => uses.map(({ scheme }) => scheme))),
    securitySchemes,
  );
  const found = names.map((scheme) => ({ scheme, ...credentialOf(securitySchemes.get(scheme), name) }));
  const auth = found.flatMap(({ scheme, entry }) => (entry === undefined ? [] : [[scheme, entry] as const]));
  const known = auth.length > 0 ? { auth: Object.fromEntries(auth) } : unasked(facts, securitySchemes, names, name);
  const env = auth.length > 0 ? found.flatMap((one) => one.env) : (known.env ?? []);
  const distinct = [...new Map(env.map((one) => [one.name, one])).values()];
  return { ...(known.auth !== undefined && { auth: known.auth }), env: distinct, decide: known.decide ?? [] };
}

type Credentials = { readonly auth?: JsonObject; readonly env?: Access["env"]; readonly decide?: readonly string[] };

/** Documents of Slack's kind have the credential as a parameter: the place where most operations need it, and a header where others do. */
function keyParameter(
  facts: readonly Fact[],
  name: string,
  schemes: Api["securitySchemes"],
): (Pick<Access, "env" | "headers"> & { readonly auth: JsonObject }) | undefined {
  const places = new Map<string, { readonly slot: Fact["slots"][number]; count: number }>();
  for (const { slots, operation } of facts)
    for (const slot of slots) {
      // A scheme that sends it where such things belong is the better word.
      if (saysCredential(slot.name, slot.description) && isMet(operation, schemes, name)) continue;
      if (!slot.required || !CREDENTIAL_NAME.test(slot.name) || (slot.in !== "query" && slot.in !== "header")) continue;
      places.set(slot.place, { slot, count: (places.get(slot.place)?.count ?? 0) + 1 });
    }
  const [most, ...others] = [...places.values()].toSorted((a, b) => b.count - a.count);
  if (most === undefined) return undefined;
  const value = `\${env.${name}_TOKEN}`;
  const header = others.find(({ slot }) => slot.in === "header");
  return {
    auth: { default: { apiKey: { value, in: most.slot.in, name: most.slot.name } } },
    ...(header !== undefined && { headers: { [header.slot.name]: value } }),
    env: [{ name: `${name}_TOKEN`, holds: "a key that may only read" }],
  };
}

/** Whether a curation can send what one of the alternatives asks for. */
function isMet({ security }: Fact["operation"], schemes: Api["securitySchemes"], name: string): boolean {
  const canSend = ({ scheme }: SchemeUse) => credentialOf(schemes.get(scheme), name).entry !== undefined;
  return security.some((uses) => uses.length > 0 && uses.every(canSend));
}

/** The document asks for nothing where it matters: a scheme that it names may be meant all the same. */
function unasked(
  facts: readonly Fact[],
  schemes: Api["securitySchemes"],
  unmet: readonly string[],
  name: string,
): Credentials {
  const [scheme] = [...schemes.values()].filter((one) => credentialOf(one, name).entry !== undefined);
  if (scheme === undefined || facts.some(({ operation }) => operation.security.some((uses) => uses.length === 0)))
    return {
      decide: [`${tellUnmet(unmet, schemes)}: auth: { default: { bearer: "\${env.${name}_TOKEN}" } }`],
    };
  const own = credentialOf(scheme, name);
  const entry =
    scheme.type === "apiKey"
      ? { apiKey: { value: `\${env.${name}_KEY}`, in: scheme.in, name: scheme.name } }
      : own.entry;
  return { auth: { default: entry ?? {} }, env: own.env };
}

/** `unmet`: what is asked for, and no credential of a curation is. */
function tellUnmet(unmet: readonly string[], schemes: Api["securitySchemes"]): string {
  const [first] = unmet;
  if (first === undefined) return "The document asks for no credential. Where the API needs one";
  const scheme = schemes.get(first);
  if (scheme?.type === "mutualTLS")
    return "The document asks for a client certificate, which stands under `tls`. Where the API needs a token too";
  if (scheme?.type === "apiKey" && scheme.signs === true)
    return `The document asks for \`${first}\`, a signature of each request, which vitrine cannot make: let a proxy that signs stand before the API, and give its address. Where the API takes another credential`;
  const kind = scheme?.type === "http" ? ` (HTTP ${scheme.scheme})` : "";
  return `The document asks for \`${first}\`${kind}, which a curation cannot send. Where the API takes another credential`;
}

/** The fewest schemes that let in wherever something is asked for, the simplest first. */
function chooseSchemes(asked: readonly (readonly (readonly string[])[])[], schemes: Api["securitySchemes"]): string[] {
  const chosen = new Set<string>();
  const costOf = (names: readonly string[]) =>
    names.reduce((sum, one) => sum + (chosen.has(one) ? 0 : rankScheme(schemes.get(one))), 0);
  const often = new Map<string, number>();
  for (const one of asked) for (const name of new Set(one.flat())) often.set(name, (often.get(name) ?? 0) + 1);
  const rarity = (names: readonly string[]) =>
    names.reduce((sum, one) => sum + 1 - (often.get(one) ?? 0) / asked.length, 0);
  for (const alternatives of asked) {
    const ranked = alternatives.toSorted((a, b) => costOf(a) + rarity(a) * 3 - (costOf(b) + rarity(b) * 3));
    for (const name of ranked[0] ?? []) chosen.add(name);
  }
  return [...chosen];
}

function rankScheme(scheme: SecurityScheme | undefined): number {
  switch (scheme?.type) {
    case "apiKey":
      return scheme.signs === true ? 30 : scheme.in === "header" ? 1 : 3;
    case "http":
      return scheme.scheme === "bearer" ? 1 : scheme.scheme === "basic" ? 2 : 30;
    case "oauth2":
    case "openIdConnect":
      return 2;
    case "mutualTLS":
    case undefined:
      return 30;
    default:
      return scheme satisfies never;
  }
}

function credentialOf(
  scheme: SecurityScheme | undefined,
  name: string,
): { readonly entry?: JsonObject; readonly env: Access["env"] } {
  const token = { name: `${name}_TOKEN`, holds: "a token that may only read" };
  switch (scheme?.type) {
    case "apiKey":
      if (scheme.signs === true) return { env: [] };
      return {
        entry: { apiKey: `\${env.${name}_KEY}` },
        env: [
          {
            name: `${name}_KEY`,
            holds:
              scheme.name.toLowerCase() === "authorization"
                ? "the whole Authorization header, with a key that may only read"
                : "a key that may only read",
          },
        ],
      };
    case "http":
      if (scheme.scheme === "bearer") return { entry: { bearer: `\${env.${token.name}}` }, env: [token] };
      if (scheme.scheme !== "basic") return { env: [] };
      return {
        entry: { basic: { username: `\${env.${name}_USER}`, password: `\${env.${name}_PASSWORD}` } },
        env: [
          { name: `${name}_USER`, holds: "the user's name, or the first half of a key" },
          { name: `${name}_PASSWORD`, holds: "the password, or the second half" },
        ],
      };
    case "oauth2":
    case "openIdConnect":
      return { entry: { bearer: `\${env.${token.name}}` }, env: [token] };
    case "mutualTLS":
    case undefined:
      return { env: [] };
    default:
      return scheme satisfies never;
  }
}
