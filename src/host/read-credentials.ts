import type { Value } from "../model/value.ts";
import type { KeyEntry } from "./hosting.ts";
import type { EnvReading } from "./read-env-text.ts";
import type { HostSettings } from "./settings.ts";

type Key = NonNullable<HostSettings["keys"]>[string];

/** The credentials of a key, with what they read of the environment. One that is not of exactly one kind is left out: `checkHostFile` tells. */
export function readCredentials(
  entries: NonNullable<Key["credentials"]>,
  at: readonly string[],
  reading: EnvReading,
): KeyEntry["credentials"] {
  return Object.entries(entries).flatMap(([scheme, { apiKey, bearer, basic }]): KeyEntry["credentials"] => {
    const read = (text: string, ...path: string[]): Value => {
      return { kind: "literal", value: reading.read(text, [...at, scheme, ...path]) };
    };
    if (typeof apiKey === "string") return [{ scheme, credential: { kind: "apiKey", value: read(apiKey, "apiKey") } }];
    if (apiKey !== undefined) {
      const { name, in: place, value } = apiKey;
      return [{ scheme, credential: { kind: "apiKey", in: place, name, value: read(value, "apiKey", "value") } }];
    }
    if (bearer !== undefined) return [{ scheme, credential: { kind: "bearer", token: read(bearer, "bearer") } }];
    if (basic === undefined) return [];
    const username = read(basic.username, "basic", "username");
    return [{ scheme, credential: { kind: "basic", username, password: read(basic.password, "basic", "password") } }];
  });
}
