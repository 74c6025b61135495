import { describe, expect, test } from "vitest";
import { readOtelSettings } from "../../src/telemetry/traces/otel-settings.ts";

const AT = "http://127.0.0.1:4318";
const METRICS = { protocol: "http/protobuf", intervalMs: 60_000, timeoutMs: 30_000 };
const TRACES = { protocol: "http/protobuf" };

describe("the environment", () => {
  test.each<
    [title: string, env: Record<string, string>, want: { traces?: object; metrics?: object; propagate?: boolean }]
  >([
    ["asks for nothing by itself", {}, {}],
    [
      "asks for nothing with variables that are empty",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_EXPORTER: " " },
      {},
    ],
    ["asks for nothing with a name alone", { OTEL_SERVICE_NAME: "a" }, {}],
    [
      "asks for both by where the collector is",
      { OTEL_EXPORTER_OTLP_ENDPOINT: AT },
      { traces: TRACES, metrics: METRICS },
    ],
    ["asks for traces by where theirs is", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: AT }, { traces: TRACES }],
    ["asks for metrics by where theirs is", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: AT }, { metrics: METRICS }],
    ["asks for traces by their exporter", { OTEL_TRACES_EXPORTER: "otlp" }, { traces: TRACES }],
    [
      "leaves out what it asks for none of",
      { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_METRICS_EXPORTER: "none" },
      { traces: TRACES },
    ],
    ["has metrics at /metrics", { OTEL_METRICS_EXPORTER: "prometheus" }, {}],
    ["switches everything off", { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_SDK_DISABLED: "TRUE" }, {}],
    [
      "chooses JSON",
      { OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
      { traces: { protocol: "http/json" }, metrics: { ...METRICS, protocol: "http/json" } },
    ],
    [
      "chooses a protocol for one of them",
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: AT,
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
        OTEL_METRICS_EXPORTER: "none",
      },
      { traces: { protocol: "http/json" } },
    ],
    [
      "says how often",
      { OTEL_METRICS_EXPORTER: "otlp", OTEL_METRIC_EXPORT_INTERVAL: "5000" },
      { metrics: { ...METRICS, intervalMs: 5000, timeoutMs: 5000 } },
    ],
    [
      "says how often in what is no number",
      { OTEL_METRICS_EXPORTER: "otlp", OTEL_METRIC_EXPORT_INTERVAL: "-1", OTEL_METRIC_EXPORT_TIMEOUT: "soon" },
      { metrics: METRICS },
    ],
    [
      "passes no context on",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_PROPAGATORS: "b3" },
      { traces: TRACES, propagate: false },
    ],
    [
      "passes context on",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_PROPAGATORS: "baggage, tracecontext" },
      { traces: TRACES },
    ],
  ])("%s", (_, env, want) => {
    expect(readOtelSettings(env)).toStrictEqual({ propagate: true, ...want, complaints: [] });
  });

  test.each<[title: string, env: Record<string, string>, said: string[]]>([
    [
      "an exporter",
      { OTEL_TRACES_EXPORTER: "zipkin" },
      ["OTEL_TRACES_EXPORTER: zipkin is not known here; otlp and none are."],
    ],
    [
      "the console, which is the protocol's",
      { OTEL_METRICS_EXPORTER: "console" },
      ["OTEL_METRICS_EXPORTER: console is not known here; otlp and none are."],
    ],
    [
      "a secret in its place",
      { OTEL_TRACES_EXPORTER: "Bearer canary-1" },
      ["OTEL_TRACES_EXPORTER: its value is not known here; otlp and none are."],
    ],
    [
      "a protocol",
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      ["OTEL_EXPORTER_OTLP_PROTOCOL: grpc is not known here, so no traces are sent; http/protobuf and http/json are."],
    ],
    [
      "an address",
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "collector:4318" },
      ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no http or https URL, so no traces are sent."],
    ],
  ])("is told what cannot be done: %s", (_, env, said) => {
    expect(readOtelSettings(env)).toStrictEqual({ propagate: true, complaints: said });
  });
});
