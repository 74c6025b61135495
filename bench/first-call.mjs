// The first tools/call, which loads what calling takes, and those after it: over stdio to an upstream in this process that answers 1 kB of JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { bareServer, here, median, openServer, runAlone, table, vitrineServer } from "./measure.mjs";

const LATER_CALLS = 50;
const TENANTS = Array.from({ length: 12 }, (_, at) => ({ tenantId: `t-${at}`, name: `Tenant ${at}`, currency: "USD" }));

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
      const run = await callOften(server, { LEDGER_URL: url, XDG_CACHE_HOME: home });
      if (round > 0) runs[at].push(run);
    }
  }
  upstream.close();
  upstream.closeAllConnections();
  rmSync(home, { recursive: true });
  return `## First call\n\n${callTable(servers, runs)}`;
}

async function callOften({ args, tool, input }, env) {
  const server = openServer(args, env);
  await server.list();
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
    const cells = ["first", "later"].flatMap((key) => [
      median(runs[at].map((run) => run[key])).toFixed(1),
      median(runs[at].map((run, round) => run[key] / runs[0][round][key])).toFixed(2),
    ]);
    return [name, ...cells];
  });
  return table(["server", "first call, ms", "ratio", "later calls, ms", "ratio"], rows);
}

await runAlone(import.meta.url, firstCall);
