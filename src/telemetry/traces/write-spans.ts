import type { Attributes, AttributeValue, SpanContext } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { MadeSpan, SpanSink } from "./make-span.ts";
import {
  beginMessage,
  endMessage,
  openProtoBytes,
  type ProtoBytes,
  takeBytes,
  writeByte,
  writeDouble,
  writeFixed32,
  writeHex,
  writeInt64,
  writePart,
  writePlain,
  writeText,
  writeVarint,
} from "./proto-bytes.ts";
import { toHrTime } from "./to-hr-time.ts";

/** Tags of Protocol Buffers: the number of a field, and how it is written. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
const tag = (field: number, wire: number): number => (field << 3) | wire;

const FIRST_BYTES = 65_536;
const PIECE_BYTES = 512;
/** A span of ours seldom takes more. */
const SPAN_BYTES = 2_048;
/** Written one by one, they would each find the code for it out of the processor's caches; a whole batch at once would keep calls waiting for it. */
const SPANS_AT_ONCE = 64;

/** A span that waits for its batch, as the SDK's queue looks at it. */
export interface KeptSpan extends Pick<ReadableSpan, "resource"> {
  /** Until it is written. */
  span: MadeSpan | undefined;
  /** Where it is written. */
  bytes: Buffer;
  from: number;
  to: number;
  spanContext(): SpanContext;
}

export interface SpanWriter {
  /** Takes a span that has ended, and now and then writes some of them. */
  keep(span: MadeSpan): KeptSpan;
  /** Puts a batch together. */
  join(spans: readonly KeptSpan[]): Uint8Array;
}

/** All that are kept are recorded; the rest is in the span. */
const RECORDED: SpanContext = { traceId: "", spanId: "", traceFlags: 1 };
const recorded = (): SpanContext => RECORDED;

/**
 * Writes spans as an `ExportTraceServiceRequest` (opentelemetry-proto 1), byte for byte as OpenTelemetry's own serializer does: what is the same for all
 * spans of a tool is written once, so it is several times as fast.
 */
export function openSpanWriter({ resource, scope }: Pick<SpanSink, "resource" | "scope">): SpanWriter {
  const head = pieceOf((out) => {
    const ofResource = beginMessage(out, tag(1, LENGTH));
    writeAttributes(out, tag(1, LENGTH), resource.attributes);
    writeCount(out, 2, 0);
    endMessage(out, ofResource);
  });
  const ofScope = pieceOf((out) => {
    const start = beginMessage(out, tag(1, LENGTH));
    writeTextField(out, 1, scope.name);
    if (scope.version) writeTextField(out, 2, scope.version);
    endMessage(out, start);
  });
  const pieces = openProtoBytes(FIRST_BYTES);
  const out = openProtoBytes(FIRST_BYTES);
  let unwritten: KeptSpan[] = [];
  const writeKept = (): void => {
    for (const kept of unwritten) {
      if (kept.span === undefined) continue;
      // What is full belongs to those that are written there.
      if (pieces.bytes.length - pieces.size < SPAN_BYTES) Object.assign(pieces, openProtoBytes(FIRST_BYTES));
      kept.from = pieces.size;
      writeSpan(pieces, kept.span);
      kept.to = pieces.size;
      kept.bytes = pieces.bytes;
      kept.span = undefined;
    }
    unwritten = [];
  };
  return {
    keep(span) {
      const kept = { resource, span, bytes: pieces.bytes, from: 0, to: 0, spanContext: recorded };
      unwritten.push(kept);
      if (unwritten.length >= SPANS_AT_ONCE) writeKept();
      return kept;
    },
    join(spans) {
      writeKept();
      out.size = 0;
      const ofAll = beginMessage(out, tag(1, LENGTH));
      writePlain(out, head);
      const ofSpans = beginMessage(out, tag(2, LENGTH));
      writePlain(out, ofScope);
      for (const { bytes, from, to } of spans) writePart(out, bytes, from, to);
      endMessage(out, ofSpans);
      if (resource.schemaUrl) writeTextField(out, 3, resource.schemaUrl);
      endMessage(out, ofAll);
      return takeBytes(out);
    },
  };
}

/** In the SDK the kinds begin with 0, in the protocol with 1. */
const FIRST_KIND = 1;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

