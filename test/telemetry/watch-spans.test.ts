import * as api from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";
import {
  BodyTooLarge,
  DestinationBlocked,
  ToolError,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../../src/model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../src/model/exchange.ts";
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

function open({ propagate = true, root = new AlwaysOnSampler() as AlwaysOnSampler | AlwaysOffSampler } = {}) {
  const exporter = new InMemorySpanExporter();
  const sampler = new ParentBasedSampler({ root });
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const watcher = watchSpans(api, provider.getTracer("test"), propagate);
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
    const { call, spans } = open({ root: new AlwaysOffSampler() });
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
