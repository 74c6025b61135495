import { close, constants, fstat, open, read, type Stats, statfs } from "node:fs";
import { readlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

export interface OpenedFile {
  readonly fd: number;
  readonly kind: "file" | "pipe" | "device";
  /** It ends with a piece of a line, so what comes next begins with a line feed. */
  torn: boolean;
  /** A write to it ends in the memory of this machine: it waits for no network and no other program. */
  readonly isLocal: boolean;
  /** It was removed or renamed, or has grown to its bound: it is to be looked after. */
  isDue: boolean;
  /** By `performance.now()`. */
  slowUntil: number;
  /** When it was last looked whether another file stands under its name, by `performance.now()`. */
  lookedAt: number;
  /** When it was last looked whether it is there still, and how large it is, by `performance.now()`. */
  seenAt: number;
  /** Its bytes then, and those that were written to it since. */
  bytes: number;
  /** The lines that were written to it since, which are gone where it was removed meanwhile. */
  unseen: string[];
}

const openFile = promisify(open);
const statOpened = promisify(fstat);
const readBytes = promisify(read);
const statFileSystem = promisify(statfs);

/** Without O_NONBLOCK, which not every system has, opening a pipe that nobody reads would wait for a reader. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const MODE = 0o640;

/** Opens a file, a named pipe or a device to append to it. Rejects with the system's error. */
export async function openToAppend(path: string): Promise<OpenedFile> {
  const fd = await openFile(path, FLAGS, MODE);
  const stats = await statOpened(fd);
  const kind = (await isDescriptor(path)) ? "device" : kindOf(stats);
  const torn = kind === "file" && stats.size > 0 && (await endsTorn(path, stats));
  const isLocal = kind === "file" && (await isOnLocalDisk(path));
  const now = performance.now();
  const seen = { seenAt: now, bytes: stats.size, unseen: [] };
  return { fd, kind, torn, isLocal, isDue: false, slowUntil: 0, lookedAt: now, ...seen };
}

/** By the magic numbers of Linux (statfs(2)): ext, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS; APFS and HFS+ by macOS's own. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0x1a, 0x11]);

function isOnLocalDisk(path: string): Promise<boolean> {
  return statFileSystem(path).then(
    ({ type }) => LOCAL.has(type),
    () => false,
  );
}

const MOST_LINKS = 8;

/** A name of what a process has open already, as /dev/stderr is: a file behind it is its owner's to put aside, and another one cannot take its name. */
async function isDescriptor(path: string, links = 0): Promise<boolean> {
  if (/^\/(proc|dev\/fd)\//.test(path)) return true;
  const target = links < MOST_LINKS ? await readlink(path).catch(() => undefined) : undefined;
  return target !== undefined && isDescriptor(resolve(dirname(path), target), links + 1);
}

function kindOf(stats: Stats): OpenedFile["kind"] {
  if (stats.isFile()) return "file";
  return stats.isFIFO() ? "pipe" : "device";
}

/** Another process that is writing a long piece has ended it by then. */
const SETTLED_MS = 100;
const MOST_LOOKS = 10;

/**
 * Whether a file ends with a piece of a line, which a process that was killed may have left. While others write to it its end is now and then within a
 * line, so only one that stays counts. A file that cannot be read, or was put aside just now, is taken to be whole.
 */
async function endsTorn(path: string, { ino, dev }: Stats): Promise<boolean> {
  try {
    const fd = await openFile(path, "r");
    try {
      let before = -1;
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const now = await statOpened(fd);
        if (now.ino !== ino || now.dev !== dev || now.size === 0) return false;
        const { bytesRead, buffer } = await readBytes(fd, Buffer.alloc(1), 0, 1, now.size - 1);
        if (bytesRead !== 1 || buffer[0] === 0x0a) return false;
        if (now.size === before) return true;
        before = now.size;
        await wait(SETTLED_MS);
      }
    } finally {
      close(fd);
    }
  } catch {}
  return false;
}
