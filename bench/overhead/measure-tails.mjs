// How long calls take that are watched, the slowest of them above all: processes serve the same toolset, and they are called in turns, few calls at once,
// by a process that collects no garbage meanwhile.
import { fork } from "node:child_process";
import { once } from "node:events";
import { ERAS } from "../calls/messages.mjs";
import { here, preferAll, shuffle } from "../measure.mjs";
import { bundleServer } from "./bundle-server.mjs";
import { startServers } from "./start-servers.mjs";

/** Two spans a call: they fill one batch of OpenTelemetry's, which goes out within the block. */
const CALLS = 256;
const AT_ONCE = 2;
/** Rounds until all code is compiled. */
const WARM_UP = 6;
const ROOMY = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

/** `servers` are as `measureOverhead` takes them. Gives of each its times by rounds, those of both eras together. */
export async function measureTails(rounds, servers) {
  const load = fork(here("overhead/load.mjs"), { execArgv: ROOMY, serialization: "advanced" });
  // What waits for its messages would wait for ever.
  load.once("exit", (code) => {
    if (code) throw new Error(`What calls the servers ended with ${code}.`);
  });
  const [port] = await once(load, "message");
  const started = await startServers(await bundleServer(), servers, port);
  preferAll(load.pid, ...started.map(({ pid }) => pid));
  const runs = servers.map(() => []);
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const times = servers.map(() => []);
    for (const [era, at] of shuffle(ERAS.flatMap((era) => servers.map((_, at) => [era, at])))) {
      load.send({ url: started[at].url, era, calls: CALLS, atOnce: AT_ONCE, removed: servers[at].removed });
      times[at].push(...(await once(load, "message"))[0]);
    }
    if (round >= 0) for (const [at, own] of times.entries()) runs[at].push(own);
  }
  for (const { end } of started) end();
  load.disconnect();
  return servers.map(({ name }, at) => ({ name, rounds: runs[at] }));
}
