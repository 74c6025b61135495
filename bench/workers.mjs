// Two workers against one process: the greatest 20 rows of a list of 1 MB, a call in which nearly all of the time is the server's.
import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { envOf, ITEMS } from "./calls/compare-calls.mjs";
import { connect } from "./calls/connect.mjs";
import { openServer, openUpstream } from "./calls/open-server.mjs";
import { withServers } from "./calls/servers.mjs";
import { bounds, median, preferAll, quantile, runAlone, shuffle, table, usageOf } from "./measure.mjs";

const ERA = "2026-07-28";
const CALL = ["tools/call", { name: "items_rank_many", arguments: {} }];
const EXPECT = "Item 11799 of";
const AT_ONCE = 16;
const WARM_UP = 2;
/** Before a window all connections are busy, and they stay so until after it: who has more of them than another does not count for less. */
const SETTLE_MS = 500;
const WINDOW_MS = 3_000;

const METHOD = `Servers take turns by chance; ${AT_ONCE} calls are under way all the time, and those are counted that are answered within ${WINDOW_MS / 1000} s. A ratio is the median of those of
the single rounds, and lies between the bounds in 95 % of bootstrap samples. Processors are those in use on the average, with all threads of all processes: of the server, and of the client and
the upstream, which take theirs from the same two. The last row is what the machine shows at most: two processes that know nothing of each other, each with a port of its own and half of the calls.`;
const TARGET = "Target: two workers at least 1.7 of one process, in calls a second, on two cores that do nothing else.";

const SCENES = [
  { name: "one process", servers: [[]] },
  { name: "two workers", servers: [["--workers", "2"]] },
  { name: "two processes apart", servers: [[], []] },
];

export function workers(rounds) {
  return withServers({}, async ({ serversOf, home }) => {
    const upstream = await openUpstream();
    const env = envOf(upstream.url, home);
    const vitrine = serversOf("http", ITEMS).find(({ kind }) => kind === "vitrine");
    const opened = [];
    const open = async (args) => {
      opened.push(await openServer({ ...vitrine, args: [...vitrine.args, ...args] }, "http", { env }));
      return opened.at(-1);
    };
    try {
      const scenes = [];
      for (const { name, servers } of SCENES) {
        const started = [];
        for (const args of servers) started.push(await open(args));
        scenes.push({ name, urls: started.map(({ url }) => url), pids: started.flatMap(({ pid }) => allOf(pid)) });
      }
      preferAll(process.pid, upstream.pid, ...scenes.flatMap(({ pids }) => pids));
      const runs = scenes.map(() => []);
      for (let round = -WARM_UP; round < rounds; round += 1) {
        for (const at of shuffle(scenes.map((_, at) => at))) {
          const run = await measureWindow(scenes[at], [process.pid, upstream.pid]);
          if (round >= 0) runs[at].push(run);
        }
      }
      return `## Workers: the greatest 20 rows of 1 MB\n\n${METHOD}\n\n${workersTable(scenes, runs)}\n\n${TARGET}`;
    } finally {
      for (const server of opened) await server.close();
      upstream.close();
    }
  });
}

/** A process and those that it started. */
function allOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

async function measureWindow({ name, urls, pids }, others) {
  const clients = await Promise.all(urls.map((url) => connect({ url }, "http", ERA, AT_ONCE / urls.length)));
  let times = [];
  let isOver = false;
  const work = async (client) => {
    while (!isOver) {
      const begin = performance.now();
      const text = await client.ask(...CALL);
      times.push(performance.now() - begin);
      if (!text.includes(EXPECT)) throw new Error(`${name} failed: ${text.slice(0, 500)}`);
    }
  };
  const working = Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(clients[at % clients.length])));
  await Promise.race([wait(SETTLE_MS), working]);
  times = [];
  const [begin, ...before] = [performance.now(), spentBy(pids), spentBy(others)];
  await Promise.race([wait(WINDOW_MS), working]);
  const [end, ...after] = [performance.now(), spentBy(pids), spentBy(others)];
  const answered = times;
  isOver = true;
  times = [];
  await working;
  for (const client of clients) await client.close();
  const [spent, spentByOthers] = after.map((ms, at) => ms - before[at]);
  return {
    perSecond: (answered.length * 1000) / (end - begin),
    spent: spent / answered.length,
    processors: spent / (end - begin),
    others: spentByOthers / (end - begin),
    times: answered,
  };
}

function spentBy(pids) {
  return pids.reduce((sum, pid) => sum + usageOf(pid).spent, 0);
}

/** Against the first. */
function workersTable(scenes, runs) {
  const head = ["server", "calls a second", "ratio", "95 %", "processor, ms a call", "ratio"];
  return table(
    [...head, "processors: server", "client and upstream", "p50, ms", "p99, ms"],
    scenes.map(({ name }, at) => {
      const all = (key) => runs[at].map((run) => run[key]);
      const ratios = (key) => runs[at].map((run, round) => run[key] / runs[0][round][key]);
      const [low, high] = bounds(ratios("perSecond"));
      const times = runs[at].flatMap((run) => run.times);
      return [
        name,
        median(all("perSecond")).toFixed(0),
        median(ratios("perSecond")).toFixed(2),
        `${low.toFixed(2)} to ${high.toFixed(2)}`,
        median(all("spent")).toFixed(1),
        median(ratios("spent")).toFixed(2),
        median(all("processors")).toFixed(2),
        median(all("others")).toFixed(2),
        quantile(times, 0.5).toFixed(0),
        quantile(times, 0.99).toFixed(0),
      ];
    }),
  );
}

await runAlone(import.meta.url, workers);
