import * as api from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import * as packages from "@opentelemetry/sdk-metrics";
import { AggregationTemporality, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openHistograms } from "../../src/telemetry/traces/open-histograms.ts";

// Beside each histogram of ours stands an instrument of the SDK that hears the same. Values are such that sums are exact in any order.

const BOUNDS = [0.125, 0.5, 1];
const scope = { name: "test", version: "1" };

class Reader extends MetricReader {
  protected override async onForceFlush() {}
  protected override async onShutdown() {}
}

function open(isDelta: boolean) {
  const resource = emptyResource();
  const ours = openHistograms(packages, { scope, isDelta, resource, valueType: api.ValueType.DOUBLE });
  const temporality = isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  const reader = new Reader({
    aggregationTemporalitySelector: () => temporality,
    metricProducers: [ours.producer],
  });
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter("test", "1");
  const advice = { explicitBucketBoundaries: BOUNDS };
  const theirs = meter.createHistogram("h", { description: "of h", unit: "s", advice });
  const record = ours.open("h", "of h", BOUNDS);
  return {
    hear(value: number, attributes: api.Attributes) {
      record(value, JSON.stringify(attributes), () => attributes);
      theirs.record(value, attributes);
    },
    /** What both tell, the SDK's first; absent where one tells nothing. */
    async collect() {
      const { resourceMetrics, errors } = await reader.collect();
      expect(errors).toStrictEqual([]);
      const told = resourceMetrics.scopeMetrics.flatMap(({ scope, metrics }) =>
        metrics.map((metric) => ({ ...metric, scope: [scope.name, scope.version] })),
      );
      return told.map(({ descriptor, dataPoints, ...metric }) => {
        const { name, description, unit, valueType } = descriptor;
        const points = dataPoints.map(({ attributes, value }) => ({ attributes, value }));
        return { descriptor: { name, description, unit, valueType }, ...metric, points };
      });
    },
    times: async () =>
      (await reader.collect()).resourceMetrics.scopeMetrics
        .at(-1)
        ?.metrics[0]?.dataPoints.map((point) => [millis(point.startTime), millis(point.endTime)]),
  };
}

const millis = ([seconds, nanoseconds]: api.HrTime): number => seconds * 1000 + nanoseconds / 1e6;

describe.each([
  ["cumulative", false],
  ["delta", true],
])("a histogram that is %s", (_, isDelta) => {
  test("tells what the SDK's own does, collection by collection", async () => {
    const values = fc.array(fc.tuple(fc.constantFrom(0, 0.125, 0.25, 0.5, 0.75, 1, 7), fc.constantFrom("a", "b")), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), async (collections) => {
        const { hear, collect } = open(isDelta);
        for (const heard of collections) {
          for (const [value, of] of heard) hear(value, { of });
          const told = await collect();
          if (told.length === 0) continue;
          const [theirs, ours] = told;
          expect(ours).toStrictEqual(theirs);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("begins where the SDK's own begins", async () => {
    const { hear, times } = open(isDelta);
    const before = Date.now();
    hear(1, {});
    const [first] = (await times()) ?? [];
    hear(1, {});
    const [second] = (await times()) ?? [];
    expect(first?.[0]).toBeLessThanOrEqual(before);
    expect(first?.[1]).toBeGreaterThanOrEqual(before);
    expect(second?.[0]).toBe(isDelta ? first?.[1] : first?.[0]);
  });
});

test("where nothing was heard nothing is told, and no scope either", async () => {
  const ours = openHistograms(packages, { scope, isDelta: true, resource: emptyResource(), valueType: 1 });
  ours.open("h", "of h", BOUNDS);
  expect((await ours.producer.collect()).resourceMetrics.scopeMetrics).toStrictEqual([]);
});

test("sets of attributes beyond a bound count as one", async () => {
  const ours = openHistograms(packages, { scope, isDelta: false, resource: emptyResource(), valueType: 1 });
  const record = ours.open("h", "of h", BOUNDS);
  for (let at = 0; at < 2_500; at += 1) record(1, `${at}`, () => ({ at }));
  const { resourceMetrics } = await ours.producer.collect();
  const points = resourceMetrics.scopeMetrics[0]?.metrics[0]?.dataPoints ?? [];
  expect(points).toHaveLength(2_000);
  expect(points.at(-1)).toMatchObject({ attributes: { "otel.metric.overflow": true }, value: { count: 501 } });
});
