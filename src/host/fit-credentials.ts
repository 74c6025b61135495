import type { Upstream } from "../model/tool.ts";
import type { KeyEntry } from "./hosting.ts";

/** What is wrong with the credential of a key for one of the curation's schemes. */
export interface Unfit {
  readonly scheme: string;
  readonly why: "unknown_scheme" | "no_place";
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
    if (credential.kind !== "apiKey" || "in" in credential) return [{ scheme, credential }];
    if (replaced?.kind === "apiKey") return [{ scheme, credential: { ...replaced, value: credential.value } }];
    if (replaced !== undefined) unfit.push({ scheme, why: "no_place" });
    return [];
  });
  return { credentials, unfit };
}
