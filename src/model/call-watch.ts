import type { RunEvent, UpstreamRequest } from "./exchange.ts";
import type { JsonObject } from "./json.ts";

/**
 * Hears of every `tools/call`, whatever becomes of it: events and traces are such. What it is told is not waited for, but for a moment at the end, and
 * what it throws never reaches a caller.
 */
export interface CallWatcher {
  /** A call has come. */
  begin(call: CallBegun): CallWatch;
}

/** What happens to one call, until its end, which comes once. */
export interface CallWatch {
  /** An upstream request of this call is about to be sent, was answered, or failed; all of one request name the same `request` object. */
  observe?(event: RunEvent): void;
  /** What a request says of the trace that it belongs to. Asked for just before it is sent, when `observe` has been told of it. */
  headers?(request: UpstreamRequest): UpstreamRequest["headers"];
  /**
   * A reply goes out once this is resolved, where it gives anything: soon, whatever becomes of what is written. A fault (protocol, crash) waits for
   * nobody, so what must stand before it goes out is to stand when this returns.
   */
  end(record: CallRecord): Promise<void> | undefined;
}

export interface CallBegun {
  /** The name of the toolset. */
  readonly server: string;
  /** As the caller named it; null where what was sent is no name of a tool. */
  readonly tool: string | null;
  /** Whether the toolset has a tool that is called so, or was. What else a caller writes in its place is text of its own, without end. */
  readonly known: boolean;
  /** What carried it, as OpenTelemetry names transports: stdio is a pipe. */
  readonly transport: "pipe" | "tcp";
  /** The request's `_meta` as it came: untrusted, `{}` where there is none. */
  readonly meta: JsonObject;
  /** SHA-256 of the manifest of the tools that were served then, in hex; made when it is first asked for. Absent where nobody makes it. */
  readonly toolsSha?: () => Promise<string>;
}

/** How a call ended. */
export interface CallRecord {
  /** From the moment that the message was read until the answer was made, by a monotonic clock. */
  readonly ms: number;
  /** How it failed (contract section 7): a fault of the caller, told by JSON-RPC; the tool, told by its result; a fault of ours (`internal`), told by either. Null for a reply. */
  readonly channel: "protocol" | "tool_result" | "crash" | null;
  /** The code of the error: snake_case. Null for a reply. */
  readonly error: string | null;
  /** UTF-8 bytes of the arguments' compact JSON text; 0 where there were none. */
  readonly bytesIn: number;
  /** UTF-8 bytes of the reply's JSON text, and of the data of its further blocks. 0 where no reply went out, and for a fault of ours. */
  readonly bytesOut: number;
  /** Matching rows that are known of and not in the reply. */
  readonly rowsOmitted: number;
  readonly upstream: UpstreamRecord;
}

export interface UpstreamRecord {
  /** As long as at least one request was on its way. */
  readonly ms: number;
  /** Requests, those sent again and those that followed redirects too. */
  readonly calls: number;
  /** Decoded bytes of what came back. */
  readonly bytes: number;
}
