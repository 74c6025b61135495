import { createTraceState, type SpanContext } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MadeSpan, makeSpan, type SpanFacts, type SpanSink } from "../../src/telemetry/traces/make-span.ts";
import { openRandomIds } from "../../src/telemetry/traces/random-ids.ts";
import { openSpanWriter } from "../../src/telemetry/traces/write-spans.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  // Half of a pair of surrogates alone.
  fc.constantFrom("", "\ud800", "a\udfff", "é".repeat(70)),
);
const number = fc.oneof(
  fc.nat(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(-0, -1, 127, 128, 2 ** 32 - 1, 2 ** 32, 2 ** 63, -(2 ** 63), 2 ** 62, NaN, Infinity),
);
const plain = fc.oneof(text, number, fc.boolean());
const value = fc.oneof(plain, fc.array(text, { maxLength: 3 }), fc.array(fc.option(number), { maxLength: 3 }));
/** In both parts no name is the same. */
const attributes = (first: string) =>
  fc
    .array(fc.tuple(text, value), { maxLength: 6 })
    .map((pairs) => Object.fromEntries(pairs.map(([name, one]) => [`${first}${name}`, one])));
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const context: fc.Arbitrary<SpanContext> = fc.record(
  {
    traceId: hex(32),
    spanId: hex(16),
    traceFlags: fc.nat(255),
    isRemote: fc.boolean(),
    traceState: fc.constantFrom(createTraceState(""), createTraceState("a=1,b=ü")),
  },
  { requiredKeys: ["traceId", "spanId", "traceFlags"] },
);
const moment = fc.oneof(fc.nat(), fc.double({ min: 0, max: 4e12, noNaN: true }), fc.constant(1_795_000_000_123.456));
const facts: fc.Arbitrary<SpanFacts> = fc.record({
  name: text,
  kind: fc.nat(4),
  context,
  parent: fc.option(context, { nil: undefined }),
  start: moment,
  end: moment,
  failed: fc.boolean(),
  shared: fc.record({ attributes: attributes("s") }),
  own: attributes("o"),
});

function sinkOf(over: Partial<SpanSink> = {}): SpanSink {
  return {
    sampler: { shouldSample: () => ({ decision: 2 }) },
    ids: openRandomIds(),
    resource: resourceFromAttributes({ "service.name": "vitrine" }),
    scope: { name: "test", version: "1" },
    take: () => {},
    ...over,
  };
}

function writeBatch(sink: SpanSink, spans: readonly MadeSpan[]): Buffer {
  const { keep, join } = openSpanWriter(sink);
  return Buffer.from(join(spans.map(keep)));
}

describe("spans are written as OpenTelemetry's own serializer writes them", () => {
  test("byte for byte, whatever they hold", () => {
    const limits = fc.option(
      fc.record({ attributes: fc.integer({ min: -1, max: 20 }), valueLength: fc.integer({ min: -1, max: 40 }) }),
      { nil: undefined },
    );
    const resource = attributes("r").map((all) => resourceFromAttributes(all));
    const scope = fc.record({ name: text, version: text });
    fc.assert(
      fc.property(fc.array(facts, { minLength: 1, maxLength: 3 }), limits, resource, scope, (all, limited, of, by) => {
        const sink = sinkOf({ resource: of, scope: by, ...(limited && { limits: limited }) });
        const spans = all.map((one) => makeSpan(sink, one));
        const written = writeBatch(sink, spans);
        expect(written.equals(ProtobufTraceSerializer.serializeRequest(spans)!)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test.each([100, 127, 128, 16_200, 16_384, 70_000, 2_100_000])("with a text of %i bytes", (size) => {
    const [one] = fc.sample(facts, { numRuns: 1, seed: 1 });
    const spans = [makeSpan(sinkOf(), { ...one!, own: { long: "x".repeat(size) } })];
    const written = writeBatch(sinkOf(), spans);
    // The resource is another object, and holds the same.
    expect(written.equals(ProtobufTraceSerializer.serializeRequest(spans)!)).toBe(true);
  });

  test.each([127, 16_383])("with texts of every length by which the length of a message passes %i", (most) => {
    const [one] = fc.sample(facts, { numRuns: 1, seed: 1 });
    for (let size = most - 30; size <= most; size += 1) {
      const spans = [makeSpan(sinkOf(), { ...one!, own: { long: "x".repeat(size) } })];
      const written = writeBatch(sinkOf(), spans);
      expect(written.equals(ProtobufTraceSerializer.serializeRequest(spans)!)).toBe(true);
    }
  });

  test("batch after batch, with what they share written once, and none changes one that was written before", () => {
    const sink = sinkOf();
    const { keep, join } = openSpanWriter(sink);
    const shared = { attributes: { "server.port": 443 } };
    const batch = (size: number) =>
      fc.sample(facts, { numRuns: size, seed: size }).map((one) => makeSpan(sink, { ...one, shared }));
    const batches = [150, 1, 400].map(batch);
    const kept = batches.map((one) => one.map(keep));
    const written = kept.map(join);
    for (const [at, one] of batches.entries())
      expect(Buffer.from(written[at]!).equals(ProtobufTraceSerializer.serializeRequest(one)!)).toBe(true);
  });
});
