import { createHash } from "node:crypto";
import type { OauthEntry, VerifiedCaller } from "../hosting.ts";
import type { KeySet } from "./issuer/open-issuer.ts";

/** On what the verification of a token rests: with another of these it has to be verified anew. */
export interface Grounds {
  readonly keys: KeySet;
  readonly oauth: OauthEntry;
  /** The server's URL. */
  readonly audience: string;
}

/** One that was found to be who its token says, and what the token may do. */
export interface KnownCaller extends Grounds {
  readonly caller: VerifiedCaller;
  readonly scopes: ReadonlySet<string>;
  /** Names of tokens and subjects by which it may be revoked. */
  readonly ids: readonly string[];
}

export interface KnownCallers {
  find(token: string, grounds: Grounds, now: Date): KnownCaller | undefined;
  /** Gives the one that is kept, where two came to know the same token at once. */
  keep(token: string, known: KnownCaller, now: Date): KnownCaller;
}

const MOST_KEPT = 5_000;

/** Callers by their tokens, so that each is verified once for as long as the keys that signed it stand. Tokens themselves are kept by their callers alone. */
export function keepCallers(): KnownCallers {
  const kept = new Map<string, KnownCaller>();
  const find: KnownCallers["find"] = (token, grounds, now) => {
    const digest = digestOf(token);
    const known = kept.get(digest);
    if (known === undefined) return undefined;
    kept.delete(digest);
    if (!standsOn(known, grounds) || (known.caller.expires ?? now) <= now) return undefined;
    // The one that was used longest ago is first.
    kept.set(digest, known);
    return known;
  };
  return {
    find,
    keep(token, known, now) {
      const other = find(token, known, now);
      if (other !== undefined) return other;
      kept.set(digestOf(token), known);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return known;
    },
  };
}

function standsOn(known: KnownCaller, { keys, oauth, audience }: Grounds): boolean {
  return known.keys === keys && known.oauth === oauth && known.audience === audience;
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
