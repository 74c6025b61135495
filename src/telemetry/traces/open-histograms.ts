import type { Attributes, HrTime } from "@opentelemetry/api";
import type { DataPoint, HistogramMetricData, MetricProducer } from "@opentelemetry/sdk-metrics";
import { toHrTime } from "./to-hr-time.ts";

type Metrics = typeof import("@opentelemetry/sdk-metrics");

/** `key` is the same for the same attributes; these are asked for when it comes for the first time. */
export type RecordSeconds = (seconds: number, key: string, attributes: () => Attributes) => void;

export interface Histograms {
  /** `boundaries` ascend, in seconds. */
  open(name: string, description: string, boundaries: readonly number[]): RecordSeconds;
  /** Tells of all of them whoever collects. */
  readonly producer: MetricProducer;
}

export interface HistogramsOptions {
  readonly scope: { readonly name: string; readonly version: string };
  /** Whether only what came since it was last told is told. */
  readonly isDelta: boolean;
  readonly resource: import("@opentelemetry/resources").Resource;
  /** DOUBLE of the API's `ValueType`. */
  readonly valueType: number;
}

interface Sample {
  readonly attributes: Attributes;
  readonly counts: number[];
  sum: number;
  count: number;
  min: number;
  max: number;
}

/** As many as the SDK keeps of an instrument; what comes beside them counts as one (Metrics SDK, Cardinality limits). */
const MOST_SAMPLES = 2_000;
const OVERFLOW = "otel.metric.overflow";

/** Histograms that are kept here: an instrument of the SDK sorts and writes the attributes each time that it hears of a value. */
export function openHistograms(
  { DataPointType, AggregationTemporality }: Metrics,
  options: HistogramsOptions,
): Histograms {
  const { scope, isDelta, resource, valueType } = options;
  const all: ((startTime: HrTime, endTime: HrTime) => HistogramMetricData)[] = [];
  let since = toHrTime(Date.now());
  const open: Histograms["open"] = (name, description, boundaries) => {
    const samples = new Map<string, Sample>();
    all.push((startTime, endTime) => {
      const dataPoints = [...samples.values()].map((one) => tell(one, boundaries, startTime, endTime));
      if (isDelta) samples.clear();
      return {
        descriptor: { name, description, unit: "s", valueType },
        aggregationTemporality: isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints,
      };
    });
    return (seconds, key, attributes) => add(sampleOf(samples, key, attributes, boundaries), seconds, boundaries);
  };
  return {
    open,
    producer: {
      async collect() {
        const endTime = toHrTime(Date.now());
        const metrics = all.map((one) => one(since, endTime)).filter(({ dataPoints }) => dataPoints.length > 0);
        if (isDelta) since = endTime;
        return {
          resourceMetrics: { resource, scopeMetrics: metrics.length > 0 ? [{ scope, metrics }] : [] },
          errors: [],
        };
      },
    },
  };
}

function sampleOf(
  samples: Map<string, Sample>,
  key: string,
  attributes: () => Attributes,
  boundaries: readonly number[],
): Sample {
  const known = samples.get(key);
  if (known !== undefined) return known;
  if (samples.size >= MOST_SAMPLES - 1 && key !== OVERFLOW)
    return sampleOf(samples, OVERFLOW, () => ({ [OVERFLOW]: true }), boundaries);
  const counts = new Array<number>(boundaries.length + 1).fill(0);
  const made = { attributes: attributes(), counts, sum: 0, count: 0, min: Infinity, max: -Infinity };
  samples.set(key, made);
  return made;
}

/** A bound belongs to what lies below it. */
function add(sample: Sample, value: number, boundaries: readonly number[]): void {
  const at = boundaries.findIndex((bound) => value <= bound);
  const slot = at === -1 ? boundaries.length : at;
  sample.counts[slot] = (sample.counts[slot] ?? 0) + 1;
  sample.sum += value;
  sample.count += 1;
  sample.min = Math.min(sample.min, value);
  sample.max = Math.max(sample.max, value);
}

function tell(
  { attributes, counts, ...sample }: Sample,
  boundaries: readonly number[],
  startTime: HrTime,
  endTime: HrTime,
): DataPoint<HistogramMetricData["dataPoints"][number]["value"]> {
  return {
    startTime,
    endTime,
    attributes,
    value: { ...sample, buckets: { boundaries: [...boundaries], counts: [...counts] } },
  };
}
