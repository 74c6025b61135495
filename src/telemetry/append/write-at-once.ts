import { fstatSync, type Stats, statSync, writeSync } from "node:fs";
import { LOOK_EVERY_MS } from "./look-after.ts";
import type { OpenedFile } from "./open-to-append.ts";
import { takeBack } from "./take-back.ts";

/** What a write to the system's memory takes on no machine that is not overloaded; after one that did, none is waited for, for a while. */
const SLOW_MS = 100;
const SLOW_FOR_MS = 10_000;

/**
 * Writes lines before anything else happens, so that they stand even where the process is killed the moment after; only where the file system is of
 * this machine, and has been quick. Gives how many stand in the file: the others are to be written in the other way, which finds out why.
 */
export function writeAtOnce(path: string, file: OpenedFile, lines: readonly string[], maxBytes: number): number {
  const start = performance.now();
  if (!file.isLocal || file.isDue || file.torn || start < file.slowUntil) return 0;
  const text = lines.length === 1 ? (lines[0] ?? "") : lines.join("");
  const written = writeText(file.fd, text);
  if (written < Buffer.byteLength(text)) return takeBack(path, file, Buffer.from(text).subarray(0, written));
  const stats = statOpened(file.fd);
  const end = performance.now();
  if (end - start > SLOW_MS) file.slowUntil = end + SLOW_FOR_MS;
  file.isDue =
    stats === undefined ||
    stats.nlink === 0 ||
    stats.size >= maxBytes ||
    (end - file.lookedAt > LOOK_EVERY_MS && isOther(path, file, stats.ino));
  // What was written to a file that is removed nobody will read.
  return stats?.nlink === 0 ? 0 : lines.length;
}

function writeText(fd: number, text: string): number {
  try {
    return writeSync(fd, text);
  } catch {
    return 0;
  }
}

function statOpened(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

function isOther(path: string, file: OpenedFile, ino: number): boolean {
  file.lookedAt = performance.now();
  const isSame = statNamed(path)?.ino === ino;
  // Looked at again where it can be let go.
  if (!isSame) file.lookedAt = Number.NEGATIVE_INFINITY;
  return !isSame;
}

function statNamed(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
