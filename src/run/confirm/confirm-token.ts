import { CONFIRM_TTL_MS } from "../../model/used-once.ts";
import type { CursorKeys } from "../cursor/cursor-keys.ts";
import { sealText, unsealText } from "../cursor/seal-text.ts";

/** All that a confirmation holds. */
export interface Confirmation {
  /** Nobody can guess it: it is used once, and keys of the requests come of it. */
  readonly id: string;
  /** The moment at which relative defaults were resolved. */
  readonly now: Date;
  /** When it was made. */
  readonly made: Date;
  /** Who was asked: a person by elicitation, or the caller by a reply. Neither counts for the other. */
  readonly asked: "person" | "caller";
  /** Digest of the call (see `digest-confirmed`). */
  readonly call: string;
  /** Digest of the requests that were shown. */
  readonly requests: string;
  /** See `UsedOnce`. */
  readonly mark: string;
}

/** Ours are shorter; nothing that is longer is worth decrypting. */
const LONGEST = 1000;

export function sealConfirmation(keys: CursorKeys, one: Confirmation): string {
  const { id, now, made, asked, call, requests, mark } = one;
  return sealText(keys, JSON.stringify([id, now.getTime(), made.getTime(), asked, call, requests, mark]));
}

/** What a token holds; undefined for a text that none of these keys has sealed. */
export function unsealConfirmation(keys: CursorKeys, token: string): Confirmation | undefined {
  const text = token.length > LONGEST ? undefined : unsealText(keys, token.trim());
  if (text === undefined) return undefined;
  const [id, now, made, asked, call, requests, mark = ""] = JSON.parse(text) as [
    string,
    number,
    number,
    Confirmation["asked"],
    string,
    string,
    string?,
  ];
  return { id, now: new Date(now), made: new Date(made), asked, call, requests, mark };
}

export function expiryOf({ made }: Confirmation): Date {
  return new Date(made.getTime() + CONFIRM_TTL_MS);
}
