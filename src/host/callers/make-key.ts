import { createHash, randomBytes } from "node:crypto";

export interface NewKey {
  /** What the caller shows: `vtr_`, its public part, `_`, its secret part. Kept nowhere. */
  readonly key: string;
  /** The public part; it tells one key from another where the key itself must not stand. */
  readonly id: string;
  /** Of the whole key, in hex: what a host file holds. */
  readonly sha256: string;
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** A key that nobody has seen before: 45 bits of name, 256 of secret. */
export function makeKey(): NewKey {
  const id = `k${[...randomBytes(9)].map((byte) => BASE32[byte % 32]).join("")}`;
  const key = `vtr_${id}_${randomBytes(32).toString("base64url")}`;
  return { key, id, sha256: hashKey(key).toString("hex") };
}

/** A key is 256 random bits, so a plain digest of it cannot be guessed back. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

export function isKey(text: string): boolean {
  return text.startsWith("vtr_");
}

/** By this a key is revoked whatever it is called, and a new one of the same name is not. A colon stands in no name of a key. */
export function hashId(sha256: string): string {
  return `sha256:${sha256.toLowerCase()}`;
}
