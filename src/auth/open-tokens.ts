import { createHash } from "node:crypto";
import type { Ending } from "../model/ending.ts";
import { explainNoToken } from "./explain-no-token.ts";
import { type ClientWay, fetchToken, type Token, type TokenGrant, type TokenSending } from "./fetch-token.ts";

export interface HeldToken {
  readonly value: string;
  /** To be told that the upstream refused it with 401: true where another one may do. */
  refused(): boolean;
}

export interface Tokens {
  /** A token for a grant: one that is kept, else one that is fetched, once for all who wait. Throws ToolError, and the signal's reason. */
  take(grant: TokenGrant, taking: Taking): Promise<HeldToken>;
}

type Taking = TokenSending & { readonly signal: Ending };

interface Entry {
  token?: Token | undefined;
  fetching?: Promise<Token> | undefined;
  /** How the endpoint knew us the last time. */
  way?: ClientWay | undefined;
  /** The last token was given up because the upstream refused it. */
  isGivenUp: boolean;
  /** Until then a 401 is not the token's fault: the upstream refused the one that came for a refused one, too. */
  quietUntil: number;
}

const QUIET_MS = 30_000;
const MOST_ENTRIES = 1_000;

/** Access tokens by token endpoint, client, caller and scopes, renewed a little before they expire. */
export function openTokens(now: () => number, mostEntries = MOST_ENTRIES): Tokens {
  const entries = new Map<string, Entry>();
  return {
    async take(grant, taking) {
      const entry = findEntry(grant, entries, mostEntries);
      const kept = entry.token;
      if (kept !== undefined && now() < kept.renewAt) return hold(entry, kept, false, now);
      try {
        entry.fetching ??= startFetching(entry, grant, taking, now);
        const token = await unlessAborted(entry.fetching, taking.signal);
        return hold(entry, token, true, now);
      } catch (error) {
        if (taking.signal.aborted) throw taking.signal.reason;
        // Renewing comes early so that an endpoint that is down for a moment costs no call.
        if (kept !== undefined && kept === entry.token && now() < kept.expiresAt) return hold(entry, kept, false, now);
        throw explainNoToken(error, new URL(grant.tokenUrl).host, grant.subjectToken !== undefined);
      }
    },
  };
}

function findEntry(grant: TokenGrant, entries: Map<string, Entry>, mostEntries: number): Entry {
  const key = keyOf(grant);
  const entry = entries.get(key) ?? { isGivenUp: false, quietUntil: 0 };
  // The one that was used longest ago is first.
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest);
  return entry;
}

function keyOf({ subjectToken, scopes, ...grant }: TokenGrant): string {
  const { tokenUrl, clientId = null, clientSecret = null, audience = null, resource = null } = grant;
  // A caller's token is kept nowhere longer than the caller is here.
  const subject = subjectToken === undefined ? null : createHash("sha256").update(subjectToken).digest("base64");
  return JSON.stringify([tokenUrl, clientId, clientSecret, scopes.toSorted(), audience, resource, subject]);
}

/** It runs to its own end whoever stops waiting: others may wait for it, and the next call can use what it brings. */
function startFetching(entry: Entry, grant: TokenGrant, sending: TokenSending, now: () => number): Promise<Token> {
  entry.isGivenUp &&= entry.token === undefined;
  const fetching = fetchToken(grant, entry.way, sending, now)
    .then(({ token, way }) => {
      entry.token = token;
      entry.way = way;
      return token;
    })
    .catch((error: unknown) => {
      entry.way = undefined;
      throw error;
    })
    .finally(() => {
      entry.fetching = undefined;
    });
  fetching.catch(() => {});
  return fetching;
}

function hold(entry: Entry, token: Token, isNew: boolean, now: () => number): HeldToken {
  return {
    value: token.value,
    refused: () => {
      // Another one would fare no better than one that has just been fetched.
      if (isNew) {
        if (entry.isGivenUp) entry.quietUntil = now() + QUIET_MS;
        return false;
      }
      if (now() < entry.quietUntil) return false;
      if (entry.token === token) {
        entry.token = undefined;
        entry.isGivenUp = true;
      }
      return true;
    },
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: Ending): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
