import type { CallBegun, CallRecord, CallWatcher } from "../model/call-watch.ts";
import type { RunEvent } from "../model/exchange.ts";
import { openCodes } from "./metrics/bound-code.ts";
import { CALL_SECONDS, REQUEST_SECONDS } from "./metrics/bounds.ts";
import { type AskedSample, openFamilies } from "./metrics/families.ts";

export interface MetricsOptions {
  /** The program's own. */
  readonly version: string;
  /** How many events were lost since the start; absent where none are written. */
  readonly lostEvents?: () => number;
  /** What whoever serves knows beside the calls. */
  readonly gauges?: readonly AskedGauge[];
}

export interface AskedGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Values of the labels, and what is measured. */
  read(): readonly AskedSample[];
}

export interface Metrics {
  /** Counts every call that it is told of. */
  readonly watcher: CallWatcher;
  /** What was counted since the start, in Prometheus' text format: for a GET of `/metrics`, as `METRICS_TYPE`. */
  text(): string;
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const OTHER = "other";

/**
 * Counts calls in memory, for whoever reads `/metrics`. Labels are few, whatever callers send: a tool is named where one of that name was reached, which
 * also tells nobody of tools that a caller may not see; codes come from a table and from the curation.
 */
export function openMetrics({ version, lostEvents, gauges = [] }: MetricsOptions): Metrics {
  const families = openFamilies();
  const codeOf = openCodes();
  let underWay = 0;
  families.ask("vitrine_build_info", "gauge", "The version that runs.", { version }, () => 1);
  families.ask("vitrine_calls_under_way", "gauge", "Calls that have not ended.", {}, () => underWay);
  const of = ["server", "tool"];
  const calls = families.counter(
    "vitrine_calls_total",
    "Calls of tools by how they ended: ok, tool_error, protocol, crash.",
    [...of, "outcome"],
  );
  const errors = families.counter("vitrine_errors_total", "Calls that failed, by code.", [...of, "code"]);
  const seconds = families.histogram("vitrine_call_duration_seconds", "How long calls took.", of, CALL_SECONDS);
  const bytes = families.counter(
    "vitrine_bytes_total",
    "Bytes of arguments (in), of replies (out), and of what the API sent (upstream).",
    [...of, "of"],
  );
  const rows = families.counter("vitrine_rows_omitted_total", "Rows that matched and are not in the reply.", of);
  const requests = families.counter(
    "vitrine_upstream_requests_total",
    "Requests to the API by the class of their status, or failed.",
    ["server", "status"],
  );
  const requestSeconds = families.histogram(
    "vitrine_upstream_request_duration_seconds",
    "How long the API took to answer a request.",
    ["server"],
    REQUEST_SECONDS,
  );
  if (lostEvents !== undefined)
    families.ask("vitrine_events_lost_total", "counter", "Events that could not be written.", {}, lostEvents);
  for (const { name, help, labels, read } of gauges) families.askAll(name, help, labels, read);

  const count = (begun: CallBegun, record: CallRecord): void => {
    const labels = [begun.server, toolOf(begun, record)];
    calls.add([...labels, record.channel === null ? "ok" : OUTCOMES[record.channel]]);
    if (record.error !== null) errors.add([...labels, codeOf(record.error)]);
    seconds.observe(labels, record.ms / 1000);
    bytes.add([...labels, "in"], record.bytesIn);
    bytes.add([...labels, "out"], record.bytesOut);
    bytes.add([...labels, "upstream"], record.upstream.bytes);
    rows.add(labels, record.rowsOmitted);
  };
  return {
    watcher: {
      begin(begun) {
        underWay += 1;
        return {
          observe(event) {
            if (event.type === "request") return;
            requests.add([begun.server, statusOf(event)]);
            requestSeconds.observe([begun.server], event.ms / 1000);
          },
          end(record) {
            underWay -= 1;
            count(begun, record);
          },
        };
      },
    },
    text: families.text,
  };
}

const OUTCOMES = { tool_result: "tool_error", protocol: "protocol", crash: "crash" } as const;

function toolOf({ tool, known }: CallBegun, { channel }: CallRecord): string {
  return tool === null || !known || channel === "protocol" ? OTHER : tool;
}

function statusOf(event: Exclude<RunEvent, { type: "request" }>): string {
  return event.type === "failure" ? "failed" : `${Math.trunc(event.reply.status / 100)}xx`;
}
