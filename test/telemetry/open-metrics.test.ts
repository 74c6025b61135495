import { describe, expect, test } from "vitest";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";
import { UpstreamUnreachable } from "../../src/model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../src/model/exchange.ts";
import { openFamilies } from "../../src/telemetry/metrics/families.ts";
import { type Metrics, openMetrics } from "../../src/telemetry/open-metrics.ts";
import { readPrometheus } from "./prometheus-text.ts";

const begun: CallBegun = { server: "s", tool: "t", known: true, transport: "pipe", meta: {} };
const upstream = { ms: 0, calls: 0, bytes: 0 };
const record: CallRecord = { ms: 15, channel: null, error: null, bytesIn: 2, bytesOut: 3, rowsOmitted: 4, upstream };
const request: UpstreamRequest = {
  operation: "GET /a",
  method: "GET",
  url: "https://a.example/a",
  headers: [],
  safe: true,
};
const answered = (status: number): RunEvent => ({
  type: "reply",
  tool: "t",
  request,
  reply: { status, headers: new Map(), bytes: 0, body: { kind: "empty" } },
  ms: 300,
});

function call(
  metrics: Metrics,
  of: Partial<CallBegun> = {},
  how: Partial<CallRecord> = {},
  events: RunEvent[] = [],
): void {
  const watch = metrics.watcher.begin({ ...begun, ...of });
  for (const event of events) watch.observe?.(event);
  watch.end({ ...record, ...how });
}

const failed = (error: string, channel: CallRecord["channel"] = "tool_result") => ({ channel, error });
/** `name{a,b} value` of a family, labels by their values. */
const read = (metrics: Metrics, family: string): string[] =>
  readPrometheus(metrics.text())
    .get(family)!
    .samples.map(({ labels, value }) => `${Object.values(labels).join(",")} ${value}`);

describe("counts", () => {
  test("are of calls by how they ended, and of errors by code", () => {
    const metrics = openMetrics({ version: "1" });
    call(metrics);
    call(metrics);
    call(metrics, { server: "other_s" });
    call(metrics, {}, failed("unknown_id"));
    call(metrics, {}, failed("internal", "crash"));
    call(metrics, { tool: null, known: false }, failed("invalid_params", "protocol"));
    expect(read(metrics, "vitrine_calls_total")).toStrictEqual([
      "s,t,ok 2",
      "other_s,t,ok 1",
      "s,t,tool_error 1",
      "s,t,crash 1",
      "s,other,protocol 1",
    ]);
    expect(read(metrics, "vitrine_errors_total")).toStrictEqual([
      "s,t,unknown_id 1",
      "s,t,internal 1",
      "s,other,invalid_params 1",
    ]);
  });

  test("are of bytes, rows, and requests by their status", () => {
    const metrics = openMetrics({ version: "1" });
    const broken: RunEvent = {
      type: "failure",
      tool: "t",
      request,
      error: new UpstreamUnreachable("reset", ""),
      ms: 1,
    };
    call(metrics, {}, { upstream: { ms: 1, calls: 4, bytes: 500 } }, [
      { type: "request", tool: "t", request },
      answered(200),
      answered(204),
      answered(503),
      broken,
    ]);
    call(metrics);
    expect(read(metrics, "vitrine_bytes_total")).toStrictEqual(["s,t,in 4", "s,t,out 6", "s,t,upstream 500"]);
    expect(read(metrics, "vitrine_rows_omitted_total")).toStrictEqual(["s,t 8"]);
    expect(read(metrics, "vitrine_upstream_requests_total")).toStrictEqual(["s,2xx 2", "s,5xx 1", "s,failed 1"]);
  });

  test("are of durations, in buckets that add up", () => {
    const metrics = openMetrics({ version: "1" });
    for (const ms of [1, 10, 15, 700, 400_000]) call(metrics, {}, { ms });
    const { type, samples } = readPrometheus(metrics.text()).get("vitrine_call_duration_seconds")!;
    expect(type).toBe("histogram");
    const buckets = samples.filter(({ name }) => name.endsWith("_bucket"));
    expect(
      buckets.map(({ labels, value }) => [Number(labels["le"]?.replace("+Inf", "Infinity")), value]),
    ).toStrictEqual([
      [0.01, 2],
      [0.02, 3],
      ...[0.05, 0.1, 0.2, 0.5].map((bound) => [bound, 3]),
      ...[1, 2, 5, 10, 30, 60, 120, 300].map((bound) => [bound, 4]),
      [Number.POSITIVE_INFINITY, 5],
    ]);
    expect(samples.slice(-2).map(({ name, value }) => [name, Math.round(value * 1000)])).toStrictEqual([
      ["vitrine_call_duration_seconds_sum", 400_726],
      ["vitrine_call_duration_seconds_count", 5000],
    ]);
  });

  test("are of what is going on, of lost events and spans where any are written, and of the version", () => {
    const metrics = openMetrics({ version: '1 "β"', lostEvents: () => 7, lostSpans: () => 8 });
    const watch = metrics.watcher.begin(begun);
    expect(read(metrics, "vitrine_calls_under_way")).toStrictEqual([" 1"]);
    watch.end(record);
    expect(read(metrics, "vitrine_calls_under_way")).toStrictEqual([" 0"]);
    expect(read(metrics, "vitrine_events_lost_total")).toStrictEqual([" 7"]);
    expect(read(metrics, "vitrine_spans_lost_total")).toStrictEqual([" 8"]);
    expect(read(metrics, "vitrine_build_info")).toStrictEqual(['1 "β" 1']);
    const names = [...readPrometheus(openMetrics({ version: "1" }).text()).keys()];
    expect(names.filter((name) => name.includes("lost"))).toStrictEqual([]);
  });

  test("are a text of the format before anything came", () => {
    expect(readPrometheus(openMetrics({ version: "1" }).text()).get("vitrine_calls_total")?.samples).toStrictEqual([]);
  });
});

describe("labels", () => {
  test("stay few, whatever names callers send", () => {
    const metrics = openMetrics({ version: "1" });
    for (let at = 0; at < 1000; at += 1)
      call(metrics, { tool: `canary_${at}`, known: false }, failed("unknown_tool", "protocol"));
    // Whether a tool is there that the caller may not see is nobody's to learn.
    call(metrics, { tool: "hidden" }, failed("unknown_tool", "protocol"));
    expect(read(metrics, "vitrine_calls_total")).toStrictEqual(["s,other,protocol 1001"]);
    expect(metrics.text()).not.toMatch(/canary|hidden/);
  });

  test("stay few, whatever codes a curation gives", () => {
    const metrics = openMetrics({ version: "1" });
    for (let at = 0; at < 1000; at += 1) call(metrics, {}, failed(`own_${at}`));
    call(metrics, {}, failed("own_5"));
    call(metrics, {}, failed("upstream_timeout"));
    call(metrics, {}, failed('evil"}\n'));
    const codes = read(metrics, "vitrine_errors_total");
    expect(codes).toHaveLength(102);
    expect(codes).toEqual(expect.arrayContaining(["s,t,own_5 2", "s,t,other 901", "s,t,upstream_timeout 1"]));
  });

  test("are escaped", () => {
    const families = openFamilies();
    families.counter("a_total", "Back\\slash,\nline.", ["l"]).of(['"quoted" \\ back\nline']).add(1);
    const family = readPrometheus(families.text()).get("a_total")!;
    expect(family.samples).toStrictEqual([{ name: "a_total", labels: { l: '"quoted" \\ back\nline' }, value: 1 }]);
    expect(family.help).toBe("Back\\\\slash,\\nline.");
  });
});
