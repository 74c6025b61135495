type Env = Readonly<Record<string, string | undefined>>;

export type OtlpProtocol = "http/protobuf" | "http/json";

/** What the environment asks for (OpenTelemetry, Environment Variable Specification). What the packages read themselves is not here. */
export interface OtelSettings {
  /** Absent: no spans. */
  readonly traces?: { readonly protocol: OtlpProtocol };
  /** Absent: no metrics. */
  readonly metrics?: { readonly protocol: OtlpProtocol; readonly intervalMs: number; readonly timeoutMs: number };
  /** W3C Trace Context is read and passed on. */
  readonly propagate: boolean;
  /** What cannot be done, in lines for the operator. */
  readonly complaints: readonly string[];
}

type Signal = "TRACES" | "METRICS";

const PROTOCOLS: ReadonlySet<string> = new Set<OtlpProtocol>(["http/protobuf", "http/json"]);
const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 30_000;

/**
 * Off unless something says where to: the standard's own default, a collector on this machine, would have every server try to reach one. Variables that
 * are empty count as unset.
 */
export function readOtelSettings(env: Env): OtelSettings {
  const complaints: string[] = [];
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const propagators = given("OTEL_PROPAGATORS")?.split(",");
  const propagate = propagators?.some((name) => name.trim() === "tracecontext") ?? true;
  if (given("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return { propagate, complaints };
  const protocolOf = (signal: Signal): OtlpProtocol | undefined => readSignal(signal, given, complaints);
  const traces = protocolOf("TRACES");
  const metrics = protocolOf("METRICS");
  const intervalMs = readMs(given("OTEL_METRIC_EXPORT_INTERVAL")) ?? INTERVAL_MS;
  const timeoutMs = Math.min(intervalMs, readMs(given("OTEL_METRIC_EXPORT_TIMEOUT")) ?? TIMEOUT_MS);
  return {
    ...(traces && { traces: { protocol: traces } }),
    ...(metrics && { metrics: { protocol: metrics, intervalMs, timeoutMs } }),
    propagate,
    complaints,
  };
}

function readSignal(
  signal: Signal,
  given: (name: string) => string | undefined,
  complaints: string[],
): OtlpProtocol | undefined {
  const of = (name: string): readonly [name: string, value: string] | undefined =>
    [`OTEL_EXPORTER_OTLP_${signal}_${name}`, `OTEL_EXPORTER_OTLP_${name}`]
      .map((one) => [one, given(one) ?? ""] as const)
      .find(([, value]) => value !== "");
  const endpoint = of("ENDPOINT");
  const [, protocol] = of("PROTOCOL") ?? [];
  const asked = given(`OTEL_${signal}_EXPORTER`) ?? (endpoint === undefined ? "none" : "otlp");
  const exporters = asked.split(",").map((name) => name.trim());
  for (const name of exporters) {
    // What is measured stands at /metrics anyway, where HTTP is served.
    if (name === "otlp" || name === "none" || (name === "prometheus" && signal === "METRICS")) continue;
    complaints.push(`OTEL_${signal}_EXPORTER: ${plain(name)} is not known here; otlp and none are.`);
  }
  if (!exporters.includes("otlp")) return undefined;
  if (endpoint !== undefined && !isWebAddress(endpoint[1])) {
    complaints.push(`${endpoint[0]} is no http or https URL, so no ${signal.toLowerCase()} are sent.`);
    return undefined;
  }
  if (protocol === undefined || isProtocol(protocol)) return protocol ?? "http/protobuf";
  complaints.push(
    `OTEL_EXPORTER_OTLP_PROTOCOL: ${plain(protocol)} is not known here, so no ${signal.toLowerCase()} are sent; http/protobuf and http/json are.`,
  );
  return undefined;
}

function isProtocol(text: string): text is OtlpProtocol {
  return PROTOCOLS.has(text);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readMs(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** It may be a secret that stands in the wrong place. */
function plain(text: string): string {
  return /^[\w/.-]{1,20}$/.test(text) ? text : "its value";
}
