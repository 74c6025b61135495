import type { EventTable, Row } from "./open-events.ts";

/** What calls are counted by; `tool` is a tool of a server. */
export const KEYS = ["tool", "tools_sha", "day"] as const;
export type Key = (typeof KEYS)[number];

/** The calls of one tool, day or list of tools. The names are those of `--json`. */
export interface Group {
  readonly server?: string | null;
  readonly tool?: string | null;
  readonly tools_sha?: string | null;
  readonly day?: string;
  readonly calls: number;
  /** Of all calls. */
  readonly share: number;
  readonly ok: number;
  readonly tool_errors: number;
  /** Of the calls that a tool answered; null where none was. */
  readonly error_rate: number | null;
  readonly protocol_faults: number;
  readonly crashes: number;
  /** Of the calls that a tool answered: a time that occurred (nearest rank). */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** All of them together. */
  readonly upstream_ms: number;
  readonly upstream_calls: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly bytes_upstream: number;
  /** What the upstream sent and the caller was spared: the two above, one less the other. */
  readonly bytes_kept: number;
  readonly rows_omitted: number;
  /** Runs that called the tool with an `attempt` above 1, and those of them whose last attempt never succeeded. */
  readonly retried: number;
  readonly retried_without_success: number;
  readonly first: string;
  readonly last: string;
  readonly errors: readonly ErrorCount[];
}

export interface ErrorCount {
  readonly channel: string;
  readonly code: string | null;
  readonly calls: number;
}

const COLUMNS: Readonly<Record<Key, readonly string[]>> = {
  tool: ["server", "tool"],
  tools_sha: ["tools_sha"],
  day: ["day"],
};

/** The calls by what is asked, in one group where nothing is. Tools by themselves come by their calls, the most first; all else in the order of names and of time. */
export async function summarize(table: EventTable, by: readonly Key[]): Promise<readonly Group[]> {
  const names = by.flatMap((key) => COLUMNS[key]);
  const order =
    by.join() === "tool"
      ? ["calls DESC", ...names]
      : [...names.filter((name) => name !== "tools_sha"), "first", ...names];
  const { rows } = await table.ask(`${select(names, COUNTS)} ORDER BY ${order.join(", ")}`);
  const errors = await table.ask(
    `${select([...names, ...ERROR], ["count(*) AS calls"], ERRED)} ORDER BY calls DESC, channel, code`,
  );
  const retries = await table.ask(retryCounts(names));
  const keyOf = (row: Row): string => JSON.stringify(names.map((name) => row[name]));
  const total = rows.reduce((sum, row) => sum + Number(row.calls), 0);
  const retriesOf = new Map(retries.rows.map((row) => [keyOf(row), row]));
  const errorsOf = new Map<string, ErrorCount[]>(rows.map((row) => [keyOf(row), []]));
  for (const { channel, code, calls, ...row } of errors.rows)
    errorsOf.get(keyOf(row))?.push({ channel, code, calls } as ErrorCount);
  return rows.map((row) => {
    const found = { share: Number(row.calls) / total, ...retriesOf.get(keyOf(row)), errors: errorsOf.get(keyOf(row)) };
    return inOrder(names, { retried: 0, retried_without_success: 0, ...row, ...found });
  });
}

const ANSWERED = "FILTER (WHERE outcome IN ('ok', 'tool_error'))";
const ERRED = "outcome <> 'ok'";
const ERROR = ["CASE outcome WHEN 'tool_error' THEN 'tool_result' ELSE outcome END AS channel", "error AS code"];

const sum = (column: string): string => `coalesce(sum(${column}), 0)`;
const moment = (bound: "min" | "max"): string => `strftime(${bound}(ts), '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** Each count by its name, in the order in which they are shown. */
const COUNTS = [
  "count(*) AS calls",
  "NULL AS share",
  "count(*) FILTER (WHERE outcome = 'ok') AS ok",
  "count(*) FILTER (WHERE outcome = 'tool_error') AS tool_errors",
  `tool_errors / nullif(count(*) ${ANSWERED}, 0) AS error_rate`,
  "count(*) FILTER (WHERE outcome = 'protocol') AS protocol_faults",
  "count(*) FILTER (WHERE outcome = 'crash') AS crashes",
  `quantile_disc(latency_ms, 0.5) ${ANSWERED} AS p50_ms`,
  `quantile_disc(latency_ms, 0.95) ${ANSWERED} AS p95_ms`,
  `round(${sum("upstream_ms")}, 3) AS upstream_ms`,
  `${sum("upstream_calls")} AS upstream_calls`,
  `${sum("bytes_in")} AS bytes_in`,
  `${sum("bytes_out")} AS bytes_out`,
  `${sum("bytes_upstream")} AS bytes_upstream`,
  `${sum("bytes_upstream")} - ${sum("bytes_out")} AS bytes_kept`,
  `${sum("rows_omitted")} AS rows_omitted`,
  `${moment("min")} AS first`,
  `${moment("max")} AS last`,
];

/** The columns of a group after those that name it. */
export const FIGURES = [
  ...COUNTS.slice(0, -2).map((count) => count.slice(count.lastIndexOf(" ") + 1)),
  "retried",
  "retried_without_success",
  "first",
  "last",
  "errors",
];

function inOrder(names: readonly string[], row: Row): Group {
  return Object.fromEntries([...names, ...FIGURES].map((name) => [name, row[name]])) as unknown as Group;
}

function select(names: readonly string[], counts: readonly string[], where = "true"): string {
  return `SELECT ${[...names, ...counts].join(", ")} FROM events WHERE ${where} GROUP BY ALL HAVING count(*) > 0`;
}

/** Runs in which a tool was called again, and how the last attempt of each ended. */
function retryCounts(names: readonly string[]): string {
  const call = [...new Set([...names, "server", "tool", "run_id"])].join(", ");
  const runs = `SELECT ${call}, max(attempt) AS attempts, arg_max(outcome = 'ok', (attempt, outcome = 'ok')) AS succeeded
    FROM events WHERE run_id IS NOT NULL AND attempt IS NOT NULL GROUP BY ${call} HAVING attempts > 1`;
  return `SELECT ${[...names, "count(*) AS retried", "count(*) FILTER (WHERE NOT succeeded) AS retried_without_success"].join(", ")}
    FROM (${runs}) GROUP BY ALL HAVING count(*) > 0`;
}
