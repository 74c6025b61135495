import type { Meter, Tracer } from "@opentelemetry/api";
import type { OtelSettings, OtlpProtocol } from "./otel-settings.ts";
import { tellFailures } from "./tell-failures.ts";

/** The part of OpenTelemetry that is loaded. */
export interface Sdk {
  readonly api: typeof import("@opentelemetry/api");
  /** Absent: no spans are asked for. */
  readonly tracer?: Tracer;
  readonly meter?: Meter;
  /** Sends what waits. May take as long as the collector lets it. */
  shutdown(): Promise<void>;
}

export interface SdkOptions {
  readonly settings: OtelSettings;
  readonly version: string;
  note(line: string): void;
}

const SCOPE = "vitrine";

/**
 * Loads what is asked for, and nothing is registered with anybody: whoever uses this process's packages too sees none of it. Throws what `import` throws
 * where a package is missing.
 */
export async function loadSdk({ settings, version, note }: SdkOptions): Promise<Sdk> {
  const { traces, metrics } = settings;
  const [api, resource] = await Promise.all([import("@opentelemetry/api"), describeService(version)]);
  const closers: (() => Promise<void>)[] = [];
  const sdk: { tracer?: Tracer; meter?: Meter } = {};
  if (traces !== undefined) {
    const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
    const exporter = tellFailures(await makeTraceExporter(traces.protocol), "traces", note);
    const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
    closers.push(() => provider.shutdown());
    sdk.tracer = provider.getTracer(SCOPE, version);
  }
  if (metrics !== undefined) {
    const { MeterProvider, PeriodicExportingMetricReader } = await import("@opentelemetry/sdk-metrics");
    const exporter = tellFailures(await makeMetricExporter(metrics.protocol), "metrics", note);
    const { intervalMs: exportIntervalMillis, timeoutMs: exportTimeoutMillis } = metrics;
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis });
    const provider = new MeterProvider({ resource, readers: [reader] });
    closers.push(() => provider.shutdown());
    sdk.meter = provider.getMeter(SCOPE, version);
  }
  const shutdown = async (): Promise<void> => void (await Promise.allSettled(closers.map((close) => close())));
  return { api, ...sdk, shutdown };
}

/** As the environment says (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES). The process is not described: its arguments are nobody's. */
async function describeService(version: string) {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  return defaultResource()
    .merge(resourceFromAttributes({ "service.name": SCOPE, "service.version": version }))
    .merge(detectResources({ detectors: [envDetector] }));
}

async function makeTraceExporter(protocol: OtlpProtocol) {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

async function makeMetricExporter(protocol: OtlpProtocol) {
  const { OTLPMetricExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-metrics-otlp-http")
      : await import("@opentelemetry/exporter-metrics-otlp-proto");
  return new OTLPMetricExporter();
}
