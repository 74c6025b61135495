import { setTimeout as wait } from "node:timers/promises";
import { within } from "../within.ts";
import { gather } from "./gather.ts";
import type { LogFile } from "./log-file.ts";

/** A line that is to be written. */
export interface Line {
  /** Until then it, and what comes behind it, waits: undefined where there is nothing to wait for any more. Never rejects. */
  ready(): Promise<void> | undefined;
  /** With its line feed; `lost` is how many lines were lost before it. */
  text(lost: number): string;
}

export interface LineQueue {
  /**
   * Lines of one turn of the event loop are written together at its end: where it gives a promise that resolves when they stand in the file, or wait since
   * it does not take them at once. Nothing is to be waited for where lines wait already. `now`: it is done before this returns.
   */
  push(line: Line, now?: boolean): Promise<void> | undefined;
  /** Tries once more, for a moment. What is left then is lost, and that is said. */
  close(): Promise<void>;
  /** How many were lost since the start. */
  lost(): number;
}

export interface QueueOptions {
  readonly file: LogFile;
  /** Of the file, as the operator named it. */
  readonly name: string;
  note(line: string): void;
}

/** A line takes about 600 bytes. */
const MOST_WAITING = 10_000;
const MOST_AT_ONCE = 200;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const NOTE_EVERY_MS = 60_000;
const LONGEST_WAIT_MS = 5_000;
const LAST_TRY_MS = 1_000;

/** Lines on their way to a file: at once where nothing is in the way, else as soon as the file takes them. Nobody who pushes one fails, or waits for more than a turn. */
export function openLineQueue({ file, name, note }: QueueOptions): LineQueue {
  const waiting: Line[] = [];
  let [lost, lostInAll, pauseMs, notedAt] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  let isClosed = false;
  let reason = "too many wait";
  let writing: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  const complain = (): void => {
    const now = performance.now();
    if (now - notedAt < NOTE_EVERY_MS) return;
    notedAt = now;
    note(`vitrine: events cannot be written to ${name} (${reason}): ${waiting.length} wait, ${lost} are lost.`);
  };

  const render = (lines: readonly Line[]): string[] => lines.map((line, at) => line.text(at === 0 ? lost : 0));

  const writeSome = async (): Promise<boolean> => {
    await waiting[0]?.ready();
    const until = waiting.findIndex((line, at) => at === MOST_AT_ONCE || (at > 0 && line.ready() !== undefined));
    const batch = render(waiting.slice(0, until === -1 ? waiting.length : until));
    const lostBefore = lost;
    const atOnce = file.appendAtOnce(batch);
    const { written, trouble } = atOnce > 0 ? { written: atOnce } : await file.append(batch);
    waiting.splice(0, written);
    // Those that were lost meanwhile are told by a later line.
    if (written > 0) lost -= lostBefore;
    if (trouble === undefined) return true;
    reason = trouble;
    complain();
    return false;
  };

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (await writeSome()) pauseMs = 0;
      else break;
    }
    writing = undefined;
    if (waiting.length === 0 || isClosed) return;
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2);
    retry = setTimeout(() => {
      retry = undefined;
      writing = writeAll();
    }, pauseMs);
    // A file that takes nothing must not keep a finished process alive.
    retry.unref();
  };

  const writeGathered = (lines: readonly Line[]): void => {
    const unready = lines.findIndex((line) => line.ready() !== undefined);
    const written = file.appendAtOnce(render(unready === -1 ? lines : lines.slice(0, unready)));
    if (written > 0) lost = 0;
    if (written === lines.length) return;
    waiting.push(...lines.slice(written));
    writing ??= writeAll();
  };
  // While it holds any, none wait and none are being written.
  const gathered = gather(MOST_AT_ONCE, writeGathered);

  // The operator hears now of a file that cannot be written, and the first line finds it open.
  const tryFile = async (): Promise<void> => {
    const { trouble } = await file.append([]);
    if (trouble !== undefined) {
      reason = trouble;
      complain();
    }
    await writeAll();
  };
  writing = tryFile();

  // Where the process ends without closing, as when its client went away in the midst of an answer.
  const flushNow = (): void => {
    const left = [...waiting, ...gathered.drain()];
    if (writing === undefined && left.length > 0 && retry === undefined) file.appendNow(render(left));
  };
  process.once("exit", flushNow);

  return {
    push(line, now = false) {
      if (isClosed) return undefined;
      if (waiting.length >= MOST_WAITING) {
        lost += 1;
        lostInAll += 1;
        complain();
        return undefined;
      }
      if (writing !== undefined || waiting.length > 0) {
        waiting.push(line);
        return undefined;
      }
      if (!now) return gathered.add(line);
      if (gathered.size() === 0) writeGathered([line]);
      else {
        gathered.add(line);
        gathered.flush();
      }
      return undefined;
    },
    async close() {
      gathered.flush();
      isClosed = true;
      clearTimeout(retry);
      retry = undefined;
      await within(LONGEST_WAIT_MS, Promise.all(waiting.map((line) => line.ready())));
      const deadline = performance.now() + LAST_TRY_MS;
      const missing = (): number => waiting.length + file.unsure();
      for (let left = LAST_TRY_MS; missing() > 0 && left > 0; left = deadline - performance.now()) {
        writing ??= tryFile();
        await within(left, writing);
        if (missing() > 0) await wait(FIRST_PAUSE_MS);
      }
      process.off("exit", flushNow);
      lost += missing();
      lostInAll += missing();
      waiting.length = 0;
      const [events, are] = lost === 1 ? ["event", "is"] : ["events", "are"];
      if (lost > 0) note(`vitrine: ${lost} ${events} could not be written to ${name}, and ${are} lost.`);
      file.close();
    },
    lost: () => lostInAll,
  };
}
