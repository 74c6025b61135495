import type { SpanContext } from "@opentelemetry/api";
import type { CallBegun, CallWatch, CallWatcher } from "../../model/call-watch.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import { readTraceContext } from "../read-trace-context.ts";
import { callAttributes, type DescribedCall, describeCall } from "./call-attributes.ts";
import { makeSpan, type SharedAttributes, type SpanSink } from "./make-span.ts";
import {
  cancelledAttributes,
  type DescribedRequest,
  describeRequest,
  requestAttributes,
} from "./request-attributes.ts";

type Api = typeof import("@opentelemetry/api");

/** A request of the call, which may be sent again. */
interface Sent {
  readonly times: number;
  readonly described: DescribedRequest;
  /** Of the last time. */
  readonly context: SpanContext;
  readonly start: number;
  isOpen: boolean;
}

/** What is known of a call when it comes. */
interface Traced {
  readonly described: DescribedCall;
  readonly parent: SpanContext | undefined;
  readonly context: SpanContext;
  readonly propagate: boolean;
}

/** A span for each call, and beneath it one for each request to the upstream. `propagate`: a caller's own trace goes on, and goes along upstream. */
export function watchSpans(api: Api, sink: SpanSink, propagate: boolean): CallWatcher {
  return {
    begin(begun) {
      const parent = propagate ? callerOf(api, begun) : undefined;
      const described = describeCall(begun);
      const context = beginTrace(api, sink, described.name, parent);
      const traced = { described, parent, context, propagate };
      return context.traceFlags === api.TraceFlags.NONE ? passOn(traced) : watchCall(api, sink, begun, traced);
    },
  };
}

/** Decided once a call: that its requests are in the same trace is all that a sampler would hear of them. */
function beginTrace(api: Api, sink: SpanSink, name: string, parent: SpanContext | undefined): SpanContext {
  const traceId = parent?.traceId ?? sink.ids.generateTraceId();
  const within = parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
  const { decision, traceState = parent?.traceState } = sink.sampler.shouldSample(
    within,
    traceId,
    name,
    api.SpanKind.SERVER,
    {},
    [],
  );
  const isSampled = decision === RECORD_AND_SAMPLED;
  return {
    traceId,
    spanId: sink.ids.generateSpanId(),
    traceFlags: isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
    ...(traceState && { traceState }),
  };
}

/** Of the SDK's `SamplingDecision`. */
const RECORD_AND_SAMPLED = 2;
const NONE = {};

/** A call that is not recorded. */
function passOn({ context, propagate }: Traced): CallWatch {
  const end = (): undefined => undefined;
  return propagate ? { end, headers: () => [["traceparent", traceparent(context)]] } : { end };
}

function watchCall(api: Api, sink: SpanSink, begun: CallBegun, traced: Traced): CallWatch {
  const { parent, context, propagate } = traced;
  // By one clock, which nobody sets: so no request seems to end behind its call.
  const epoch = Date.now() - performance.now();
  const now = (): number => epoch + performance.now();
  const start = now();
  const sent = new Map<UpstreamRequest, Sent>();
  const finish = (of: Sent, shared: SharedAttributes): void => {
    of.isOpen = false;
    const { described, context: own, start: since } = of;
    sink.take(
      makeSpan(sink, {
        name: described.name,
        kind: api.SpanKind.CLIENT,
        context: own,
        parent: context,
        start: since,
        end: now(),
        failed: shared.attributes["error.type"] !== undefined,
        shared,
        own: NONE,
      }),
    );
  };
  return {
    observe(event) {
      const before = sent.get(event.request);
      if (event.type !== "request") {
        if (before?.isOpen) finish(before, requestAttributes(before.described, event, before.times));
        return;
      }
      const described = before?.described ?? describeRequest(event.request);
      const own = { ...context, spanId: sink.ids.generateSpanId() };
      sent.set(event.request, { times: (before?.times ?? 0) + 1, described, context: own, start: now(), isOpen: true });
    },
    ...(propagate && {
      headers: (request) => [["traceparent", traceparent(sent.get(request)?.context ?? context)] as const],
    }),
    end(record) {
      // Of those that are on their way still nobody hears the end.
      for (const of of sent.values()) if (of.isOpen) finish(of, cancelledAttributes(of.described, of.times));
      const { name, shared } = traced.described;
      const own = callAttributes(begun, record);
      const failed = record.channel !== null;
      const kind = api.SpanKind.SERVER;
      sink.take(makeSpan(sink, { name, kind, context, parent, start, end: now(), failed, shared, own }));
      return undefined;
    },
  };
}

/** The span that the caller says it calls from. */
function callerOf({ createTraceState }: Api, { meta }: CallBegun): SpanContext | undefined {
  const said = readTraceContext(meta);
  if (said === undefined) return undefined;
  const { traceId, spanId, flags, state } = said;
  return {
    traceId,
    spanId,
    traceFlags: flags & 1,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  };
}

/** W3C Trace Context 3.2, version 00. The caller's `tracestate` stays here: it is a text of its own choosing, and only the curation says what goes upstream. */
function traceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
