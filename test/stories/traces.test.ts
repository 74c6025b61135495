import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { INITIALIZE, LOADER, type Running, start } from "../cli/running.ts";
import { freePort, type Served, serve, serveBytes } from "../egress/serve.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { cleanEnv, program, repository } from "../setup/program.ts";
import { openReceiver, type Receiver } from "../telemetry/otlp-receiver.ts";
import { readPrometheus } from "../telemetry/prometheus-text.ts";

const SPEC = `openapi: 3.1.0
info: {title: Depot, version: "1"}
security: [{key: []}]
paths:
  /items/{id}:
    get:
      operationId: getItem
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
        - {name: traceparent, in: header, schema: {type: string}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, note: {type: string}}}}}}}
components: {securitySchemes: {key: {type: apiKey, in: query, name: key}}}
`;
const CURATION = `vitrine: 1
api: {spec: ./spec.yaml, baseUrl: "\${env.URL}", auth: {key: {apiKey: "\${env.KEY}"}}, retries: 1}
server: {name: depot}
tools:
  get_item:
    operation: getItem
    use: See an item.
    input: {id: {describe: Its name.}, q: {describe: A word.}}
    errors: [{status: 409, error: depot_closed, recover: Come back later.}]
  get_traced:
    operation: getItem
    use: See an item with a trace of its own.
    input: {id: {describe: Its name.}}
    args: {header.traceparent: of-the-curation}
`;
const CANARY = "canary-9c3e";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const _meta = { traceparent: `00-${TRACE}-${PARENT}-01`, note: CANARY, "io.vitrine/run-id": CANARY };

const folder = mkdtempSync(join(tmpdir(), "vitrine-traces-"));
const curation = join(folder, "depot", "depot.yaml");
const heard: IncomingHttpHeaders[] = [];
let api: Served;
beforeAll(async () => {
  mkdirSync(join(folder, "depot"));
  writeFileSync(join(folder, "depot", "spec.yaml"), SPEC);
  writeFileSync(curation, CURATION);
  api = await serve((request, response) => {
    heard.push(request.headers);
    const status = Number(/\/items\/(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify({ id: "a", note: `${CANARY}-note`, message: `${CANARY}-words` }));
  });
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true });
});

let collector: Receiver;
beforeEach(async () => {
  heard.length = 0;
  collector = await openReceiver();
});
afterEach(() => collector.close());

const env = (more: Record<string, string> = {}) => ({ URL: api.url, KEY: `${CANARY}-key`, ...more });
const traced = (more: Record<string, string> = {}) => env({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more });
const QUICK = { OTEL_BSP_SCHEDULE_DELAY: "20", OTEL_METRIC_EXPORT_INTERVAL: "100" };

async function initialize(server: Running): Promise<void> {
  await server.ask(1, "initialize", INITIALIZE);
  await server.ask(2, "tools/list");
}

async function endOf(server: Running): Promise<{ code: number | null; ms: number }> {
  const begin = performance.now();
  server.child.stdin.end();
  return { code: await server.ended(), ms: performance.now() - begin };
}

