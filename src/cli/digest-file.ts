import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** SHA-256 of a file's bytes in hex; undefined where it cannot be read. */
export function digestFile(path: string): string | undefined {
  try {
    return digest(readFileSync(path));
  } catch {
    return undefined;
  }
}

export function digest(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
