import { groupDigits } from "../../model/counted.ts";
import type { Bar, BarChart } from "./draw-bars.ts";
import { bytes, milliseconds, percent } from "./format-value.ts";
import { namesOf, ofSeveralServers, type Section } from "./overview.ts";
import type { Group } from "./summarize.ts";

const MOST_ROWS = 30;

type Drawn = Pick<BarChart, "title" | "legend"> & {
  readonly name: string;
  readonly bars: (group: Group) => readonly Bar[];
};

const CALLS: Drawn = {
  name: "calls",
  title: "Calls and how they ended",
  legend: [
    ["ok", "ok"],
    ["tool-error", "tool error"],
    ["protocol", "protocol fault"],
    ["crash", "crash"],
  ],
  bars: (group) => [
    {
      parts: [
        { kind: "ok", value: group.ok },
        { kind: "tool-error", value: group.tool_errors },
        { kind: "protocol", value: group.protocol_faults },
        { kind: "crash", value: group.crashes },
      ],
      text: `${groupDigits(group.calls)}${group.tool_errors === 0 ? "" : `, ${percent(group.error_rate)} errors`}`,
    },
  ],
};

const TIMES: Drawn = {
  name: "times",
  title: "Time of a call",
  legend: [
    ["half", "p50"],
    ["most", "p95"],
  ],
  bars: ({ p50_ms, p95_ms }) => [
    { parts: [{ kind: "half", value: p50_ms ?? 0 }], text: p50_ms === null ? "-" : `${milliseconds(p50_ms)} ms` },
    { parts: [{ kind: "most", value: p95_ms ?? 0 }], text: p95_ms === null ? "-" : `${milliseconds(p95_ms)} ms` },
  ],
};

const BYTES: Drawn = {
  name: "bytes",
  title: "Bytes from the API, and to the caller",
  legend: [
    ["half", "from the API"],
    ["most", "to the caller"],
  ],
  bars: ({ bytes_upstream, bytes_out }) => [
    { parts: [{ kind: "half", value: bytes_upstream }], text: bytes(bytes_upstream) },
    { parts: [{ kind: "most", value: bytes_out }], text: bytes(bytes_out) },
  ],
};

/** The charts of a section: the tools that are called most, or what is latest. */
export function chartsOf({ by, groups }: Section): BarChart[] {
  const several = ofSeveralServers(groups);
  const shown = by.includes("tool") ? groups.slice(0, MOST_ROWS) : groups.slice(-MOST_ROWS);
  const left = groups.length - shown.length;
  return [CALLS, TIMES, BYTES].map(({ name, title, legend, bars }) => ({
    id: `${by.join("-")}-${name}`,
    title,
    description: `A row each of ${groupDigits(shown.length)}${left > 0 ? `; ${groupDigits(left)} more are not drawn` : ""}. The figures are in the table below.`,
    legend,
    rows: shown.map((group) => ({ label: namesOf(by, group, several).join(" · "), bars: bars(group) })),
  }));
}
