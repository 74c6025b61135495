import { counted } from "../../model/counted.ts";
import { whyUnreadable } from "../toolset/read-file.ts";
import { type CallEvent, readCallEvent } from "./call-event.ts";
import { printable } from "./printable.ts";
import { type NumberedLine, splitLines } from "./split-lines.ts";

export interface PlacedEvent extends CallEvent {
  readonly file: string;
  readonly line: number;
}

/** What was read, and what could not be. */
export interface Reading {
  readonly files: number;
  readonly events: number;
  /** Events of other methods than tools/call, which are left out. */
  readonly others: number;
  /** Events that were never written, by what later lines say. */
  readonly lost: number;
  /** Files that cannot be read, and why. */
  readonly unreadable: readonly string[];
  /** Files without one event. */
  readonly empty: readonly string[];
  /** Lines that are no events: how many, and the first of them with the reason. */
  readonly faulty: { readonly count: number; readonly first: readonly string[] };
}

const SHOWN = 10;

/** Reads the files one after the other and hands on their events, a portion at a time. Never throws for what stands in a file. */
export async function readEvents(
  files: readonly string[],
  take: (events: readonly PlacedEvent[]) => Promise<void> | void,
): Promise<Reading> {
  let [events, others, lost, count] = [0, 0, 0, 0];
  const [unreadable, empty, first]: [string[], string[], string[]] = [[], [], []];
  for (const file of files) {
    const [before, name] = [events, printable(file) || '""'];
    try {
      for await (const lines of splitLines(file)) {
        const placed: PlacedEvent[] = [];
        for (const line of lines) {
          const read = readLine(line);
          if (read.kind === "event") placed.push({ ...read.event, file, line: line.number });
          if (read.kind === "other") others += 1;
          if (read.kind !== "fault") continue;
          count += 1;
          if (first.length < SHOWN) first.push(`${name}:${line.number}: ${read.reason}`);
        }
        events += placed.length;
        lost += placed.reduce((sum, event) => sum + (event.lost ?? 0), 0);
        if (placed.length > 0) await take(placed);
      }
      if (events === before) empty.push(name);
    } catch (error) {
      unreadable.push(`${name}: ${reasonOf(error)}`);
    }
  }
  return { files: files.length, events, others, lost, unreadable, empty, faulty: { count, first } };
}

function readLine(line: NumberedLine): ReturnType<typeof readCallEvent> {
  return line.text === undefined ? { kind: "fault", reason: line.fault } : readCallEvent(line.text);
}

/** Only for what the system says of the file: a defect of ours goes on its way. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  return whyUnreadable(code);
}

/** What is to be said of lines that are no events and of events that were lost; nothing where all is well. */
export function describeFaulty({ faulty, lost }: Reading): string[] {
  const more = faulty.count - faulty.first.length;
  return [
    ...(faulty.count > 0
      ? [`${counted(faulty.count, "line")} of the files ${faulty.count === 1 ? "is no event" : "are no events"}:`]
      : []),
    ...faulty.first.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(lost > 0
      ? [`${counted(lost, "event")} could not be written when ${lost === 1 ? "it" : "they"} happened.`]
      : []),
  ];
}
