// What traces cost a call by themselves: a watcher is told of calls as a server tells it, in this process, and the collector is another one. All threads
// count, so what is sent, compiled and collected as garbage is in it; what the rest of a call takes is not, which is larger than the noise of a machine.
import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { BUNDLED } from "../../bundle.mjs";
import { bounds, here, median, shuffle, table } from "../measure.mjs";
import { CALLS } from "./call-blocks.mjs";

const AT_ONCE = 32;
const WARM_UP = 40;
/** Of each round of a bench. */
const ROUNDS = 20;
/** A batch is sent, and threads that compile or collect garbage have come to their end. */
const REST_MS = 15;
const UPSTREAM = { ms: 3, calls: 1, bytes: 1_034 };
const META = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

export async function tracedCalls(rounds) {
  const collector = fork(here("overhead/collector.mjs"));
  const [port] = await once(collector, "message");
  const outdir = here("../node_modules/.cache/vitrine-bench/traced");
  const entryPoints = { traces: here("../src/telemetry/open-traces.ts") };
  await build({ ...BUNDLED, entryPoints, outdir, outExtension: { ".js": ".mjs" } });
  const { openTraces } = await import(`${outdir}/traces.mjs`);
  const open = async (protocol) => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_METRICS_EXPORTER: "none",
    };
    const before = { ...process.env };
    // The packages read it when they are opened.
    Object.assign(process.env, env);
    const traces = await openTraces({ env, version: "bench", note: console.error, report: console.error });
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
    return { name: protocol, watcher: traces.watcher, close: traces.close, spent: [] };
  };
  const nothing = { observe() {}, headers: () => [], end() {} };
  const ways = [
    { name: "nothing", watcher: { begin: () => nothing }, close: () => {}, spent: [] },
    await open("http/protobuf"),
    await open("http/json"),
  ];
  for (let round = -WARM_UP; round < rounds * ROUNDS; round += 1) {
    for (const { watcher, spent } of shuffle(ways)) {
      await wait(REST_MS);
      const before = process.cpuUsage();
      for (let done = 0; done < CALLS; done += AT_ONCE) await watchSome(watcher);
      await wait(REST_MS);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) spent.push((user + system) / CALLS);
    }
  }
  for (const { close } of ways) await close();
  collector.disconnect();
  rmSync(outdir, { recursive: true });
  const [floor, ...others] = ways;
  const rows = others.map(({ name, spent }) => {
    const own = spent.map((micros, round) => micros - floor.spent[round]);
    const [low, high] = bounds(own);
    return [name, own.length, median(own).toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`];
  });
  return table(["sent as", "blocks", "processor, µs a call", "95 %"], rows);
}

async function watchSome(watcher) {
  const calls = Array.from({ length: AT_ONCE }, (_, at) => {
    const begun = { server: "ledger", tool: "ledger_list_tenants", known: true, transport: "tcp", meta: META };
    const url = `http://127.0.0.1:4040/tenants?at=${at}`;
    const request = { operation: "GET /tenants", method: "GET", url, headers: [], safe: true };
    return { request, watch: watcher.begin(begun) };
  });
  await turn();
  for (const { request, watch } of calls) {
    watch.observe({ type: "request", tool: "ledger_list_tenants", request });
    watch.headers(request);
  }
  await turn();
  for (const { request, watch } of calls) {
    const reply = { status: 200, headers: new Map(), bytes: UPSTREAM.bytes, body: { kind: "empty" } };
    watch.observe({ type: "reply", tool: "ledger_list_tenants", request, reply, ms: 3 });
    const how = { ms: 4, channel: null, error: null, bytesIn: 2, bytesOut: 1_300, rowsOmitted: 0 };
    watch.end({ ...how, upstream: UPSTREAM });
  }
  await turn();
}