function writeSpan(out: ProtoBytes, span: MadeSpan): void {
  const { context, parent, name, kind, start, end } = span.facts;
  const begin = beginMessage(out, tag(2, LENGTH));
  writeByte(out, tag(1, LENGTH));
  writeHex(out, context.traceId);
  writeByte(out, tag(2, LENGTH));
  writeHex(out, context.spanId);
  const state = context.traceState?.serialize();
  if (state) writeTextField(out, 3, state);
  if (parent !== undefined) {
    writeByte(out, tag(4, LENGTH));
    writeHex(out, parent.spanId);
  }
  writeTextField(out, 5, name);
  writeCount(out, 6, kind + FIRST_KIND);
  writeByte(out, tag(7, FIXED64));
  writeMoment(out, start);
  writeByte(out, tag(8, FIXED64));
  writeMoment(out, end);
  writeAttributesOf(out, span);
  writeCount(out, 10, span.droppedAttributesCount);
  writeCount(out, 12, 0);
  writeCount(out, 14, 0);
  const ofStatus = beginMessage(out, tag(15, LENGTH));
  writeCount(out, 3, span.status.code);
  endMessage(out, ofStatus);
  writeVarint(out, tag(16, FIXED32));
  writeFixed32(out, (context.traceFlags & 0xff) | HAS_IS_REMOTE | (parent?.isRemote ? IS_REMOTE : 0));
  endMessage(out, begin);
}

/** Nanoseconds of the epoch, in 64 bits: a product of more digits than a number keeps, so its lower 16 bits are counted apart. */
function writeMoment(out: ProtoBytes, ms: number): void {
  const [seconds, nanos] = toHrTime(ms);
  const low = (seconds % 0x10000) * 1e9 + nanos;
  const high = Math.floor(seconds / 0x10000) * 1e9 + Math.floor(low / 0x10000);
  writeFixed32(out, (high % 0x10000) * 0x10000 + (low % 0x10000));
  writeFixed32(out, Math.floor(high / 0x10000));
}

const ATTRIBUTES = tag(9, LENGTH);

function writeAttributesOf(out: ProtoBytes, span: MadeSpan): void {
  if (span.sink.limits !== undefined) {
    writeAttributes(out, ATTRIBUTES, span.attributes);
    return;
  }
  const { shared, own } = span.facts;
  shared.written ??= pieceOf((piece) => writeAttributes(piece, ATTRIBUTES, shared.attributes));
  writePlain(out, shared.written);
  writeAttributes(out, ATTRIBUTES, own);
}

function writeAttributes(out: ProtoBytes, field: number, attributes: Attributes): void {
  for (const name in attributes) {
    const pair = beginMessage(out, field);
    writeTextField(out, 1, name);
    const value = beginMessage(out, tag(2, LENGTH));
    writeValue(out, attributes[name]);
    endMessage(out, value);
    endMessage(out, pair);
  }
}

const LEAST_INT64 = -(2 ** 63);
const ABOVE_INT64 = 2 ** 63;

/** An `AnyValue`. */
function writeValue(out: ProtoBytes, value: AttributeValue | null | undefined): void {
  if (typeof value === "string") writeTextField(out, 1, value);
  else if (typeof value === "boolean") writeCount(out, 2, value ? 1 : 0);
  else if (typeof value === "number") writeNumber(out, value);
  else if (Array.isArray(value)) {
    const list = beginMessage(out, tag(5, LENGTH));
    for (const item of value) {
      const one = beginMessage(out, tag(1, LENGTH));
      writeValue(out, item);
      endMessage(out, one);
    }
    endMessage(out, list);
  }
}

function writeNumber(out: ProtoBytes, value: number): void {
  if (Number.isInteger(value) && value >= LEAST_INT64 && value < ABOVE_INT64) {
    writeByte(out, tag(3, VARINT));
    writeInt64(out, value);
  } else {
    writeByte(out, tag(4, FIXED64));
    writeDouble(out, value);
  }
}

function writeTextField(out: ProtoBytes, field: number, text: string): void {
  writeByte(out, tag(field, LENGTH));
  writeText(out, text);
}

function writeCount(out: ProtoBytes, field: number, count: number): void {
  writeByte(out, tag(field, VARINT));
  writeVarint(out, count);
}

function pieceOf(write: (out: ProtoBytes) => void): Uint8Array {
  const out = openProtoBytes(PIECE_BYTES);
  write(out);
  return takeBytes(out);
}
