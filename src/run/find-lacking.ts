import type { Credential } from "../model/credential.ts";
import { expressionsOf } from "../model/expressions-of.ts";
import type { JsonObject } from "../model/json.ts";
import type { Toolset } from "../model/tool.ts";
import type { Value } from "../model/value.ts";
import { evaluateValue, type Roots } from "./expressions/evaluate.ts";

/** Who calls, as far as it decides what is read from the caller. */
export interface Asking {
  readonly key: JsonObject;
  /** Security schemes for which the caller has a credential of its own. */
  readonly schemes: ReadonlySet<string>;
  readonly hasToken: boolean;
}

/** What a caller does not have and the server cannot do without. */
export interface Lacking {
  /** By name, sorted. */
  readonly claims: readonly string[];
  /** An access token of its own, to be exchanged. */
  readonly token: boolean;
}

/** What a caller lacks to call anything: the claims of every pin and setting that has no value without them. What the environment lacks is no caller's. */
export function findLacking(
  { pins, upstream }: Pick<Toolset, "pins" | "upstream">,
  env: Readonly<Record<string, string | undefined>>,
  { key, schemes, hasToken }: Asking,
): Lacking {
  const own = upstream.credentials.filter(({ scheme }) => !schemes.has(scheme));
  const values = [
    ...pins.map(({ value }) => value),
    ...(upstream.baseUrl === undefined ? [] : [upstream.baseUrl]),
    ...upstream.headers.map(({ value }) => value),
    ...own.flatMap(({ credential }) => valuesOf(credential)),
  ];
  const roots: Roots = { input: {}, pins: {}, env, key };
  const claims = values.filter((value) => !hasValue(value, roots)).flatMap((value) => unsetClaims(value, key));
  return {
    claims: [...new Set(claims)].toSorted(),
    token: !hasToken && own.some(({ credential }) => credential.kind === "tokenExchange"),
  };
}

function hasValue(value: Value, roots: Roots): boolean {
  try {
    return !isUnset(evaluateValue(value, roots));
  } catch {
    return false;
  }
}

function unsetClaims(value: Value, key: JsonObject): readonly string[] {
  return expressionsOf(value)
    .flatMap(({ jmespath }) => [...jmespath.matchAll(/\bkey\.(?:"([^"]+)"|(\w+))/g)])
    .map(([, quoted, plain]) => quoted ?? plain ?? "")
    .filter((name) => !Object.hasOwn(key, name) || isUnset(key[name]));
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function valuesOf(credential: Credential): readonly Value[] {
  switch (credential.kind) {
    case "apiKey":
      return [credential.value];
    case "bearer":
      return [credential.token];
    case "basic":
      return [credential.username, credential.password];
    case "clientCredentials":
    case "tokenExchange": {
      const { tokenUrl, clientId, clientSecret, scopes = [], audience } = credential;
      const resource = credential.kind === "tokenExchange" ? credential.resource : undefined;
      return [tokenUrl, clientId, clientSecret, ...scopes, audience, resource].filter((value) => value !== undefined);
    }
    case "mutualTLS":
      return [];
    default:
      return credential satisfies never;
  }
}
