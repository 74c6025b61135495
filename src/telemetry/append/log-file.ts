import { close, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { lookAfter } from "./look-after.ts";
import { type OpenedFile, openToAppend } from "./open-to-append.ts";
import { takeBack } from "./take-back.ts";
import { writeAtOnce } from "./write-at-once.ts";

/** A file that several processes may append to. */
export interface LogFile {
  /** Writes the lines, each with its line feed, or the first of them, in one piece: those of other processes stay whole. Never rejects. */
  append(lines: readonly string[]): Promise<Appended>;
  /** The same before it returns, where the file is open and that takes no time. Gives how many of the lines stand in the file. Never throws. */
  appendAtOnce(lines: readonly string[]): number;
  /** As far as that goes at once; for the end of a process. Never throws. */
  appendNow(lines: readonly string[]): void;
  /** So many of the lines that were said to stand may not: the file may have been removed since it was last looked at. `append` finds out, and writes them again. */
  unsure(): number;
  close(): void;
}

export interface Appended {
  /** So many of the lines stand in the file. */
  readonly written: number;
  /** Why it takes no more at present, a phrase. */
  readonly trouble?: string;
}

const closeFile = promisify(close);
const writeBytes = promisify(write);

/** What a pipe takes in one piece or not at all: PIPE_BUF of Linux; POSIX asks for 512. */
const PIPE_BYTES = 4_096;

/**
 * Opens the file when something is written, and again where it was removed, renamed, put aside, or gave trouble. `tellStuck` hears once, where it cannot
 * be put aside and grows on, why: a phrase.
 */
export function openLogFile(path: string, maxBytes: number, tellStuck?: (reason: string) => void): LogFile {
  let opened: OpenedFile | undefined;
  // Said to stand, in a file that was removed.
  let owed: readonly string[] = [];
  let isStuckTold = false;
  const tellOnce = (error: unknown): void => {
    if (!isStuckTold) tellStuck?.(reasonOf(error));
    isStuckTold = true;
  };
  const letGo = async (): Promise<void> => {
    const fd = opened?.fd;
    opened = undefined;
    if (fd !== undefined) await closeFile(fd).catch(() => {});
  };
  const appendTo = async (file: OpenedFile, lines: readonly string[]): Promise<Appended> => {
    const taken = file.kind === "pipe" ? countFitting(lines, PIPE_BYTES) : lines.length;
    const bytes = Buffer.from(`${file.torn ? "\n" : ""}${lines.slice(0, taken).join("")}`);
    const { bytesWritten } = await writeBytes(file.fd, bytes);
    if (bytesWritten < bytes.byteLength) {
      const whole = takeBack(path, file, bytes.subarray(0, bytesWritten));
      return { written: whole, trouble: "no space is left for a whole line" };
    }
    file.torn = false;
    return { written: taken };
  };
  const appendWithOwed = async (file: OpenedFile, lines: readonly string[]): Promise<Appended> => {
    const all = [...owed, ...lines];
    const appended = await appendTo(file, all);
    if (file.kind === "file") file.unseen.push(...all.slice(0, appended.written));
    const paid = Math.min(appended.written, owed.length);
    owed = owed.slice(paid);
    return { ...appended, written: appended.written - paid };
  };
  return {
    async append(lines) {
      try {
        opened ??= await openToAppend(path);
        // It may be closed meanwhile.
        const file = opened;
        const appended = await appendWithOwed(file, lines);
        const { isCurrent, isLost, stuck } = await lookAfter(path, file, maxBytes);
        if (stuck !== undefined) tellOnce(stuck);
        if (!isCurrent) await letGo();
        if (!isLost) return appended;
        // What was written to a file that is removed nobody will read.
        owed = file.unseen.slice(0, file.unseen.length - appended.written);
        opened = await openToAppend(path);
        return await appendWithOwed(opened, lines);
      } catch (error) {
        const code = codeOf(error);
        // A pipe that is full stays open, for with its last writer goes what was not read yet.
        if (code !== "EAGAIN") await letGo();
        return { written: 0, trouble: reasonOf(error) };
      }
    },
    appendAtOnce: (lines) => (opened === undefined || owed.length > 0 ? 0 : writeAtOnce(path, opened, lines, maxBytes)),
    appendNow(lines) {
      if (opened === undefined) return;
      try {
        writeSync(opened.fd, `${opened.torn ? "\n" : ""}${[...owed, ...lines].join("")}`);
      } catch {}
    },
    unsure: () => owed.length + (opened?.unseen.length ?? 0),
    close: () => void letGo(),
  };
}

/** How many of the lines fit, one at least. */
function countFitting(lines: readonly string[], most: number): number {
  let bytes = 0;
  const over = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line);
    return bytes > most;
  });
  return over === -1 ? lines.length : Math.max(1, over);
}

const TROUBLE: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "no space is left"],
  ["EDQUOT", "the quota is used up"],
  ["EFBIG", "it has reached the largest size that is allowed"],
  ["EROFS", "the file system is read-only"],
  ["EACCES", "permission is denied"],
  ["EPERM", "permission is denied"],
  ["ENOENT", "its folder is gone"],
  ["EISDIR", "a folder stands in its place"],
  ["ENXIO", "nobody reads the pipe"],
  ["EPIPE", "nobody reads the pipe any more"],
  ["EAGAIN", "the pipe is full"],
]);

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return TROUBLE.get(code) ?? code;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
