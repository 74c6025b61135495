// How long calls take that are watched, the slowest of them above all: one process serves the same toolset at several addresses, and they are called in
// turns, few calls at once, by a process that collects no garbage meanwhile.
import { fork } from "node:child_process";
import { once } from "node:events";
import { ERAS } from "../calls/messages.mjs";
import { here, shuffle } from "../measure.mjs";
import { bundleServer } from "./bundle-server.mjs";
import { preferBefore } from "./prefer-before.mjs";

/** Two spans a call: they fill one batch of OpenTelemetry's, which goes out within the block. */
const CALLS = 256;
const AT_ONCE = 2;
/** Rounds until all code is compiled. */
const WARM_UP = 6;
const ROOMY = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

/** `servers` are as `measureOverhead` takes them. Gives of each its times by rounds, those of both eras together. */
export async function measureTails(rounds, servers) {
  const load = fork(here("overhead/load.mjs"), { execArgv: ROOMY, serialization: "advanced" });
  failWith(load);
  const [port] = await once(load, "message");
  const env = { ...process.env, LEDGER_URL: `http://127.0.0.1:${port}`, LEDGER_KEY: "unused" };
  const child = fork(await bundleServer(), [here("../curation/ledger.yaml"), JSON.stringify(servers)], { env });
  failWith(child);
  const [urls] = await once(child, "message");
  preferBefore(load.pid, child.pid);
  const runs = servers.map(() => []);
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const times = servers.map(() => []);
    for (const [era, at] of shuffle(ERAS.flatMap((era) => servers.map((_, at) => [era, at])))) {
      load.send({ url: urls[at], era, calls: CALLS, atOnce: AT_ONCE, removed: servers[at].removed });
      times[at].push(...(await once(load, "message"))[0]);
    }
    if (round >= 0) for (const [at, own] of times.entries()) runs[at].push(own);
  }
  child.disconnect();
  load.disconnect();
  return servers.map(({ name }, at) => ({ name, rounds: runs[at] }));
}

/** What waits for its messages would wait for ever. */
function failWith(child) {
  child.once("exit", (code) => {
    if (code) throw new Error(`A process of the benchmark ended with ${code}.`);
  });
}
