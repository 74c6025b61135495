import { counted } from "../../model/counted.ts";
import type { EventTable } from "./open-events.ts";
import { printable } from "./printable.ts";
import type { Reading } from "./read-events.ts";
import { type Group, type Key, summarize } from "./summarize.ts";

/** What the calls of some files come to. */
export interface Overview {
  /** All calls; undefined where there is none. */
  readonly all: Group | undefined;
  /** One section a way to count, in the order in which they are shown. */
  readonly sections: readonly Section[];
  /** `3 files, 2 events lost`. */
  readonly source: string;
}

export interface Section {
  readonly by: readonly Key[];
  readonly groups: readonly Group[];
}

export async function makeOverview(
  table: EventTable,
  reading: Reading,
  ways: readonly (readonly Key[])[],
): Promise<Overview> {
  const [all] = await summarize(table, []);
  const sections: Section[] = [];
  for (const by of ways) sections.push({ by, groups: await summarize(table, by) });
  const faulty = reading.faulty.count === 0 ? [] : [`${counted(reading.faulty.count, "line")} unreadable`];
  const lost = reading.lost === 0 ? [] : [`${counted(reading.lost, "event")} lost`];
  return { all, sections, source: [counted(reading.files, "file"), ...faulty, ...lost].join(", ") };
}

/** What a group is called, one text a column of `headOf`. */
export function namesOf(by: readonly Key[], group: Group, several: boolean): string[] {
  return by.map((key) => {
    if (key === "day") return group.day ?? "-";
    if (key === "tools_sha") return group.tools_sha == null ? "-" : printable(group.tools_sha.slice(0, 12));
    const server = several && group.server != null ? `${printable(group.server)}: ` : "";
    return `${server}${group.tool == null ? "(no name)" : printable(group.tool)}`;
  });
}

const HEADS: Readonly<Record<Key, string>> = { tool: "tool", tools_sha: "list of tools", day: "day (UTC)" };

export const headOf = (by: readonly Key[]): string[] => by.map((key) => HEADS[key]);

/** Whether the calls are of more than one server, so that a tool's name alone does not tell. */
export const ofSeveralServers = (groups: readonly Group[]): boolean =>
  new Set(groups.map(({ server }) => server)).size > 1;
