import type { CallBegun, CallRecord } from "../model/call-watch.ts";
import { readIdentity } from "./read-identity.ts";

/** What an event is made of beside how the call went. */
export interface EventFacts {
  /** When the call came, in milliseconds of the epoch. */
  readonly at: number;
  readonly toolsSha: string | null;
  readonly keyId: string | null;
  /** Events that were lost before this one. */
  readonly lost: number;
}

/** One line of `events.jsonl` (contract section 10), with its line feed. Written by hand: to make an object only to write it takes three times as long. */
export function writeEvent(begun: CallBegun, record: CallRecord, facts: EventFacts): string {
  const { runId, attempt, promptSha } = readIdentity(begun.meta);
  const { upstream } = record;
  const lost = facts.lost > 0 ? `,"lost":${facts.lost}` : "";
  return `{"schema":"events.v1","ts":"${timestamp(facts.at)}","run_id":${text(runId)},"attempt":${attempt},"server":${text(begun.server)},"tool":${text(begun.tool)},"mcp_method":"tools/call","latency_ms":${roundedMs(record.ms)},"upstream_ms":${roundedMs(upstream.ms)},"upstream_calls":${upstream.calls},${outcome(record)},"bytes_in":${record.bytesIn},"bytes_out":${record.bytesOut},"bytes_upstream":${upstream.bytes},"rows_omitted":${record.rowsOmitted},"prompt_sha":${text(promptSha)},"tools_sha":${text(facts.toolsSha)},"key_id":${text(facts.keyId)}${lost}}\n`;
}

const DONE = '"ok":true,"is_error":false,"error_channel":null,"error":null';

function outcome({ channel, error }: CallRecord): string {
  if (channel === null && error === null) return DONE;
  const isError = channel === null ? "false" : channel === "tool_result" ? "true" : "null";
  return `"ok":${channel === null},"is_error":${isError},"error_channel":${text(channel)},"error":${text(error)}`;
}

/** What names and hashes are made of stands for itself in JSON. */
const PLAIN = /^[\w.:/+=-]*$/;

function text(value: string | null): string {
  if (value === null) return "null";
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Of calls of one second only the last digits differ. */
let second = { at: Number.NaN, text: "" };

/** RFC 3339, to the millisecond. */
function timestamp(at: number): string {
  const ms = at % 1000;
  if (at - ms !== second.at) second = { at: at - ms, text: new Date(at - ms).toISOString().slice(0, -4) };
  return `${second.text}${String(ms).padStart(3, "0")}Z`;
}

/** To two digits, the last of them no zero. Put together of whole numbers, which are written in a tenth of the time. */
function roundedMs(ms: number): string {
  const hundredths = Math.round(ms * 100);
  const rest = hundredths % 100;
  const whole = (hundredths - rest) / 100;
  if (rest === 0) return `${whole}`;
  if (rest % 10 === 0) return `${whole}.${rest / 10}`;
  return rest < 10 ? `${whole}.0${rest}` : `${whole}.${rest}`;
}
