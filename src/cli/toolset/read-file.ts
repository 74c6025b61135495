import { closeSync, openSync, readSync } from "node:fs";
import { UnreadableInput } from "../../model/errors.ts";
import { digest } from "./digest-file.ts";

const MAX_BYTES = 4_000_000;

const REASONS = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read"],
]);

/** What the system's code says of a file, a phrase. */
export function whyUnreadable(code: string): string {
  return REASONS.get(code) ?? `it cannot be read (${code})`;
}

/** A small text file of the user's, as UTF-8 without a byte order mark, and the hash of its bytes. Throws `UnreadableInput`. */
export function readFile(file: string): { readonly text: string; readonly sha256: string } {
  const { bytes, sha256 } = readFileBytes(file);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), sha256 };
  } catch {
    throw new UnreadableInput(`${file}: not UTF-8 text.`);
  }
}

/** The same of a file that need not be text. Throws `UnreadableInput`. */
export function readFileBytes(file: string): { readonly bytes: Uint8Array; readonly sha256: string } {
  const bytes = readBytes(file);
  if (bytes.byteLength > MAX_BYTES) throw new UnreadableInput(`${file}: larger than ${MAX_BYTES} bytes.`);
  return { bytes, sha256: digest(bytes) };
}

// Chunk by chunk and never more than one byte over the bound: a device has no end.
function readBytes(file: string): Buffer {
  try {
    const descriptor = openSync(file, "r");
    try {
      return readUpTo(descriptor, MAX_BYTES + 1);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UnreadableInput(`${file}: ${whyUnreadable(code)}.`, { cause: error });
  }
}

function readUpTo(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  for (let left = most; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, 64 * 1024));
    const bytes = readSync(descriptor, chunk);
    if (bytes === 0) break;
    chunks.push(chunk.subarray(0, bytes));
    left -= bytes;
  }
  return Buffer.concat(chunks);
}
