import { groupDigits } from "../../model/counted.ts";
import { bytes, milliseconds, percent } from "./format-value.ts";
import { headOf, namesOf, type Overview, ofSeveralServers, type Section } from "./overview.ts";
import { printable } from "./printable.ts";
import type { Group } from "./summarize.ts";

/** A table for a person, whatever it is drawn with; its first columns name the row and read from the left. */
export interface Grid {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly names: number;
}

type Column = readonly [head: string, write: (group: Group) => string];

/** Every figure of a group; those of one call are means. */
const FIGURES: readonly Column[] = [
  ["calls", ({ calls }) => groupDigits(calls)],
  ["share", ({ share }) => percent(share)],
  ["tool errors", ({ tool_errors }) => groupDigits(tool_errors)],
  ["rate", ({ error_rate }) => percent(error_rate)],
  ["faults", ({ protocol_faults }) => groupDigits(protocol_faults)],
  ["crashes", ({ crashes }) => groupDigits(crashes)],
  ["p50 ms", ({ p50_ms }) => milliseconds(p50_ms)],
  ["p95 ms", ({ p95_ms }) => milliseconds(p95_ms)],
  ["upstream ms/call", ({ upstream_ms, calls }) => milliseconds(upstream_ms / calls)],
  ["requests/call", ({ upstream_calls, calls }) => (upstream_calls / calls).toFixed(1)],
  ["in", ({ bytes_in }) => bytes(bytes_in)],
  ["out", ({ bytes_out }) => bytes(bytes_out)],
  ["kept back", ({ bytes_kept }) => bytes(bytes_kept)],
  ["rows omitted", ({ rows_omitted }) => groupDigits(rows_omitted)],
];

/** Every figure of every group. */
export function figureGrid({ by, groups }: Section): Grid {
  const several = ofSeveralServers(groups);
  return {
    head: [...headOf(by), ...FIGURES.map(([head]) => head)],
    rows: groups.map((group) => [...namesOf(by, group, several), ...FIGURES.map(([, write]) => write(group))]),
    names: by.length,
  };
}

/** How calls failed: by tool, or of all together where tools are not counted by themselves. */
export function errorGrid({ all, sections }: Overview): Grid {
  const { by, groups } = sections.find(isByTool) ?? { by: [], groups: all === undefined ? [] : [all] };
  const several = ofSeveralServers(groups);
  const rows = groups.flatMap((group) =>
    group.errors.map(({ channel, code, calls }) => [
      ...namesOf(by, group, several),
      channel,
      code === null ? "-" : printable(code),
      groupDigits(calls),
    ]),
  );
  return { head: [...headOf(by), "failed as", "error", "calls"], rows, names: by.length + 2 };
}

/** The tools that were called again within a run, the most often in vain first. */
export function retryGrid({ sections }: Overview): Grid {
  const { groups } = sections.find(isByTool) ?? { groups: [] };
  const several = ofSeveralServers(groups);
  const rows = groups
    .filter(({ retried }) => retried > 0)
    .toSorted((a, b) => b.retried_without_success - a.retried_without_success || b.retried - a.retried)
    .map((group) => [
      ...namesOf(["tool"], group, several),
      groupDigits(group.retried),
      groupDigits(group.retried_without_success),
    ]);
  return { head: ["called again", "runs", "without success"], rows, names: 1 };
}

const isByTool = ({ by }: Section): boolean => by.join() === "tool";
