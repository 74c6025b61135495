import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { PageCalls } from "../../web/page-data.ts";
import { type CallEvent, readCallEvent } from "../report/call-event.ts";
import { type NumberedLine, splitLines } from "../report/split-lines.ts";
import { type Call, countCalls } from "./count-calls.ts";

/** What is asked of an events file. */
export interface CallsJob {
  readonly file: string;
  /** Names of tools. */
  readonly names: ReadonlySet<string>;
}

/** What stands in lines. */
interface Counted {
  readonly calls: Call[];
  lost: number;
  faulty: number;
}

/** What was read of a file until now. */
interface Known extends Counted {
  readonly ino: number;
  /** A number is given anew where a file was removed. */
  readonly birthtimeMs: number;
  /** Where the line begins that is read next. */
  end: number;
}

/** Reads the charts off one events file after another time; what was read before is kept, so that only what was added is read. One at a time. */
export function openCallsReader(): (job: CallsJob) => Promise<PageCalls> {
  let known: Known | undefined;
  let before: Promise<unknown> = Promise.resolve();
  const read = async ({ file, names }: CallsJob): Promise<PageCalls> => {
    const named = await stat(file).catch(() => undefined);
    // What is read off a pipe is gone for whoever reads it, and a device may have no end.
    const found = named?.isFile() ? named : undefined;
    if (found === undefined) known = undefined;
    else if (known === undefined || !isSame(known, found) || found.size < known.end)
      known = { ino: found.ino, birthtimeMs: found.birthtimeMs, end: 0, ...nothing() };
    const { calls, lost, faulty } = known === undefined ? nothing() : await readOn(file, known);
    const isPart = found !== undefined && existsSync(`${file}.1`);
    return { ...countCalls(calls, (name) => names.has(name)), lost, faulty, isPart };
  };
  return (job) => {
    const reading = before.then(() => read(job));
    before = reading.catch(() => {});
    return reading;
  };
}

function isSame(one: Pick<Known, "ino" | "birthtimeMs">, other: Pick<Known, "ino" | "birthtimeMs">): boolean {
  return one.ino === other.ino && one.birthtimeMs === other.birthtimeMs;
}

function nothing(): Counted {
  return { calls: [], lost: 0, faulty: 0 };
}

/** Gives all that stands in the file, also in its last line where that has no end yet: it is read again. */
async function readOn(file: string, known: Known): Promise<Counted> {
  const last = nothing();
  try {
    for await (const lines of splitLines(file, known.end)) {
      for (const line of lines) {
        take(line, line.end === undefined ? last : known);
        known.end = line.end ?? known.end;
      }
    }
  } catch (error) {
    if (!isOfSystem(error)) throw error;
  }
  return {
    calls: [...known.calls, ...last.calls],
    lost: known.lost + last.lost,
    faulty: known.faulty + last.faulty,
  };
}

function take({ text }: NumberedLine, into: Counted): void {
  const read = text === undefined ? undefined : readCallEvent(text);
  if (read === undefined || read.kind === "fault") into.faulty += 1;
  else if (read.kind === "event") {
    into.calls.push(callOf(read.event));
    into.lost += read.event.lost ?? 0;
  }
}

function callOf(event: CallEvent): Call {
  const { tool, ts, latency_ms: ms, outcome, bytes_out: bytesOut, bytes_upstream: bytesUpstream } = event;
  return {
    tool,
    at: Date.parse(ts),
    ms,
    isOk: outcome === "ok",
    isAnswered: outcome === "ok" || outcome === "tool_error",
    bytesOut: bytesOut ?? 0,
    bytesUpstream: bytesUpstream ?? 0,
  };
}

/** It says that the file cannot be read: so nothing is told of it. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code));
}
