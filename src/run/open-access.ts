import { MissingSetting } from "../model/errors.ts";
import type { ResolvedUpstream } from "../model/exchange.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Pin, Toolset } from "../model/tool.ts";
import { evaluateValue } from "./expressions/evaluate.ts";
import { createSecretHider, type SecretHider } from "./hide-secrets.ts";
import { resolveUpstream } from "./resolve-upstream.ts";

/** What one caller's key leads to: the upstream with its credentials, the pins' values, and what hides the secrets among them. */
export interface Access {
  readonly upstream: ResolvedUpstream;
  readonly pins: JsonObject;
  readonly hider: SecretHider;
}

/** Reads `env` and `key` for a toolset. Throws `MissingSetting` where one that is needed is unset: its message names it, never a value. */
export function openAccess(
  toolset: Toolset,
  env: Readonly<Record<string, string | undefined>>,
  key: JsonObject,
): Access {
  const upstream = resolveUpstream(toolset.upstream, env, key);
  const pins = Object.fromEntries(toolset.pins.map((pin) => [pin.name, resolvePin(pin, env, key)]));
  return { upstream, pins, hider: createSecretHider(upstream.secrets) };
}

/** A pin without a value would let a caller see everything, so there is no call without it. */
function resolvePin(pin: Pin, env: Readonly<Record<string, string | undefined>>, key: JsonObject): Json {
  const value = evaluateValue(pin.value, { input: {}, pins: {}, env, key });
  if (value !== null && value !== "") return value;
  throw new MissingSetting(`The pin \`${pin.name}\` has no value: what it is read from is not set.`);
}
