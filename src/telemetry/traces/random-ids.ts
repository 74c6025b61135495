import { randomBytes } from "node:crypto";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;
const BYTES_AT_ONCE = 4_096;

/** IDs of W3C Trace Context, cut off a long piece of random digits: to draw each by itself takes ten times as long. */
export function openRandomIds(): IdGenerator {
  let [digits, at] = ["", 0];
  const next = (length: number): string => {
    if (at + length > digits.length) [digits, at] = [randomBytes(BYTES_AT_ONCE).toString("hex"), 0];
    at += length;
    return digits.slice(at - length, at);
  };
  return { generateTraceId: () => next(TRACE_ID_DIGITS), generateSpanId: () => next(SPAN_ID_DIGITS) };
}
