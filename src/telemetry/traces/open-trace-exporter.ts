import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { MadeSpan, SpanSink } from "./make-span.ts";
import type { OtlpProtocol } from "./otel-settings.ts";
import { openSpanWriter } from "./write-spans.ts";

/**
 * OpenTelemetry's own exporter, which reads the environment itself. In protobuf it is put together as its package does it, but for what writes the spans:
 * so where and how they are sent, and what is tried again, is as the standard variables say. Takes spans of `makeSpan` alone.
 */
export async function openTraceExporter(
  protocol: OtlpProtocol,
  common: Pick<SpanSink, "resource" | "scope">,
): Promise<SpanExporter> {
  if (protocol === "http/json") {
    const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
    return new OTLPTraceExporter();
  }
  const [base, transformer] = await Promise.all([
    import("@opentelemetry/otlp-exporter-base/node-http"),
    import("@opentelemetry/otlp-transformer"),
  ]);
  const { deserializeResponse } = transformer.ProtobufTraceSerializer;
  const write = openSpanWriter(common);
  return base.createOtlpHttpExportDelegate(
    base.convertLegacyHttpOptions({}, "TRACES", "v1/traces", { "Content-Type": "application/x-protobuf" }),
    { serializeRequest: (spans: ReadableSpan[]) => write(spans as MadeSpan[]), deserializeResponse },
    "otlp_http_span_exporter",
    transformer.TraceExporterMetricsHelper,
    undefined,
  );
}
