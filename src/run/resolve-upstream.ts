import type { Credential } from "../model/credential.ts";
import { MissingSetting } from "../model/errors.ts";
import type { ResolvedCredential, ResolvedUpstream } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import type { Upstream } from "../model/tool.ts";
import type { Value } from "../model/value.ts";
import { addressSecrets, isPlainName } from "./address-secrets.ts";
import { type Environment, readSetting, type SettingRead } from "./read-setting.ts";

/**
 * `Upstream` with its `env` and `key` read. Throws `MissingSetting` where one that is needed is unset, empty or unusable: its message names each
 * such variable and what needs it, never a value.
 *
 * What is read is secret, with two exceptions that would make replies useless and protect nothing. Where the API and its token endpoint are
 * (scheme, host, port) stands in every link of the API's own answers; of a base URL only what may be a key in it is secret (see
 * `addressSecrets`). A user's or a client's name that is one plain word, for example `admin`, would be masked wherever that word stands.
 */
export function resolveUpstream(upstream: Upstream, env: Environment, key: JsonObject): ResolvedUpstream {
  const secrets = new Set<string>();
  const keep: Keep = (texts) => {
    for (const text of texts) secrets.add(text);
  };
  const unset: string[] = [];
  const read: Read = (value, use) => {
    try {
      return readSetting(value, use, { input: {}, pins: {}, env, key });
    } catch (error) {
      if (!(error instanceof MissingSetting)) throw error;
      unset.push(error.message);
      return STAND_IN;
    }
  };
  const baseUrl = upstream.baseUrl === undefined ? undefined : readUrl(upstream.baseUrl, "api.baseUrl", { read, keep });
  const credentials = new Map(
    upstream.credentials.map(({ scheme, credential }) => [
      scheme,
      resolveCredential(credential, `api.auth.${scheme}`, { read, keep, baseUrl }),
    ]),
  );
  const headers = upstream.headers.map(({ name, value }) => {
    const { text, parts } = read(value, `api.headers.${name}`);
    checkHeader(text, `api.headers.${name}`);
    keep(parts);
    return [name.toLowerCase(), text] as const;
  });
  if (unset.length > 0) throw new MissingSetting([...new Set(unset)].join(" "));
  return { ...(baseUrl !== undefined && { baseUrl }), headers, credentials, secrets: [...secrets] };
}

/** Good for every use, so that whatever else is unset is found too. It goes nowhere. */
const STAND_IN: SettingRead = { text: "https://unset.invalid/", parts: [] };

type Read = (value: Value, use: string) => SettingRead;
/** Notes texts that must never be shown. */
type Keep = (texts: readonly string[]) => void;

interface Resolving {
  readonly read: Read;
  readonly keep: Keep;
  readonly baseUrl?: string | undefined;
}

/** Of a credential everything is secret, also where it stands in the file as it is. */
function resolveCredential(credential: Credential, use: string, resolving: Resolving): ResolvedCredential {
  const { read, keep } = resolving;
  const readSecret = (value: Value, part: string): string => {
    const { text, parts } = read(value, `${use}.${part}`);
    keep([text, ...parts]);
    return text;
  };
  switch (credential.kind) {
    case "apiKey": {
      const value = readSecret(credential.value, "apiKey");
      if (credential.in === "header") checkHeader(value, `${use}.apiKey`);
      return { ...credential, value };
    }
    case "bearer": {
      const token = readSecret(credential.token, "bearer");
      checkHeader(token, `${use}.bearer`);
      return { kind: "bearer", token };
    }
    case "basic": {
      const username = read(credential.username, `${use}.basic.username`).text;
      const password = readSecret(credential.password, "basic.password");
      // Some APIs take their key as the user's name.
      if (!isPlainName(username)) keep([username]);
      keepPair(username, password, keep);
      return { kind: "basic", username, password };
    }
    case "mutualTLS":
      return credential;
    case "clientCredentials":
      return resolveClient(credential, `${use}.clientCredentials`, resolving);
    case "tokenExchange":
      return resolveExchange(credential, `${use}.tokenExchange`, resolving);
    default:
      return credential satisfies never;
  }
}

type Extracted<K extends Credential["kind"]> = Extract<Credential, { readonly kind: K }>;

function resolveClient(
  credential: Extracted<"clientCredentials">,
  use: string,
  resolving: Resolving,
): ResolvedCredential {
  const clientId = readName(credential.clientId, `${use}.clientId`, resolving);
  const clientSecret = readClientSecret(credential.clientSecret, clientId, use, resolving);
  return { kind: "clientCredentials", clientId, clientSecret, ...resolveGrant(credential, use, resolving) };
}

function resolveExchange(
  credential: Extracted<"tokenExchange">,
  use: string,
  resolving: Resolving,
): ResolvedCredential {
  const { clientId: id, clientSecret: secret, resource } = credential;
  const clientId = id && readName(id, `${use}.clientId`, resolving);
  return {
    kind: "tokenExchange",
    ...(clientId !== undefined && { clientId }),
    ...(secret !== undefined && { clientSecret: readClientSecret(secret, clientId ?? "", use, resolving) }),
    ...(resource !== undefined && { resource: readName(resource, `${use}.resource`, resolving) }),
    ...resolveGrant(credential, use, resolving),
  };
}

function resolveGrant(
  { tokenUrl, scopes, audience }: Extracted<"clientCredentials" | "tokenExchange">,
  use: string,
  resolving: Resolving,
) {
  return {
    tokenUrl: readUrl(tokenUrl, `${use}.tokenUrl`, resolving),
    ...(scopes !== undefined && { scopes: scopes.map((scope) => readName(scope, `${use}.scopes`, resolving)) }),
    ...(audience !== undefined && { audience: readName(audience, `${use}.audience`, resolving) }),
  };
}

function readName(value: Value, use: string, { read, keep }: Resolving): string {
  const { text, parts } = read(value, use);
  keep(parts.filter((one) => !isPlainName(one) && !URL.canParse(one)));
  return text;
}

function readClientSecret(value: Value, clientId: string, use: string, { read, keep }: Resolving): string {
  const { text, parts } = read(value, `${use}.clientSecret`);
  keep([text, ...parts]);
  keepPair(clientId, text, keep);
  // RFC 6749 2.3.1: in the header both are form-encoded first.
  keepPair(formEncode(clientId), formEncode(text), keep);
  return text;
}

// RFC 9110 5.5: a field's value is made of single bytes.
function checkHeader(text: string, use: string): void {
  if (/[^\x00-\xff]/.test(text)) throw new MissingSetting(`\`${use}\` holds a character that no header can carry.`);
}

function keepPair(name: string, password: string, keep: Keep): void {
  const pair = `${name}:${password}`;
  keep([password, pair, Buffer.from(pair).toString("base64")]);
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

/** An absolute URL, where to a credential may be sent; a token endpoint may have a query (RFC 6749 3.2) and be relative to the API's base. */
function readUrl(value: Value, use: string, { read, keep, baseUrl }: Resolving): string {
  const { text, parts } = read(value, use);
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : undefined;
  const mayQuery = use !== "api.baseUrl";
  const isPlain =
    url !== undefined &&
    url.username === "" &&
    url.password === "" &&
    url.hash === "" &&
    (mayQuery || url.search === "") &&
    (url.protocol === "https:" || url.protocol === "http:");
  if (!isPlain) {
    throw new MissingSetting(
      `\`${use}\` is no absolute http or https URL without user${mayQuery ? "" : ", query"} and fragment.`,
    );
  }
  keep(addressSecrets(url, parts));
  return url.href;
}
