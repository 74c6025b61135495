import { fstat, type Stats, stat } from "node:fs";
import { promisify } from "node:util";
import type { OpenedFile } from "./open-to-append.ts";
import { rotateFiles } from "./rotate-files.ts";

const statOpened = promisify(fstat);
const statNamed = promisify(stat);

/** How often it is looked whether another file stands under the name. */
export const LOOK_EVERY_MS = 1_000;

export interface Looked {
  /** It is the file of that name, and may grow further. */
  readonly isCurrent: boolean;
  /** It was removed, with what was written to it since it was last looked at. */
  readonly isLost: boolean;
  /** Why it cannot be put aside, though it has grown to its bound. */
  readonly stuck?: unknown;
}

const KEPT: Looked = { isCurrent: true, isLost: false };
const PUT_ASIDE: Looked = { isCurrent: false, isLost: false };

/** What has become of a file since it was opened; one that has grown to its bound is put aside. Never rejects. */
export async function lookAfter(path: string, file: OpenedFile, maxBytes: number): Promise<Looked> {
  if (file.kind !== "file") return KEPT;
  file.isDue = false;
  const now = await statOpened(file.fd).catch(() => undefined);
  if (now === undefined) return PUT_ASIDE;
  if (now.nlink === 0) return { isCurrent: false, isLost: true };
  markSeen(file, now, performance.now());
  if (now.size >= maxBytes) {
    const rotation = await rotateFiles(path, now);
    if (rotation.isAside) return PUT_ASIDE;
    if (rotation.error !== undefined) return { ...KEPT, stuck: rotation.error };
  }
  if (performance.now() - file.lookedAt < LOOK_EVERY_MS) return KEPT;
  file.lookedAt = performance.now();
  const named = await statNamed(path).catch(() => undefined);
  return named !== undefined && isSame(named, now) ? KEPT : PUT_ASIDE;
}

/** What was written until now stands where it can be read. */
export function markSeen(file: OpenedFile, { size }: Stats, at: number): void {
  file.seenAt = at;
  file.bytes = size;
  file.unseen = [];
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
