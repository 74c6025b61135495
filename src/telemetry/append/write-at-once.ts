import { fstatSync, type Stats, statSync, writeSync } from "node:fs";
import { LOOK_EVERY_MS, markSeen } from "./look-after.ts";
import type { OpenedFile } from "./open-to-append.ts";
import { takeBack } from "./take-back.ts";

/** What a write to the system's memory takes on no machine that is not overloaded; after one that did, none is waited for, for a while. */
const SLOW_MS = 100;
const SLOW_FOR_MS = 10_000;
/** To look costs half of what it costs to write a line. Until then the lines are kept. */
const SEE_EVERY_MS = 20;

/**
 * Writes lines before anything else happens, so that they stand even where the process is killed the moment after; only where the file system is of
 * this machine, and has been quick. Gives how many stand in the file: the others are to be written in the other way, which finds out why.
 */
export function writeAtOnce(path: string, file: OpenedFile, lines: readonly string[], maxBytes: number): number {
  const start = performance.now();
  if (!file.isLocal || file.isDue || file.torn || start < file.slowUntil) return 0;
  const text = lines.length === 1 ? (lines[0] ?? "") : lines.join("");
  const bytes = Buffer.byteLength(text);
  const written = writeText(file.fd, text);
  const stand = written < bytes ? takeBack(path, file, Buffer.from(text).subarray(0, written)) : lines.length;
  const end = performance.now();
  if (end - start > SLOW_MS) file.slowUntil = end + SLOW_FOR_MS;
  file.bytes += bytes;
  const isToSee = end - file.seenAt >= SEE_EVERY_MS || file.bytes >= maxBytes;
  // What was written to a file that is removed nobody will read.
  if (isToSee && isRemoved(path, file, maxBytes, end)) return 0;
  if (!isToSee) file.unseen.push(...lines.slice(0, stand));
  return stand;
}

function isRemoved(path: string, file: OpenedFile, maxBytes: number, now: number): boolean {
  const stats = statOpened(file.fd);
  const isGone = stats?.nlink === 0;
  file.isDue =
    stats === undefined ||
    isGone ||
    stats.size >= maxBytes ||
    (now - file.lookedAt > LOOK_EVERY_MS && isOther(path, file, stats.ino));
  if (stats !== undefined && !isGone) markSeen(file, stats, now);
  return isGone;
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
