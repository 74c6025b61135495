import { createHash } from "node:crypto";
import type { SchemeCredential } from "../model/credential.ts";
import { MissingSetting } from "../model/errors.ts";
import type { Identity, ResolvedUpstream } from "../model/exchange.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Pin, Toolset } from "../model/tool.ts";
import { evaluateValue } from "./expressions/evaluate.ts";
import { createSecretHider, type SecretHider } from "./hide-secrets.ts";
import { resolveUpstream } from "./resolve-upstream.ts";

/** What one caller leads to: the upstream with its credentials, the pins' values, and what hides the secrets among them. */
export interface Access {
  readonly upstream: ResolvedUpstream;
  readonly pins: JsonObject;
  readonly hider: SecretHider;
  /** Of its credentials: connections are shared by those who have the same. */
  readonly pool: string;
}

/** Reads `env` and `key` for a toolset. Throws `MissingSetting` where one that is needed is unset: its message names it, never a value. */
export function openAccess(
  toolset: Toolset,
  env: Readonly<Record<string, string | undefined>>,
  { key, credentials = [], subjectToken }: Identity,
): Access {
  const own = layOver(toolset.upstream.credentials, credentials);
  const upstream = resolveUpstream({ ...toolset.upstream, credentials: own }, env, key);
  const pins = Object.fromEntries(toolset.pins.map((pin) => [pin.name, resolvePin(pin, env, key)]));
  const secrets = [...upstream.secrets, ...(subjectToken === undefined ? [] : [subjectToken])];
  return { upstream, pins, hider: createSecretHider(secrets), pool: poolOf(upstream, subjectToken) };
}

function layOver(own: readonly SchemeCredential[], given: readonly SchemeCredential[]): readonly SchemeCredential[] {
  return own.map((one) => given.find(({ scheme }) => scheme === one.scheme) ?? one);
}

function poolOf({ headers, credentials }: ResolvedUpstream, subjectToken: string | undefined): string {
  const exchanges = [...credentials.values()].some(({ kind }) => kind === "tokenExchange");
  const shown = [headers, [...credentials], exchanges ? (subjectToken ?? null) : null];
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url");
}

/** A pin without a value would let a caller see everything, so there is no call without it. */
function resolvePin(pin: Pin, env: Readonly<Record<string, string | undefined>>, key: JsonObject): Json {
  const value = evaluateValue(pin.value, { input: {}, pins: {}, env, key });
  if (value !== null && value !== "") return value;
  throw new MissingSetting(`The pin \`${pin.name}\` has no value: what it is read from is not set.`);
}