describe("serve with OTEL_ variables", () => {
  test.each(PEERS)(
    "sends a trace of what the calls of the %s did, over stdio, and nothing of what they said",
    async (peer) => {
      const client = await connect(peer, {
        command: process.execPath,
        args: [program, "serve", curation],
        env: cleanEnv(traced({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_SERVICE_NAME: "depot-tools", ...QUICK })),
      });
      const call = (name: string, id: string) => client.callTool({ name, arguments: { id, q: CANARY }, _meta });
      await client.listTools();
      await call("get_item", CANARY);
      await call("get_item", "409");
      await call("get_item", "503");
      await call(CANARY, CANARY).catch(() => {});
      await client.callTool({ name: "get_item", arguments: { [CANARY]: 1 } });
      await client.close();
      await vi.waitFor(() => expect(collector.spans).toHaveLength(9), { timeout: 10_000, interval: 20 });
      await vi.waitFor(
        () => expect(collector.metrics.get("vitrine.calls")?.map(({ count }) => count)).toStrictEqual([4, 1]),
        {
          timeout: 10_000,
          interval: 20,
        },
      );
      expect(collector.resource).toMatchObject({ "service.name": "depot-tools", "telemetry.sdk.language": "nodejs" });
      expect(collector.resource["service.instance.id"]).toMatch(/^[0-9a-f-]{36}$/);
      const calls = collector.spans.filter(({ kind }) => kind === 2);
      expect(
        calls.map(({ name, attributes }) => [name, attributes["error.type"], attributes["vitrine.error"]]),
      ).toStrictEqual([
        ["tools/call get_item", undefined, undefined],
        ["tools/call get_item", "tool_error", "depot_closed"],
        ["tools/call get_item", "tool_error", "upstream_unavailable"],
        ["tools/call", "-32602", "unknown_tool"],
        ["tools/call get_item", "tool_error", "unknown_argument"],
      ]);
      expect(calls.slice(0, 4).map(({ trace, parent }) => [trace, parent])).toStrictEqual(
        Array(4).fill([TRACE, PARENT]),
      );
      const requests = collector.spans.filter(({ kind }) => kind === 3);
      expect(
        requests.map(({ name, attributes, failed }) => [name, attributes["http.response.status_code"], failed]),
      ).toStrictEqual([
        ["GET /items/{id}", 200, false],
        ["GET /items/{id}", 409, true],
        ["GET /items/{id}", 503, true],
        ["GET /items/{id}", 503, true],
      ]);
      expect(requests.map(({ parent }) => calls.findIndex(({ id }) => id === parent))).toStrictEqual([0, 1, 2, 2]);
      // The API is told whose request it is, of each time that it is sent.
      expect(heard.map(({ traceparent }) => traceparent)).toStrictEqual(
        requests.map(({ id }) => `00-${TRACE}-${id}-01`),
      );
      expect(heard.every(({ tracestate, baggage }) => tracestate === undefined && baggage === undefined)).toBe(true);
      expect([...collector.metrics.keys()].toSorted()).toStrictEqual([
        "http.client.request.duration",
        "mcp.server.operation.duration",
        "vitrine.bytes",
        "vitrine.calls",
        "vitrine.errors",
      ]);
      expect(collector.bodies.join("\n")).not.toContain(CANARY);
    },
  );

  test.each(PEERS)("and of those of the %s over HTTP, at the same time, in protobuf", async (peer) => {
    const server = start(["serve", curation, "--http", "127.0.0.1:0"], traced());
    const url = (await server.said("err", "Serving")).split(" ").at(-1)!;
    const client = await connect(peer, { url });
    const ids = ["200", "409", "200", "404", "200"];
    await Promise.all(ids.map((id) => client.callTool({ name: "get_item", arguments: { id, q: CANARY }, _meta })));
    await client.close();
    server.child.kill("SIGTERM");
    expect(await server.ended()).toBe(0);
    // Nothing was due yet: all of it was sent at the end.
    const calls = collector.spans.filter(({ kind }) => kind === 2);
    const requests = collector.spans.filter(({ kind }) => kind === 3);
    expect([calls.length, requests.length]).toStrictEqual([5, 5]);
    for (const { id, attributes } of calls) {
      expect(attributes).toMatchObject({ "network.transport": "tcp", "gen_ai.tool.name": "get_item" });
      const own = requests.filter(({ parent }) => parent === id);
      const status = own.map((one) => one.attributes["http.response.status_code"]);
      const want = { depot_closed: 409, upstream_not_found: 404 }[String(attributes["vitrine.error"])] ?? 200;
      expect(status).toStrictEqual([want]);
    }
    const durations = collector.metrics.get("mcp.server.operation.duration");
    expect(durations?.map(({ attributes, count }) => [attributes["error.type"], count]).toSorted()).toStrictEqual([
      [undefined, 3],
      ["tool_error", 2],
    ]);
    expect(collector.headers[0]).toMatchObject({ "content-type": "application/x-protobuf" });
    expect(collector.bodies.join("\n")).not.toContain(CANARY);
  });

  test("does not take the place of a trace header that the curation sends itself", async () => {
    const server = start(["serve", curation], traced());
    await initialize(server);
    await server.ask(3, "tools/call", { name: "get_traced", arguments: { id: "a" }, _meta });
    await endOf(server);
    expect(heard.map(({ traceparent }) => traceparent)).toStrictEqual(["of-the-curation"]);
  });

  test("shows the collector its credential, and nobody else", async () => {
    const server = start(["serve", curation], traced({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token-1" }));
    await initialize(server);
    await server.ask(3, "tools/call", { name: "get_item", arguments: { id: "a" } });
    await endOf(server);
    expect(collector.headers[0]).toMatchObject({ authorization: "Bearer token-1" });
    expect(JSON.stringify([server.err, heard])).not.toContain("token-1");
  });
});

describe("a collector that takes nothing", () => {
  const GONE: [how: string, open: () => Promise<{ port: number; close(): Promise<void> }>, said: RegExp | undefined][] =
    [
      ["is not there", async () => ({ port: await freePort(), close: async () => {} }), /ECONNREFUSED/],
      ["never answers", async () => serveBytes(() => {}), undefined],
      ["refuses", async () => serve((_, response) => response.writeHead(401).end(`${CANARY}-refusal`)), /status 401/],
      ["breaks off", async () => serveBytes((socket) => socket.destroy()), undefined],
      ["answers what is no HTTP", async () => serveBytes((socket) => socket.end("tea")), undefined],
    ];

  test.each(GONE)("and %s changes no call, and the process ends in time", async (_, open, said) => {
    const gone = await open();
    const plain = start(["serve", curation], env());
    const own = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${gone.port}`,
      ...(said && { OTEL_EXPORTER_OTLP_TIMEOUT: "200" }),
      ...QUICK,
    };
    const server = start(["serve", curation], env(own));
    for (const one of [plain, server]) await initialize(one);
    for (let id = 3; id < 33; id += 1) {
      const params = { name: "get_item", arguments: { id: id % 3 === 0 ? "409" : "a" } };
      const [want, got] = await Promise.all([plain, server].map((one) => one.ask(id, "tools/call", params)));
      expect(got).toStrictEqual(want);
    }
    if (said !== undefined) {
      const line = await server.said("err", "collector");
      expect(line).toMatch(said);
    }
    await endOf(plain);
    const { code, ms } = await endOf(server);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(4_000);
    // Once a minute, of traces and of metrics.
    expect(server.err.filter((line) => line.includes("collector")).length).toBeLessThanOrEqual(2);
    expect(server.err.join("\n")).not.toContain(CANARY);
    await gone.close();
  });
});

test("a collector that is stopped in the midst of it changes no call either", async () => {
  const server = start(["serve", curation], traced(QUICK));
  await initialize(server);
  const call = (id: number) => server.ask(id, "tools/call", { name: "get_item", arguments: { id: "a" } });
  const { result } = await call(3);
  await vi.waitFor(() => expect(collector.spans).toHaveLength(2), { timeout: 10_000, interval: 20 });
  await collector.close();
  for (let id = 4; id < 24; id += 1) expect((await call(id)).result).toStrictEqual(result);
  expect((await endOf(server)).code).toBe(0);
});

describe("the packages of OpenTelemetry", () => {
  test.each<[asked: string, want: boolean, more: () => Record<string, string>]>([
    ["without variables", false, () => ({})],
    ["with those that ask for nothing", false, () => ({ OTEL_SERVICE_NAME: "a" })],
    ["where all is off", false, () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: "true" })],
    ["where something is asked for", true, () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })],
  ])("are loaded %s: %s", async (_, want, more) => {
    const server = start(["serve", curation], env(more()), ["--import", LOADER]);
    await initialize(server);
    await server.ask(3, "tools/call", { name: "get_item", arguments: { id: "a" } });
    expect((await endOf(server)).code).toBe(0);
    const loaded = (part: RegExp) => server.err.some((line) => line.startsWith("loaded ") && part.test(line));
    expect(loaded(/node_modules\/@opentelemetry\//)).toBe(want);
    if (Object.keys(more()).length === 0) expect(loaded(/dist\/(open-traces|open-metrics|join-watchers)-/)).toBe(false);
    expect(collector.spans.length > 0).toBe(want);
  });

  test("may be absent: that is said in a line, and serving goes on", async () => {
    const copy = join(folder, "without");
    cpSync(join(repository, "dist"), join(copy, "dist"), { recursive: true });
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync(join(repository, "node_modules"))) {
      if (name !== "@opentelemetry")
        symlinkSync(join(repository, "node_modules", name), join(copy, "node_modules", name));
    }
    const server = start(["serve", curation], traced(), [], join(copy, "dist", "vitrine.js"));
    await initialize(server);
    const { result } = await server.ask(3, "tools/call", { name: "get_item", arguments: { id: "a" } });
    expect(result).toMatchObject({ structuredContent: { id: "a" } });
    expect((await endOf(server)).code).toBe(0);
    expect(server.err).toStrictEqual([
      "vitrine: OTEL_ variables ask for OpenTelemetry, whose packages (optional dependencies, @opentelemetry/…) are not installed. No traces and metrics are sent.",
    ]);
  });
});

describe("/metrics", () => {
  test("counts what was called over HTTP, also where events are lost", async () => {
    const server = start(["serve", curation, "--http", "127.0.0.1:0", "--events", "/dev/full"], env());
    const url = (await server.said("err", "Serving")).split(" ").at(-1)!;
    const client = await connect("v2 SDK, 2026-07-28", { url });
    for (const id of ["a", "b", "409"]) await client.callTool({ name: "get_item", arguments: { id, q: CANARY } });
    await client.callTool({ name: CANARY, arguments: {} }).catch(() => {});
    await client.close();
    const answer = await fetch(url.replace("/mcp", "/metrics"));
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toStrictEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    const text = await answer.text();
    const families = readPrometheus(text);
    const of = (name: string) => families.get(name)?.samples.map(({ labels, value }) => [labels, value]);
    expect(of("vitrine_calls_total")).toStrictEqual([
      [{ server: "depot", tool: "get_item", outcome: "ok" }, 2],
      [{ server: "depot", tool: "get_item", outcome: "tool_error" }, 1],
      [{ server: "depot", tool: "other", outcome: "protocol" }, 1],
    ]);
    expect(of("vitrine_upstream_requests_total")).toStrictEqual([
      [{ server: "depot", status: "2xx" }, 2],
      [{ server: "depot", status: "4xx" }, 1],
    ]);
    expect(families.has("vitrine_events_lost_total")).toBe(true);
    expect(text).not.toContain(CANARY);
    server.child.kill("SIGTERM");
    expect(await server.ended()).toBe(0);
  });

  test("is guarded as the rest is, and is only read", async () => {
    const server = start(["serve", curation, "--http", "127.0.0.1:0"], env());
    const url = new URL((await server.said("err", "Serving")).split(" ").at(-1)!);
    const ask = async (head: string): Promise<string> => {
      const socket = net.connect(Number(url.port), url.hostname);
      socket.end(`${head}\r\nConnection: close\r\n\r\n`);
      let text = "";
      socket.on("data", (chunk) => (text += chunk));
      await once(socket, "close");
      return text;
    };
    expect(await ask("GET /metrics HTTP/1.1\r\nHost: evil.example")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask(`GET /metrics HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: https://evil.example`)).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(await ask(`POST /metrics HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 0`)).toMatch(/^HTTP\/1\.1 405 /);
    expect(await ask(`HEAD /metrics HTTP/1.1\r\nHost: ${url.host}`)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
    server.child.kill("SIGTERM");
    await server.ended();
  });
});
