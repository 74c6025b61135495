import type { IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type MadeSpan, makeSpan } from "../../src/telemetry/traces/make-span.ts";
import { openTraceExporter, type TraceExporter } from "../../src/telemetry/traces/open-trace-exporter.ts";
import { openRandomIds } from "../../src/telemetry/traces/random-ids.ts";
import { type Served, serve } from "../egress/serve.ts";

interface Came {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let collector: Served;
const came: Came[] = [];
/** Of the answers, in their order; 200 where there is none left. */
const statuses: number[] = [];
beforeAll(async () => {
  collector = await serve(async (request, response) => {
    const { method, url, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    came.push({ method, url, headers, body: Buffer.concat(chunks) });
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "0" }).end();
  });
});
afterAll(() => collector.close());
afterEach(() => {
  vi.unstubAllEnvs();
  came.length = 0;
  statuses.length = 0;
});

const common = { resource: resourceFromAttributes({ "service.name": "a" }), scope: { name: "s", version: "1" } };
const ids = openRandomIds();
const sink = { ...common, ids, sampler: { shouldSample: () => ({ decision: 2 }) }, take: () => {} };
const spans: MadeSpan[] = ["one", "two"].map((name) =>
  makeSpan(sink, {
    name,
    kind: 2,
    context: { traceId: ids.generateTraceId(), spanId: ids.generateSpanId(), traceFlags: 1 },
    parent: undefined,
    start: 1_795_000_000_000.25,
    end: 1_795_000_000_001.5,
    failed: name === "two",
    shared: { attributes: { tool: "t" } },
    own: { bytes: 12 },
  }),
);

async function send({ exporter, keep }: TraceExporter): Promise<number> {
  const { code } = await new Promise<{ code: number }>((resolve) => exporter.export(spans.map(keep), resolve));
  await exporter.shutdown();
  return code;
}

describe("spans are sent as OpenTelemetry's own exporter sends them", () => {
  test.each<[title: string, env: Record<string, string>, answers: readonly number[], times: number]>([
    ["to where it says", {}, [], 1],
    ["with headers of the operator's", { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a,x-b=c" }, [], 1],
    ["with headers for traces alone", { OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-b=c" }, [], 1],
    ["compressed", { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" }, [], 1],
    ["again where the collector is busy", {}, [503, 429], 3],
    ["once where the collector refuses them", {}, [400], 1],
  ])("%s", async (_, env, answers, times) => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const sendBy = async (exporter: TraceExporter) => {
      came.length = 0;
      statuses.push(...answers);
      const code = await send(exporter);
      return { code, requests: came.map(plainOf) };
    };
    const want = await sendBy({ exporter: new OTLPTraceExporter(), keep: (span) => span });
    expect(want.requests.map(({ url }) => url)).toStrictEqual(Array(times).fill("/v1/traces"));
    expect(await sendBy(await openTraceExporter("http/protobuf", common))).toStrictEqual(want);
  });

  test("to a place of their own", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", `${collector.url}/mine`);
    expect(await send(await openTraceExporter("http/protobuf", common))).toBe(0);
    expect(came.map(({ url }) => url)).toStrictEqual(["/mine"]);
  });
});

function plainOf({ headers, body, ...rest }: Came) {
  const { host: _, ...others } = headers;
  return { ...rest, headers: others, body: headers["content-encoding"] === "gzip" ? gunzipSync(body) : body };
}
