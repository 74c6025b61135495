import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import type { OpenedFile } from "./open-to-append.ts";

/**
 * Mends the end of a file that took only these of the bytes that were written: the piece of a line that they end with is cut off, or where that cannot
 * be done, ended by what is written next. Gives how many whole lines stand in the file. At once, so that no other process writes meanwhile.
 */
export function takeBack(path: string, file: OpenedFile, written: Buffer): number {
  if (written.byteLength === 0) return 0;
  // A line feed that ends an older piece is no line.
  const lines = countLineFeeds(written) - (file.torn ? 1 : 0);
  const piece = written.subarray(written.lastIndexOf(0x0a) + 1);
  file.torn = piece.byteLength > 0 && !cutOff(path, file, piece);
  return lines;
}

function countLineFeeds(bytes: Buffer): number {
  return bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
}

/** Only where the file ends with just this piece: what others wrote behind it stays. */
function cutOff(path: string, { fd, kind }: OpenedFile, piece: Buffer): boolean {
  if (kind !== "file") return false;
  try {
    const reading = openSync(path, "r");
    try {
      const { size, ino, dev } = fstatSync(fd);
      const named = fstatSync(reading);
      if (named.ino !== ino || named.dev !== dev) return false;
      const tail = Buffer.alloc(piece.byteLength);
      readSync(reading, tail, 0, tail.byteLength, size - piece.byteLength);
      if (!tail.equals(piece)) return false;
      ftruncateSync(fd, size - piece.byteLength);
      return true;
    } finally {
      closeSync(reading);
    }
  } catch {
    return false;
  }
}
