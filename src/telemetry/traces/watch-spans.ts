import type { Context, Span, SpanContext, Tracer } from "@opentelemetry/api";
import type { CallBegun, CallWatch, CallWatcher } from "../../model/call-watch.ts";
import type { RunEvent, UpstreamRequest } from "../../model/exchange.ts";
import { readTraceContext } from "../read-trace-context.ts";
import { callAttributes, callName, errorAttributes, spanAttributes } from "./call-attributes.ts";
import { outcomeAttributes, requestAttributes, requestName, templateOf } from "./request-attributes.ts";

type Api = typeof import("@opentelemetry/api");

/** A request of the call, which may be sent again. */
interface Sent {
  readonly times: number;
  /** Of the last time. */
  readonly span: Span;
}

/** A span for each call, and beneath it one for each request to the upstream. `propagate`: a caller's own trace goes on, and goes along upstream. */
export function watchSpans(api: Api, tracer: Tracer, propagate: boolean): CallWatcher {
  return {
    begin(begun) {
      const kind = api.SpanKind.SERVER;
      const options = { kind, attributes: callAttributes(begun) };
      const span = tracer.startSpan(callName(begun), options, propagate ? callerOf(api, begun) : api.ROOT_CONTEXT);
      return watchCall(api, tracer, begun, span, propagate);
    },
  };
}

function watchCall(api: Api, tracer: Tracer, begun: CallBegun, span: Span, propagate: boolean): CallWatch {
  const within = api.trace.setSpan(api.ROOT_CONTEXT, span);
  const isRecorded = span.isRecording();
  const sent = new Map<UpstreamRequest, Sent>();
  const send = (request: UpstreamRequest): void => {
    const times = sent.get(request)?.times ?? 0;
    const attributes = {
      ...requestAttributes(request),
      "url.template": templateOf(request),
      ...(times > 0 && { "http.request.resend_count": times }),
    };
    const options = { kind: api.SpanKind.CLIENT, attributes };
    sent.set(request, { times: times + 1, span: tracer.startSpan(requestName(request), options, within) });
  };
  const finish = (event: Exclude<RunEvent, { type: "request" }>): void => {
    const of = sent.get(event.request)?.span;
    const outcome = outcomeAttributes(event);
    of?.setAttributes(outcome);
    if ("error.type" in outcome) of?.setStatus({ code: api.SpanStatusCode.ERROR });
    of?.end();
  };
  return {
    observe(event) {
      if (!isRecorded) return;
      if (event.type === "request") send(event.request);
      else finish(event);
    },
    ...(propagate && {
      headers: (request) => [["traceparent", traceparent((sent.get(request)?.span ?? span).spanContext())] as const],
    }),
    end(record) {
      if (!isRecorded) return;
      for (const { span: of } of sent.values()) {
        // Of those that are on their way still nobody hears the end.
        if (!of.isRecording()) continue;
        of.setAttribute("error.type", "cancelled").setStatus({ code: api.SpanStatusCode.ERROR });
        of.end();
      }
      const failed = errorAttributes(record);
      span.setAttributes({ ...failed, ...spanAttributes(begun, record) });
      if (record.channel !== null) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The context of the span that the caller says it calls from. */
function callerOf({ createTraceState, ROOT_CONTEXT, trace }: Api, { meta }: CallBegun): Context {
  const said = readTraceContext(meta);
  if (said === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = said;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags & 1,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
}

/** W3C Trace Context 3.2, version 00. The caller's `tracestate` stays here: it is a text of its own choosing, and only the curation says what goes upstream. */
function traceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
