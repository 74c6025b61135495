// What calls cost a server: the processor's time, as Linux says it of each process, and how long callers wait. The servers take turns, and are called
// over stdio against an upstream in this process that answers 1 kB of JSON.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { here, median, openServer, table, vitrineServer } from "./measure.mjs";

const CALLS = 1_500;
/** Until the code is compiled, and the tools have what events call them by. */
const WARM_UP = 1_500;
const TICK_MS = 10;
const TENANTS = Array.from({ length: 12 }, (_, at) => ({ tenantId: `t-${at}`, name: `Tenant ${at}`, currency: "USD" }));

/**
 * `servers(home)` gives of each its name, further arguments and environment; the first one is what the others are held against. Only one runs at a time:
 * what another still does in the background would take from the same core. Who begins changes from round to round.
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
  for (let round = 0; round < rounds; round += 1) {
    const first = round % measured.length;
    for (const { name, args: more = [], env: own = {}, runs } of [
      ...measured.slice(first),
      ...measured.slice(0, first),
    ]) {
      const { args } = vitrineServer(name, "warm", here("../curation/ledger.yaml"), ...more);
      const server = openServer(args, { ...env, ...own });
      await server.list();
      await callOften(server, warmUp);
      runs.push(await callOften(server, CALLS));
      await server.end();
    }
  }
  upstream.close();
  upstream.closeAllConnections();
  rmSync(home, { recursive: true });
  return costTable(what, measured);
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
  const spent = processorMs(server.pid) - before;
  return { spent: spent / calls, times };
}

/** Of all threads, in user and kernel mode (proc(5), stat, fields 14 and 15). */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function costTable(what, started) {
  const [floor] = started;
  const total = ({ runs }) => runs.reduce((sum, { spent }) => sum + spent, 0) / runs.length;
  const quantile = ({ runs }, share) => {
    const times = runs.flatMap((run) => run.times).toSorted((a, b) => a - b);
    return times[Math.floor(times.length * share)];
  };
  const rows = started.map((one) => {
    const ratios = one.runs.map(({ spent }, round) => spent / floor.runs[round].spent);
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(one, share));
    return [
      one.name,
      total(one).toFixed(3),
      median(ratios).toFixed(3),
      (total(one) / total(floor)).toFixed(3),
      p50.toFixed(2),
      p99.toFixed(2),
      (p99 / quantile(floor, 0.99)).toFixed(2),
    ];
  });
  return table([what, "processor, ms a call", "ratio, median", "ratio, all", "p50, ms", "p99, ms", "p99, ratio"], rows);
}
