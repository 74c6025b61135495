import type { CallBegun, CallRecord, CallWatcher } from "../model/call-watch.ts";
import type { RunEvent } from "../model/exchange.ts";
import { openCodes } from "./metrics/bound-code.ts";
import { CALL_SECONDS, REQUEST_SECONDS } from "./metrics/bounds.ts";
import { type AskedSample, openFamilies } from "./metrics/families.ts";
import { keep } from "./metrics/keep.ts";

export interface MetricsOptions {
  /** The program's own. */
  readonly version: string;
  /** How many events were lost since the start; absent where none are written. */
  readonly lostEvents?: () => number;
  /** How many spans; absent where none are made. */
  readonly lostSpans?: () => number;
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
export function openMetrics({ version, lostEvents, lostSpans, gauges = [] }: MetricsOptions): Metrics {
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
  if (lostSpans !== undefined)
    families.ask("vitrine_spans_lost_total", "counter", "Spans that could not be sent.", {}, lostSpans);
  for (const { name, help, labels, read } of gauges) families.askAll(name, help, labels, read);

  const ofServer = keep((server) => ({
    tool: keep((tool) => {
      const own = [server, tool];
      return {
        outcome: keep((outcome) => calls.of([...own, outcome])),
        error: keep((code) => errors.of([...own, code])),
        seconds: seconds.of(own),
        bytesIn: bytes.of([...own, "in"]),
        bytesOut: bytes.of([...own, "out"]),
        bytesUpstream: bytes.of([...own, "upstream"]),
        rows: rows.of(own),
      };
    }),
    request: keep((status) => ({ count: requests.of([server, status]), seconds: requestSeconds.of([server]) })),
  }));
  const count = (begun: CallBegun, record: CallRecord): void => {
    const own = ofServer(begun.server).tool(toolOf(begun, record));
    own.outcome(record.channel === null ? "ok" : OUTCOMES[record.channel]).add(1);
    if (record.error !== null) own.error(codeOf(record.error)).add(1);
    own.seconds.observe(record.ms / 1000);
    own.bytesIn.add(record.bytesIn);
    own.bytesOut.add(record.bytesOut);
    own.bytesUpstream.add(record.upstream.bytes);
    own.rows.add(record.rowsOmitted);
  };
  return {
    watcher: {
      begin(begun) {
        underWay += 1;
        return {
          observe(event) {
            if (event.type === "request") return;
            const request = ofServer(begun.server).request(statusOf(event));
            request.count.add(1);
            request.seconds.observe(event.ms / 1000);
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
