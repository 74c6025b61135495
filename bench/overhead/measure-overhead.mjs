// What watching calls costs a server, as ratios within one process: it serves the same toolset at one address without watchers, at a second one likewise,
// and at others with them. All are called in turns, in short blocks and in an order of chance, against an upstream and a collector in this process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ERAS } from "../calls/messages.mjs";
import { here, shuffle } from "../measure.mjs";
import { bundleServer } from "./bundle-server.mjs";
import { callBlock } from "./call-blocks.mjs";
import { preferBefore } from "./prefer-before.mjs";

const TENANTS = Array.from({ length: 12 }, (_, at) => ({
  id: `t-${at}`,
  name: `Tenant ${at} of the ledger`,
  currencies: ["USD"],
  hasBillingData: true,
}));

/** Rounds until all code is compiled. */
const WARM_UP = 12;
/** Of each round of a bench so many are made here, as a block is short. */
const ROUNDS = 12;
/** Threads that compile or collect garbage have come to their end. */
const REST_MS = 15;
const LONGEST_MS = 5_000;

/**
 * `watched(place)` gives of each address its name and what watches there, by a folder and the port of the collector, the first two without anything;
 * `batches` of spans is what the collector hears of a block. Gives of each address for each era what one block a round has spent.
 */
export async function measureOverhead(rounds, watched) {
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
  const env = { ...process.env, LEDGER_URL: `http://127.0.0.1:${upstream.address().port}`, LEDGER_KEY: "unused" };
  const child = fork(await bundleServer(), [here("../curation/ledger.yaml"), JSON.stringify(servers)], { env });
  const [urls] = await once(child, "message");
  const goOn = preferBefore(process.pid, child.pid);
  const spent = async () => {
    child.send("spent");
    return (await once(child, "message"))[0];
  };
  const runs = servers.map(() => ERAS.map(() => []));
  for (let round = -WARM_UP; round < rounds * ROUNDS; round += 1) {
    for (const [era, at] of shuffle(ERAS.flatMap((_, era) => servers.map((_, at) => [era, at])))) {
      const expected = posts + (servers[at].batches ?? 0);
      const settle = () => settled(() => posts >= expected);
      const run = await callBlock(urls[at], ERAS[era], { spent, settle });
      if (posts !== expected) throw new Error(`Of ${servers[at].name} came ${posts - expected} batches too many.`);
      if (round >= 0) runs[at][era].push(run);
    }
  }
  goOn();
  child.disconnect();
  for (const server of [upstream, collector]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(home, { recursive: true });
  return servers.map(({ name }, at) => ({ name, eras: runs[at] }));
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
