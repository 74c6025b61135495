import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { MadeSpan, SpanSink } from "./make-span.ts";
import type { OtlpProtocol } from "./otel-settings.ts";
import { type KeptSpan, openSpanWriter } from "./write-spans.ts";

export interface TraceExporter {
  readonly exporter: SpanExporter;
  /** Makes of a span what waits for the exporter, which takes nothing else. */
  keep(span: MadeSpan): ReadableSpan;
}

/**
 * OpenTelemetry's own exporter, which reads the environment itself. In protobuf it is put together as its package does it, but for what writes the spans:
 * so where and how they are sent, and what is tried again, is as the standard variables say.
 */
export async function openTraceExporter(
  protocol: OtlpProtocol,
  common: Pick<SpanSink, "resource" | "scope">,
): Promise<TraceExporter> {
  if (protocol === "http/json") {
    const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
    return { exporter: new OTLPTraceExporter(), keep: (span) => span };
  }
  const [base, transformer] = await Promise.all([
    import("@opentelemetry/otlp-exporter-base/node-http"),
    import("@opentelemetry/otlp-transformer"),
  ]);
  const { deserializeResponse } = transformer.ProtobufTraceSerializer;
  const { keep, join } = openSpanWriter(common);
  // The queue hands on what it was given.
  const serializeRequest = (spans: ReadableSpan[]): Uint8Array => join(spans as unknown as KeptSpan[]);
  const exporter = base.createOtlpHttpExportDelegate(
    base.convertLegacyHttpOptions({}, "TRACES", "v1/traces", { "Content-Type": "application/x-protobuf" }),
    { serializeRequest, deserializeResponse },
    "otlp_http_span_exporter",
    transformer.TraceExporterMetricsHelper,
    undefined,
  );
  return { exporter, keep: (span) => keep(span) as unknown as ReadableSpan };
}
