import type { Json, JsonObject } from "../model/json.ts";

/** The span of the caller's that a call belongs to. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The lowest bit says that it is recorded. */
  readonly flags: number;
  /** As it came, and not looked at. */
  readonly state?: string;
}

/** W3C Trace Context 3.2.2: version, trace ID, parent ID, flags; zeros alone are no ID, version ff is none, and of later versions what comes behind is not read. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
/** 3.3.1.5: what is longer need not be kept. */
const LONGEST_STATE = 512;

/** What `_meta` says (MCP 2026-07-28, SEP-414: the keys stand there without a prefix). What is malformed counts as not said. */
export function readTraceContext({ traceparent, tracestate }: JsonObject): TraceContext | undefined {
  const found = typeof traceparent === "string" ? TRACEPARENT.exec(traceparent) : null;
  if (found === null) return undefined;
  const [whole, version, traceId = "", spanId = "", flags = ""] = found;
  if (version === "00" && whole.endsWith("-")) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), ...stateOf(tracestate) };
}

function stateOf(tracestate: Json | undefined): { readonly state?: string } {
  const isKept = typeof tracestate === "string" && tracestate !== "" && tracestate.length <= LONGEST_STATE;
  return isKept ? { state: tracestate } : {};
}
