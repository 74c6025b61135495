// What calls cost a server: the processor's time, as Linux says it of each process, and how long callers wait. The servers take turns, and are called
// over stdio against an upstream in this process that answers 1 kB of JSON.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { here, median, openServer, quantile, table, vitrineServer } from "./measure.mjs";

const CALLS = 500;
/** Until the code is compiled, and the tools have what events call them by. */
const WARM_UP = 1_500;
const TENANTS = Array.from({ length: 12 }, (_, at) => ({ tenantId: `t-${at}`, name: `Tenant ${at}`, currency: "USD" }));

/** Of the same program one process is compiled to faster code than another, for as long as it lives: each server is started so often. */
const STARTS = 3;

/**
 * `servers(home)` gives of each its name, further arguments and environment; the first one is what the others are held against. They are called in turns,
 * each when the one before it has come to rest: what that does later is part of what its calls cost, and would take from the next one's core.
 */
export async function measureCalls(rounds, what, servers, warmUp = WARM_UP) {
  const upstream = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ tenants: TENANTS }));
  });
  await new Promise((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const home = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const env = { LEDGER_URL: `http://127.0.0.1:${upstream.address().port}`, XDG_CACHE_HOME: home };
  const measured = servers(home).map((one) => ({ ...one, runs: [] }));
  for (let start = 0; start < STARTS; start += 1) {
    const started = measured.map(({ name, args: more = [], env: own = {}, runs }) => {
      const { args } = vitrineServer(name, "warm", here("../curation/ledger.yaml"), ...more);
      return { server: openServer(args, { ...env, ...own }), runs };
    });
    for (const { server } of started) {
      await server.list();
      await callOften(server, warmUp);
    }
    for (let round = 0; round < rounds; round += 1)
      for (const { server, runs } of turned(started, round)) runs.push(await callOften(server, CALLS));
    for (const { server } of started) await server.end();
  }
  upstream.close();
  upstream.closeAllConnections();
  rmSync(home, { recursive: true });
  return costTable(what, measured);
}

/** Another begins each time. */
function turned(list, by) {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

async function callOften(server, calls) {
  const times = [];
  const before = processorMs(server.pid);
  for (let call = 0; call < calls; call += 1) {
    const begin = performance.now();
    const { result } = await server.call("ledger_list_tenants", {});
    times.push(performance.now() - begin);
    if (result === undefined || result.isError) throw new Error(`The call failed: ${JSON.stringify(result)}`);
  }
  return { spent: ((await processorAtRest(server.pid)) - before) / calls, times };
}

const REST_MS = 300;

/** When it has not used any for a while. */
async function processorAtRest(pid) {
  for (let last = processorMs(pid); ; ) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = processorMs(pid);
    if (now - last < 1) return now;
    last = now;
  }
}

/** Of all threads, to the nanosecond (proc(5), the first number of schedstat). */
function processorMs(pid) {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((id) =>
    Number(readFileSync(join(tasks, id, "schedstat"), "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

function costTable(what, started) {
  const [floor] = started;
  // What else the machine does only ever adds: the lower quarter of the rounds tells most of the program.
  const least = ({ runs }) =>
    quantile(
      runs.map(({ spent }) => spent),
      0.25,
    );
  const waits = ({ runs }, share) =>
    quantile(
      runs.flatMap((run) => run.times),
      share,
    );
  const rows = started.map((one) => {
    const ratios = one.runs.map(({ spent }, round) => spent / floor.runs[round].spent);
    const [p50, p99] = [0.5, 0.99].map((share) => waits(one, share));
    return [
      one.name,
      least(one).toFixed(3),
      (least(one) / least(floor)).toFixed(3),
      median(ratios).toFixed(3),
      p50.toFixed(2),
      p99.toFixed(2),
      (p99 / waits(floor, 0.99)).toFixed(2),
    ];
  });
  return table([what, "processor, ms a call", "ratio", "median of rounds", "p50, ms", "p99, ms", "p99, ratio"], rows);
}
