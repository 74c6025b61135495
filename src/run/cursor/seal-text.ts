import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { type CursorKeys, ID_BYTES } from "./cursor-keys.ts";

const VERSION = 1;
const HEAD_BYTES = 1 + ID_BYTES;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** base64url of version, key ID, IV, ciphertext and tag (AES-256-GCM, NIST SP 800-38D), the first two authenticated with the rest. */
export function sealText([{ id, key }]: CursorKeys, text: string): string {
  const head = Buffer.concat([Buffer.of(VERSION), id]);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(head);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([head, iv, sealed, cipher.getAuthTag()]).toString("base64url");
}

/** How long the seal of a text is. */
export function measureSeal(text: string): number {
  const bytes = HEAD_BYTES + IV_BYTES + Buffer.byteLength(text) + TAG_BYTES;
  return Math.ceil((bytes * 4) / 3);
}

/** What was sealed; undefined for a text that none of these keys has sealed, to the last bit. */
export function unsealText(keys: CursorKeys, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  // Decoding is lenient: what is not written exactly so is not ours.
  if (bytes.toString("base64url") !== sealed || bytes.byteLength <= HEAD_BYTES + IV_BYTES + TAG_BYTES) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head[0] !== VERSION) return undefined;
  const found = keys.find(({ id }) => id.equals(head.subarray(1)));
  if (found === undefined) return undefined;
  const iv = bytes.subarray(HEAD_BYTES, HEAD_BYTES + IV_BYTES);
  const decipher = createDecipheriv(CIPHER, found.key, iv, { authTagLength: TAG_BYTES }).setAAD(head);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const inner = bytes.subarray(HEAD_BYTES + IV_BYTES, -TAG_BYTES);
  try {
    return decipher.update(inner, undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
