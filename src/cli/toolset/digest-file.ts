import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync, realpathSync, statSync } from "node:fs";
import type { SpecFile } from "../../model/api.ts";

/** SHA-256 of a file's bytes in hex; undefined where it cannot be read. What is no plain file may never end, so it is not opened. */
export function digestFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? digestWhole(path) : undefined;
  } catch {
    return undefined;
  }
}

// Through one small buffer: room for the whole of a large file takes the system as long to give as the hashing takes.
function digestWhole(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(file, buffer);
      hash.update(buffer.subarray(0, bytes));
    }
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

const BUFFER_BYTES = 256 * 1024;

/** Whether a file is as it was when it was read or looked for. One that leads elsewhere now is not opened. */
export function isUnchanged(file: SpecFile): boolean {
  if (file.real !== undefined && realPath(file.path) !== file.real) return false;
  return !isInside(file) || digestFile(file.path) === file.sha256;
}

/** Whether the file may be opened, as far as was known when it was looked for. */
export function isInside({ sha256, real }: SpecFile): boolean {
  return real === undefined || sha256 !== undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The same as `digestFile` in pieces, so that who serves meanwhile is not held up by a large file. */
export async function digestSlowly(path: string): Promise<string | undefined> {
  try {
    if (!statSync(path).isFile()) return undefined;
    const hash = createHash("sha256");
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Uint8Array);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

const PIECE_BYTES = 1_000_000;

/** The same as `isUnchanged` in pieces, likewise. */
export async function isUnchangedSlowly(file: SpecFile): Promise<boolean> {
  if (file.real !== undefined && realPath(file.path) !== file.real) return false;
  return !isInside(file) || (await digestSlowly(file.path)) === file.sha256;
}

export function digest(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
