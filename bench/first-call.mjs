// The first tools/call and those after it: over stdio to an upstream in this process that answers 1 kB of JSON. The first comes at once after tools/list,
// as from a script, and has to wait for what calling takes to load; or half a second later, sooner than a model has read the list.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { bareServer, here, median, openServer, runAlone, table, vitrineServer } from "./measure.mjs";

const LATER_CALLS = 50;
const PAUSE_MS = 500;
const TENANTS = Array.from({ length: 12 }, (_, at) => ({ tenantId: `t-${at}`, name: `Tenant ${at}`, currency: "USD" }));

const TARGET = "Target: the first call, half a second after tools/list, at most 1.15 of the bare server.";

export async function firstCall(rounds) {
  const upstream = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ tenants: TENANTS }));
  });
  await new Promise((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${upstream.address().port}`;
  const home = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const servers = [
    { ...bareServer("bare SDK v2 + global fetch, text passed through", url), tool: "echo", input: { text: "x" } },
    {
      ...vitrineServer("vitrine, `ledger_list_tenants`", "warm", here("../curation/ledger.yaml")),
      tool: "ledger_list_tenants",
      input: {},
    },
  ];
  const runs = servers.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, server] of servers.entries()) {
      const env = { LEDGER_URL: url, XDG_CACHE_HOME: home };
      const atOnce = await callOften(server, env, 0);
      const paused = await callOften(server, env, PAUSE_MS);
      if (round > 0) runs[at].push({ atOnce: atOnce.first, paused: paused.first, later: paused.later });
    }
  }
  upstream.close();
  upstream.closeAllConnections();
  rmSync(home, { recursive: true });
  return `## First call\n\n${callTable(servers, runs)}\n\n${TARGET}`;
}

async function callOften({ args, tool, input }, env, pauseMs) {
  const server = openServer(args, env);
  await server.list();
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const times = [];
  for (let call = 0; call <= LATER_CALLS; call += 1) {
    const begin = performance.now();
    const { result } = await server.call(tool, input);
    times.push(performance.now() - begin);
    if (result === undefined || result.isError) throw new Error(`${tool} failed: ${JSON.stringify(result)}`);
  }
  await server.end();
  const [first, ...later] = times;
  return { first, later: median(later) };
}

function callTable(servers, runs) {
  const rows = servers.map(({ name }, at) => {
    const cells = ["atOnce", "paused", "later"].flatMap((key) => [
      median(runs[at].map((run) => run[key])).toFixed(1),
      median(runs[at].map((run, round) => run[key] / runs[0][round][key])).toFixed(2),
    ]);
    return [name, ...cells];
  });
  const head = ["first, at once, ms", "first, 0.5 s later, ms", "later ones, ms"].flatMap((name) => [name, "ratio"]);
  return table(["server", ...head], rows);
}

await runAlone(import.meta.url, firstCall);
