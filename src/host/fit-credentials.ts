import type { Credential } from "../model/credential.ts";
import type { Upstream } from "../model/tool.ts";
import type { KeyEntry } from "./hosting.ts";

/** What is wrong with the credential of a key for one of the curation's schemes. */
export interface Unfit {
  readonly scheme: string;
  readonly why: "unknown_scheme" | "no_place" | "not_a_key";
}

/**
 * The credentials of a key, each in place of the curation's own of the same scheme: an API key that does not say where it is sent goes where that one
 * goes.
 */
export function fitCredentials(
  own: Upstream["credentials"],
  given: KeyEntry["credentials"],
): { readonly credentials: Upstream["credentials"]; readonly unfit: readonly Unfit[] } {
  const unfit: Unfit[] = [];
  const credentials = given.flatMap(({ scheme, credential }): Upstream["credentials"] => {
    const replaced = own.find((one) => one.scheme === scheme)?.credential;
    if (replaced === undefined) unfit.push({ scheme, why: "unknown_scheme" });
    if (credential.kind !== "apiKey" && scheme !== DEFAULT && isKeyElsewhere(replaced))
      unfit.push({ scheme, why: "not_a_key" });
    if (credential.kind !== "apiKey" || "in" in credential) return [{ scheme, credential }];
    if (replaced?.kind === "apiKey") return [{ scheme, credential: { ...replaced, value: credential.value } }];
    if (replaced !== undefined) unfit.push({ scheme, why: "no_place" });
    return [];
  });
  return { credentials, unfit };
}

/** Of operations for which the document asks for none: any kind may be what they take. */
const DEFAULT = "default";

/** An API key that is not the whole of Authorization, where a bearer token and a user with a password go. */
function isKeyElsewhere(own: Credential | undefined): boolean {
  return own?.kind === "apiKey" && !(own.in === "header" && own.name.toLowerCase() === "authorization");
}
