import { createHash } from "node:crypto";
import type { SchemeCredential } from "../model/credential.ts";
import { MissingSetting } from "../model/errors.ts";
import type { Identity, ResolvedUpstream } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
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
  const [upstream, pins] = readAll(
    () => resolveUpstream({ ...toolset.upstream, credentials: own }, env, key),
    () => resolvePins(toolset.pins, env, key),
  );
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

/** Whatever is unset of both is told at once. */
function readAll<A, B>(readOne: () => A, readOther: () => B): [A, B] {
  let one: A;
  try {
    one = readOne();
  } catch (error) {
    if (!(error instanceof MissingSetting)) throw error;
    throw new MissingSetting([error.message, ...unsetOf(readOther)].join(" "));
  }
  return [one, readOther()];
}

function unsetOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof MissingSetting ? [error.message] : [];
  }
}

function resolvePins(
  pins: readonly Pin[],
  env: Readonly<Record<string, string | undefined>>,
  key: JsonObject,
): JsonObject {
  const roots = { input: {}, pins: {}, env, key };
  const read = pins.map(({ name, value }) => [name, evaluateValue(value, roots)] as const);
  // A pin without a value would let a caller see everything, so there is no call without it.
  const unset = read.filter(([, value]) => value === null || value === "").map(([name]) => name);
  if (unset.length === 0) return Object.fromEntries(read);
  throw new MissingSetting(
    unset.map((name) => `The pin \`${name}\` has no value: what it is read from is not set.`).join(" "),
  );
}
