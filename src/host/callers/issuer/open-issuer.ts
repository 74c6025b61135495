import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from "jose";
import type { Egress } from "../../../egress/open-egress.ts";
import { fetchKeySet } from "./fetch-key-set.ts";

/** An issuer's public keys as they were at one moment. */
export interface KeySet {
  readonly find: LocalJWKSet;
}

export interface Issuer {
  /** The keys as they are known, fetched first where none are; undefined where none can be had now. */
  keys(): Promise<KeySet | undefined>;
  /** Keys that came after these, for a token whose key is not among them; asks for them at most every 30 s. */
  newer(than: KeySet): Promise<KeySet | undefined>;
}

export interface IssuerOptions {
  readonly issuer: string;
  readonly egress: Egress;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Told why keys could not be fetched. */
  readonly failed: (error: unknown) => void;
}

const FRESH_MS = 10 * 60_000;
/** So long are keys good when the issuer gives no answer. */
const STALE_MS = 24 * 3_600_000;
const COOLDOWN_MS = 30_000;
/** Between attempts while there are no keys at all. */
export const COLD_COOLDOWN_MS = 5_000;
/** A fetch goes on, but no call waits for it any longer. */
const WAIT_MS = 1_000;
const FETCH_MS = 5_000;

/** Keeps an issuer's keys: renewed behind calls, rotated without a restart, used on while the issuer is down. */
export function openIssuer({ issuer, egress, clock, failed }: IssuerOptions): Issuer {
  let current: (KeySet & { readonly text: string }) | undefined;
  let currentAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const refresh = (): Promise<void> => {
    triedAt = clock();
    fetching ??= fetchKeySet(issuer, egress, AbortSignal.timeout(FETCH_MS))
      .then((found) => {
        const text = JSON.stringify(found);
        // What was verified by these keys stays verified.
        if (text !== current?.text) current = { ...makeKeySet(found), text };
        currentAt = clock();
      })
      .catch(failed)
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };
  const mayTry = (cooldownMs: number) => fetching === undefined && clock() - triedAt >= cooldownMs;

  return {
    async keys() {
      if (current !== undefined && clock() - currentAt >= STALE_MS) current = undefined;
      if (current === undefined) {
        if (mayTry(COLD_COOLDOWN_MS)) refresh();
        await waitFor(fetching);
      } else if (clock() - currentAt >= FRESH_MS && mayTry(COOLDOWN_MS)) refresh();
      return current;
    },
    async newer(than) {
      if (current === than && mayTry(COOLDOWN_MS)) refresh();
      if (current === than) await waitFor(fetching);
      return current === than ? undefined : current;
    },
  };
}

function makeKeySet(found: JSONWebKeySet): KeySet {
  return { find: createLocalJWKSet(found) };
}

async function waitFor(fetching: Promise<void> | undefined): Promise<void> {
  if (fetching === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  await Promise.race([fetching, late]);
  clearTimeout(timer);
}
