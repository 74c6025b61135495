import { randomUUID } from "node:crypto";
import type { Meter } from "@opentelemetry/api";
import { makeSampler } from "./make-sampler.ts";
import type { SpanSink } from "./make-span.ts";
import { type Histograms, openHistograms } from "./open-histograms.ts";
import { openSpanQueue, type SpanQueue } from "./open-span-queue.ts";
import { openTraceExporter } from "./open-trace-exporter.ts";
import type { OtelSettings, OtlpProtocol } from "./otel-settings.ts";
import { openRandomIds } from "./random-ids.ts";
import type { SpanSettings } from "./span-settings.ts";
import { tellFailures } from "./tell-failures.ts";

/** The part of OpenTelemetry that is loaded. */
export interface Sdk {
  readonly api: typeof import("@opentelemetry/api");
  /** Absent: no spans are asked for. */
  readonly spans?: SpanSink;
  readonly queue?: Pick<SpanQueue, "lost" | "end">;
  readonly metrics?: { readonly meter: Meter; readonly histograms: Histograms };
  /** Sends what waits. May take as long as the collector lets it. */
  shutdown(): Promise<void>;
}

export interface SdkOptions {
  readonly settings: OtelSettings;
  readonly spans: SpanSettings;
  readonly version: string;
  note(line: string): void;
}

const SCOPE = "vitrine";

/**
 * Loads what is asked for, and nothing is registered with anybody: whoever uses this process's packages too sees none of it. Throws what `import` throws
 * where a package is missing.
 */
export async function loadSdk({ settings, spans, version, note }: SdkOptions): Promise<Sdk> {
  const { traces, metrics } = settings;
  const [api, resource] = await Promise.all([import("@opentelemetry/api"), describeService(version)]);
  const scope = { name: SCOPE, version };
  const closers: (() => Promise<void>)[] = [];
  const sdk: Pick<{ -readonly [K in keyof Sdk]: Sdk[K] }, "spans" | "queue" | "metrics"> = {};
  if (traces !== undefined) {
    const packages = await import("@opentelemetry/sdk-trace-base");
    const { exporter, keep } = await openTraceExporter(traces.protocol, { resource, scope });
    const sending = { exporter: tellFailures(exporter, "traces", note), keep };
    const queue = openSpanQueue(packages, sending, { mostWaiting: spans.mostWaiting, note });
    closers.push(queue.shutdown);
    sdk.queue = queue;
    sdk.spans = {
      sampler: makeSampler(packages, spans),
      ids: openRandomIds(),
      resource,
      scope,
      ...(spans.limits && { limits: spans.limits }),
      take: queue.take,
    };
  }
  if (metrics !== undefined) {
    const packages = await import("@opentelemetry/sdk-metrics");
    const { AggregationTemporality, InstrumentType, MeterProvider, PeriodicExportingMetricReader } = packages;
    const exporter = tellFailures(await makeMetricExporter(metrics.protocol), "metrics", note);
    const { intervalMs: exportIntervalMillis, timeoutMs: exportTimeoutMillis } = metrics;
    const isDelta = exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM) === AggregationTemporality.DELTA;
    const histograms = openHistograms(packages, { scope, isDelta, resource, valueType: api.ValueType.DOUBLE });
    const metricProducers = [histograms.producer];
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis,
      metricProducers,
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    closers.push(() => provider.shutdown());
    sdk.metrics = { meter: provider.getMeter(SCOPE, version), histograms };
  }
  const shutdown = async (): Promise<void> => void (await Promise.allSettled(closers.map((close) => close())));
  return { api, ...sdk, shutdown };
}

/** Of several processes each counts by itself: what all sent under one name would be taken for one count that goes up and down. */
const ONE_PROCESS = { "service.instance.id": randomUUID() };

/** As the environment says (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES). The process is not described: its arguments are nobody's. */
async function describeService(version: string) {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  return defaultResource()
    .merge(resourceFromAttributes({ "service.name": SCOPE, "service.version": version, ...ONE_PROCESS }))
    .merge(detectResources({ detectors: [envDetector] }));
}

async function makeMetricExporter(protocol: OtlpProtocol) {
  const { OTLPMetricExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-metrics-otlp-http")
      : await import("@opentelemetry/exporter-metrics-otlp-proto");
  return new OTLPMetricExporter();
}
