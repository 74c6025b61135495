// One worker against two: a list of 1 MB that is ordered and cut to 24 kB, so that nearly all of the time is the server's.
import { existsSync, readFileSync } from "node:fs";
import { callsTable, METHOD } from "./calls/calls-table.mjs";
import { envOf, ITEMS } from "./calls/compare-calls.mjs";
import { measureBlocks } from "./calls/measure-blocks.mjs";
import { openServer, openUpstream } from "./calls/open-server.mjs";
import { withServers } from "./calls/servers.mjs";
import { preferAll, runAlone, usageOf } from "./measure.mjs";

const ROUNDS = 2;
const WARM_UP = 4;
const CALL = {
  way: "http",
  era: "2026-07-28",
  atOnce: 32,
  calls: 128,
  method: "tools/call",
  params: { name: "items_rank_many", arguments: {} },
  expect: "Item 11799 of",
};
const TARGET = `Target: two at least 1.7 of one, in calls a second, on two cores that do nothing else. The client and the upstream run on them as well.`;

export function workers(rounds) {
  return withServers({}, async ({ serversOf, home }) => {
    const upstream = await openUpstream();
    const env = envOf(upstream.url, home);
    const vitrine = serversOf("http", ITEMS).find(({ kind }) => kind === "vitrine");
    const opened = [];
    try {
      for (const args of [[], ["--workers", "1"], ["--workers", "2"]]) {
        const name = args.length === 0 ? "without workers" : args[1];
        opened.push(await openServer({ name, args: [...vitrine.args, ...args] }, "http", { env }));
      }
      // Of a process and of all that it started.
      const scenes = opened.map((server) => ({
        ...CALL,
        server: { ...server, spent: async () => spentOfAll(server.pid) },
      }));
      const pids = opened.flatMap(({ pid }) => [pid, ...childrenOf(pid)]);
      preferAll(process.pid, upstream.pid, ...pids);
      const runs = await measureBlocks(scenes, { warmUp: WARM_UP, rounds: rounds * ROUNDS });
      const rows = scenes.map(({ server }, at) => ({ cells: [server.name], blocks: runs[at], floor: runs[0] }));
      return `## Workers: 1 MB ordered and cut to 24 kB\n\n${METHOD} 32 calls at once.\n\n${callsTable(["workers"], rows)}\n\n${TARGET}`;
    } finally {
      for (const server of opened) await server.close();
      upstream.close();
    }
  });
}

function spentOfAll(pid) {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + usageOf(one).spent, 0);
}

function childrenOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return children === "" ? [] : children.split(" ").map(Number);
}

await runAlone(import.meta.url, workers);
