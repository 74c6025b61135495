import * as api from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import * as sdk from "@opentelemetry/sdk-trace-base";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";
import {
  BodyTooLarge,
  DestinationBlocked,
  ToolError,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../../src/model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../src/model/exchange.ts";
import { makeSampler } from "../../src/telemetry/traces/make-sampler.ts";
import { openRandomIds } from "../../src/telemetry/traces/random-ids.ts";
import { readSpanSettings } from "../../src/telemetry/traces/span-settings.ts";
import { watchSpans } from "../../src/telemetry/traces/watch-spans.ts";

const CANARY = "canary-77aa";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const begun: CallBegun = { server: "s", tool: "t", known: true, transport: "pipe", meta: {} };
const upstream = { ms: 0, calls: 0, bytes: 0 };
const record: CallRecord = { ms: 1, channel: null, error: null, bytesIn: 2, bytesOut: 3, rowsOmitted: 4, upstream };
const request: UpstreamRequest = {
  operation: "GET /items/{id}",
  method: "GET",
  url: `https://api.example/base/items/${CANARY}?q=${CANARY}`,
  headers: [["x-key", CANARY]],
  safe: true,
};
const sent: RunEvent = { type: "request", tool: "t", request };
const answered = (status: number): RunEvent => ({
  type: "reply",
  tool: "t",
  request,
  reply: {
    status,
    headers: new Map([["x", CANARY]]),
    bytes: 5,
    body: { kind: "text", text: CANARY, mediaType: "text/plain" },
  },
  ms: 1,
});
const broken = (error: unknown): RunEvent => ({ type: "failure", tool: "t", request, error, ms: 1 });

function open({ propagate = true, env = {} as Readonly<Record<string, string | undefined>> } = {}) {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor(exporter);
  const settings = readSpanSettings(env);
  const watcher = watchSpans(
    api,
    {
      sampler: makeSampler(sdk, settings),
      ids: openRandomIds(),
      resource: resourceFromAttributes({ "service.name": "vitrine" }),
      scope: { name: "test", version: "1" },
      ...(settings.limits && { limits: settings.limits }),
      take: (span) => processor.onEnd(span),
    },
    propagate,
  );
  const spans = () => exporter.getFinishedSpans();
  return {
    watcher,
    spans,
    last: () => spans().at(-1)!,
    /** Whatever would be sent, as a text. */
    text: () =>
      JSON.stringify(
        spans().map(({ name, attributes, status, events, links }) => ({ name, attributes, status, events, links })),
      ),
    call(of: Partial<CallBegun> = {}, how: Partial<CallRecord> = {}, events: readonly RunEvent[] = []) {
      const watch = watcher.begin({ ...begun, ...of });
      for (const event of events) watch.observe?.(event);
      watch.end({ ...record, ...how });
    },
  };
}

describe("the span of a call", () => {
  test("tells which tool, over what, and how large it was", () => {
    const { call, last } = open();
    call({
      transport: "tcp",
      meta: { "io.vitrine/attempt": 2, "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    });
    expect(last()).toMatchObject({
      name: "tools/call t",
      kind: api.SpanKind.SERVER,
      status: { code: api.SpanStatusCode.UNSET },
    });
    expect(last().attributes).toStrictEqual({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "t",
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "vitrine.server": "s",
      "mcp.protocol.version": "2026-07-28",
      "vitrine.attempt": 2,
      "vitrine.bytes_in": 2,
      "vitrine.bytes_out": 3,
      "vitrine.bytes_upstream": 0,
      "vitrine.upstream_calls": 0,
      "vitrine.rows_omitted": 4,
    });
  });

  test.each<[error: string, channel: "protocol" | "tool_result" | "crash", want: object]>([
    ["no_zone", "tool_result", { "error.type": "tool_error", "vitrine.error": "no_zone" }],
    [
      "invalid_params",
      "protocol",
      { "error.type": "-32602", "rpc.response.status_code": "-32602", "vitrine.error": "invalid_params" },
    ],
    [
      "internal",
      "crash",
      { "error.type": "-32603", "rpc.response.status_code": "-32603", "vitrine.error": "internal" },
    ],
    ["unanswered", "protocol", { "error.type": "unanswered", "vitrine.error": "unanswered" }],
  ])("of one that failed with %s in %s says so", (error, channel, want) => {
    const { call, last } = open();
    call({}, { error, channel });
    expect(last().status).toStrictEqual({ code: api.SpanStatusCode.ERROR });
    expect(last().attributes).toMatchObject(want);
  });

  test("of a name that is no tool's does not tell it", () => {
    const { call, last, text } = open();
    call({ tool: CANARY, known: false }, { channel: "protocol", error: "unknown_tool" });
    expect(last().name).toBe("tools/call");
    expect(text()).not.toContain(CANARY);
  });

  test("belongs to the caller's trace, and is none of it where that is malformed", () => {
    const { call, last } = open();
    call({ meta: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "a=1" } });
    expect(last().spanContext().traceId).toBe(TRACE);
    expect(last().spanContext().traceState?.serialize()).toBe("a=1");
    expect(last().parentSpanContext?.spanId).toBe(PARENT);
    call({ meta: { traceparent: `00-${TRACE}-${PARENT}-1`, tracestate: CANARY } });
    expect(last().spanContext().traceId).not.toBe(TRACE);
    expect(last().parentSpanContext).toBeUndefined();
    expect(last().spanContext().traceState).toBeUndefined();
  });

  test("is its own trace's where none is to be passed on", () => {
    const { call, last, watcher } = open({ propagate: false });
    call({ meta: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    expect(last().spanContext().traceId).not.toBe(TRACE);
    expect(watcher.begin(begun)).not.toHaveProperty("headers");
  });

  test("is not made where the caller does not record, and the trace goes on unrecorded", () => {
    const { watcher, spans } = open();
    const watch = watcher.begin({ ...begun, meta: { traceparent: `00-${TRACE}-${PARENT}-00` } });
    watch.observe?.(sent);
    expect(watch.headers?.(request)).toStrictEqual([
      ["traceparent", expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`)],
    ]);
    watch.observe?.(answered(200));
    watch.end(record);
    expect(spans()).toStrictEqual([]);
  });

  test("is not made where nothing is sampled", () => {
    const { call, spans } = open({ env: { OTEL_TRACES_SAMPLER: "parentbased_always_off" } });
    call({}, {}, [sent, answered(200)]);
    expect(spans()).toStrictEqual([]);
  });
});

describe("the span of a request", () => {
  test("is beneath the call's, and tells the path as the document has it and nothing that was sent", () => {
    const { watcher, spans, text } = open();
    const watch = watcher.begin({ ...begun, meta: { note: CANARY, "io.vitrine/run-id": CANARY } });
    watch.observe?.(sent);
    const [[name, traceparent] = []] = watch.headers?.(request) ?? [];
    watch.observe?.(answered(200));
    watch.end(record);
    const [child, call] = spans();
    expect([name, traceparent]).toStrictEqual([
      "traceparent",
      `00-${call?.spanContext().traceId}-${child?.spanContext().spanId}-01`,
    ]);
    expect(child).toMatchObject({
      name: "GET /items/{id}",
      kind: api.SpanKind.CLIENT,
      status: { code: api.SpanStatusCode.UNSET },
    });
    expect(child?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(child?.attributes).toStrictEqual({
      "http.request.method": "GET",
      "server.address": "api.example",
      "server.port": 443,
      "url.scheme": "https",
      "url.template": "/items/{id}",
      "http.response.status_code": 200,
    });
    expect(text()).not.toContain(CANARY);
  });

  test("is one for each time that it is sent, with its own trace header", () => {
    const { watcher, spans } = open();
    const watch = watcher.begin(begun);
    const headers = [503, 503, 200].map((status) => {
      watch.observe?.(sent);
      const [header] = watch.headers?.(request) ?? [];
      watch.observe?.(answered(status));
      return header?.[1];
    });
    watch.end(record);
    const children = spans().slice(0, 3);
    expect(children.map(({ attributes }) => attributes["http.request.resend_count"])).toStrictEqual([undefined, 1, 2]);
    expect(children.map(({ attributes }) => attributes["error.type"])).toStrictEqual(["503", "503", undefined]);
    expect(headers.map((header) => header?.split("-")[2])).toStrictEqual(
      children.map((one) => one.spanContext().spanId),
    );
  });

  test.each<[title: string, error: unknown, want: string]>([
    ["reset", new UpstreamUnreachable("reset", CANARY), "reset"],
    ["a name that is not found", new UpstreamUnreachable("dns", CANARY), "dns"],
    ["a place that is blocked", new DestinationBlocked(CANARY), "destination_blocked"],
    ["too large a body", new BodyTooLarge(5), "response_too_large"],
    ["a body that is not what it says", new UpstreamMalformed(CANARY), "bad_response"],
    ["a tool error", new ToolError("upstream_timeout", { message: CANARY, recover: "" }), "upstream_timeout"],
    ["time", Object.assign(new Error(CANARY), { code: "TIME_IS_UP" }), "timeout"],
    ["a caller who went away", new DOMException(CANARY, "AbortError"), "cancelled"],
    ["something else", new Error(CANARY), "_OTHER"],
    ["no error", CANARY, "_OTHER"],
  ])("that failed says why in a word: %s", (_, error, want) => {
    const { call, spans, text } = open();
    call({}, {}, [sent, broken(error)]);
    expect(spans()[0]).toMatchObject({
      attributes: { "error.type": want },
      status: { code: api.SpanStatusCode.ERROR },
    });
    expect(text()).not.toContain(CANARY);
  });

  test("that is still on its way when the call ends is given up", () => {
    const { call, spans } = open();
    call({}, { channel: "tool_result", error: "cancelled" }, [sent]);
    expect(spans().map(({ name, attributes }) => [name, attributes["error.type"]])).toStrictEqual([
      ["GET /items/{id}", "cancelled"],
      ["tools/call t", "tool_error"],
    ]);
  });

  test("tells an address without brackets, and the port that stands there", () => {
    const { watcher, spans } = open();
    const other = { ...request, method: "BREW", url: "http://[::1]:8080/x" };
    const watch = watcher.begin(begun);
    watch.observe?.({ ...sent, request: other } as RunEvent);
    watch.end(record);
    expect(spans()[0]).toMatchObject({
      name: "HTTP /items/{id}",
      attributes: {
        "http.request.method": "_OTHER",
        "server.address": "::1",
        "server.port": 8080,
        "url.scheme": "http",
      },
    });
  });
});

const PARENTS = {
  none: {},
  recording: { traceparent: `00-${TRACE}-${PARENT}-01` },
  "not recording": { traceparent: `00-${TRACE}-${PARENT}-00` },
};

describe("what is sampled", () => {
  const ratio = (name: string, arg: string) => ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg });
  test.each<[env: Record<string, string>, parent: keyof typeof PARENTS, made: boolean]>([
    [{}, "none", true],
    [{}, "recording", true],
    [{}, "not recording", false],
    [{ OTEL_TRACES_SAMPLER: "always_on" }, "not recording", true],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, "recording", false],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, "none", false],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, "recording", true],
    [ratio("traceidratio", "0"), "none", false],
    [ratio("traceidratio", "0"), "recording", false],
    [ratio("traceidratio", "1"), "not recording", true],
    [ratio("parentbased_traceidratio", "0"), "none", false],
    [ratio("parentbased_traceidratio", "0"), "recording", true],
    [ratio("parentbased_traceidratio", "1"), "none", true],
    [ratio("parentbased_traceidratio", "1"), "not recording", false],
    [ratio("parentbased_traceidratio", "2"), "none", true],
    [{ OTEL_TRACES_SAMPLER: "sometimes" }, "not recording", false],
  ])("by %j where the caller is %s: %s", (env, parent, made) => {
    const { watcher, spans } = open({ env });
    const watch = watcher.begin({ ...begun, meta: PARENTS[parent] });
    watch.observe?.(sent);
    const [header] = watch.headers?.(request) ?? [];
    watch.observe?.(answered(200));
    watch.end(record);
    expect(spans().map(({ kind }) => kind)).toStrictEqual(made ? [api.SpanKind.CLIENT, api.SpanKind.SERVER] : []);
    const traceId = parent === "none" ? "[0-9a-f]{32}" : TRACE;
    expect(header?.[1]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-0${made ? 1 : 0}$`));
  });

  test("is about the part of all traces that is asked for", () => {
    const { call, spans } = open({ env: ratio("traceidratio", "0.25") });
    for (let at = 0; at < 4_000; at += 1) call();
    // Ten times the deviation of a fair draw.
    expect(Math.abs(spans().length - 1_000)).toBeLessThan(275);
  });
});

describe("spans", () => {
  test("are limited as those of the SDK are, by any variables", () => {
    fc.assert(
      fc.property(fc.record(Object.fromEntries(LIMITS.map((name) => [name, LIMIT])), { requiredKeys: [] }), (env) => {
        const { call, spans } = open({ env });
        call({ transport: "tcp" }, { channel: "tool_result", error: "no_zone" }, [sent, answered(200)]);
        for (const span of spans()) {
          const { attributes: all } = unlimited.find(({ kind }) => kind === span.kind)!;
          expect([span.attributes, span.droppedAttributesCount]).toStrictEqual(limitedBySdk(env, all));
        }
        expect(spans()).toHaveLength(2);
      }),
    );
  });

  test("lie within their call's, by one clock", () => {
    const { call, spans } = open();
    const before = Date.now();
    call({}, {}, [sent, answered(200)]);
    const after = Date.now();
    const nanos = ([seconds, rest]: api.HrTime): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
    const [child, parent] = spans().map(({ startTime, endTime, duration }) => ({
      start: nanos(startTime),
      end: nanos(endTime),
      duration: nanos(duration),
    }));
    const times = [BigInt(before - 1) * 1_000_000n, parent!.start, child!.start, child!.end, parent!.end];
    expect(times.toSorted((one, other) => Number(one - other))).toStrictEqual(times);
    expect(parent!.end).toBeLessThan(BigInt(after + 2) * 1_000_000n);
    for (const { start, end, duration } of [child!, parent!])
      expect(Math.abs(Number(end - start - duration))).toBeLessThan(1_000);
  });
});

const LIMITS = [
  "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
  "OTEL_ATTRIBUTE_COUNT_LIMIT",
  "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT",
  "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
];
const LIMIT = fc.oneof(fc.integer({ min: -1, max: 40 }).map(String), fc.constantFrom("", " ", "many", "128"));

const unlimited = (() => {
  const { call, spans } = open();
  call({ transport: "tcp" }, { channel: "tool_result", error: "no_zone" }, [sent, answered(200)]);
  return spans();
})();

/** What the SDK makes of attributes, which reads the environment itself. */
function limitedBySdk(
  env: Readonly<Record<string, string | undefined>>,
  attributes: api.Attributes,
): [api.Attributes, number] {
  for (const name of LIMITS) vi.stubEnv(name, env[name]);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.getTracer("test").startSpan("s").setAttributes(attributes).end();
  vi.unstubAllEnvs();
  const [span] = exporter.getFinishedSpans();
  return [span!.attributes, span!.droppedAttributesCount];
}
