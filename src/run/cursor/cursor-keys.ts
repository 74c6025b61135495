import { hkdfSync, randomBytes } from "node:crypto";

/** A key for tokens of one purpose. */
export interface CursorKey {
  /** Tells which key a token was sealed with; says nothing of the key. */
  readonly id: Buffer;
  readonly key: Buffer;
}

/** All open a token, the first one seals. */
export type CursorKeys = readonly [CursorKey, ...CursorKey[]];

const KEY_BYTES = 32;
export const ID_BYTES = 4;

/** Without a shared secret tokens are good in this process alone, and as long as it lives. */
const OWN_SECRET = randomBytes(KEY_BYTES).toString("hex");

/** What a token is for; one of another purpose cannot be opened. */
export type Purpose = "page token" | "confirmation";

/** The keys that come of these secrets (HKDF-SHA256, RFC 5869), made when they are asked for. */
export function openCursorKeys(secrets: readonly string[], purpose: Purpose = "page token"): () => CursorKeys {
  let keys: CursorKeys | undefined;
  return () => {
    const [first = OWN_SECRET, ...others] = secrets;
    keys ??= [deriveKey(first, purpose), ...others.map((secret) => deriveKey(secret, purpose))];
    return keys;
  };
}

function deriveKey(secret: string, purpose: Purpose): CursorKey {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", `vitrine ${purpose}`, KEY_BYTES + ID_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), id: bytes.subarray(KEY_BYTES) };
}
