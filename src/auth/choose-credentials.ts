import type { SchemeUse } from "../model/api.ts";
import type { ResolvedCredential } from "../model/exchange.ts";

export interface ChosenCredential {
  readonly credential: ResolvedCredential;
  /** That the operation asks for. */
  readonly scopes: readonly string[];
}

/**
 * The credentials of the first alternative that names schemes and can be met whole, else the credential `default`, else none (what an
 * alternative without schemes allows).
 */
export function chooseCredentials(
  security: readonly (readonly SchemeUse[])[],
  credentials: ReadonlyMap<string, ResolvedCredential>,
): readonly ChosenCredential[] {
  for (const alternative of security) {
    const chosen = alternative.flatMap(({ scheme, scopes }) => {
      const credential = credentials.get(scheme);
      return credential === undefined ? [] : [{ credential, scopes }];
    });
    // `{}` beside other alternatives says that a key is welcome and not needed: with one at hand it is used.
    if (chosen.length > 0 && chosen.length === alternative.length) return chosen;
  }
  const credential = credentials.get("default");
  return credential === undefined ? [] : [{ credential, scopes: [] }];
}
