// What watching calls costs a server: processes serve the same toolset, one without watchers, a second one likewise, and others with them. All are called
// in turns, in short blocks and in an order of chance, against an upstream and a collector in this process.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ERAS } from "../calls/messages.mjs";
import { preferAll, shuffle } from "../measure.mjs";
import { bundleServer } from "./bundle-server.mjs";
import { callBlock } from "./call-blocks.mjs";
import { startOne, startServers } from "./start-servers.mjs";

const TENANTS = Array.from({ length: 12 }, (_, at) => ({
  id: `t-${at}`,
  name: `Tenant ${at} of the ledger`,
  currencies: ["USD"],
  hasBillingData: true,
}));

/** Rounds until all code is compiled. */
const WARM_UP = 8;
/** Of each round of a bench so many are made here, as a block is short. */
const ROUNDS = 12;
/** How fast a process is depends on what was compiled when: the rounds are made with so many of each, one after the other. */
const PROCESSES = 6;
/** Threads that compile or collect garbage have come to their end. */
const REST_MS = 15;
const LONGEST_MS = 5_000;

/**
 * `watched(place)` gives of each server its name and what watches there, by a folder and the port of the collector, the first two without anything;
 * `batches` of spans is what the collector hears of a block. `atOnce` calls are under way; where it is one, all but the last server are watched by nothing, and
 * one process is all of them. Gives of each server for each era, by processes, what one block a round has spent.
 */
export async function measureOverhead(rounds, watched, atOnce = 32) {
  const home = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const upstream = await listen((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ tenants: TENANTS }));
  });
  let posts = 0;
  const collector = await listen((request, response) =>
    request.resume().on("end", () => {
      if (request.url === "/v1/traces") posts += 1;
      response.end();
    }),
  );
  const servers = watched({ home, collector: collector.address().port });
  const file = await bundleServer();
  const start = atOnce === 1 ? startOne : startServers;
  const runs = servers.map(() => ERAS.map(() => []));
  const measureRound = async (started, keep) => {
    for (const [era, at] of shuffle(ERAS.flatMap((_, era) => servers.map((_, at) => [era, at])))) {
      const { url, spent } = started[at];
      const expected = posts + (servers[at].batches ?? 0);
      const settle = () => settled(() => posts >= expected);
      const run = await callBlock(url, ERAS[era], { atOnce, spent, settle });
      if (posts !== expected) throw new Error(`Of ${servers[at].name} came ${posts - expected} batches too many.`);
      if (keep) runs[at][era].at(-1).push(run);
    }
  };
  for (let group = 0; group < PROCESSES; group += 1) {
    const started = await start(file, servers, upstream.address().port);
    for (const eras of runs) for (const own of eras) own.push([]);
    preferAll(process.pid, ...started.map(({ pid }) => pid));
    const counted = Math.ceil((rounds * ROUNDS) / PROCESSES);
    for (let round = -WARM_UP; round < counted; round += 1) await measureRound(started, round >= 0);
    for (const { end } of started) end();
  }
  for (const server of [upstream, collector]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(home, { recursive: true });
  return servers.map(({ name }, at) => ({ name, atOnce, eras: runs[at] }));
}

async function settled(isDone) {
  for (let waited = 0; !isDone(); waited += 1) {
    if (waited > LONGEST_MS) throw new Error("The collector hears nothing.");
    await wait(1);
  }
  await wait(REST_MS);
}

async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
