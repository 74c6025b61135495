// Loaded into a measured server before its own code (node --import): it tells its parent, whenever that asks, what the processor has spent on the process
// until then, all threads, in milliseconds; or how it stands, if BENCH_ASKS is "state". Nothing else of it runs.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const AFTER_MS = 50;
const asks = process.env.BENCH_ASKS;
if (asks !== undefined) {
  // Not in the processes that it starts.
  delete process.env.BENCH_ASKS;
  const tellState = asks === "state" ? openState() : undefined;
  process.on("message", (asked) => process.send(asked === "state" ? tellState() : spent()));
  process.on("disconnect", () => process.exit());
  // The server ends when it would have ended without.
  process.channel.unref();
}

function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Memory in MB, what is reachable alone as `heap`; and how much later than due the event loop came, in ms, p50 and p99 since it was asked before. */
function openState() {
  const resolution = 1;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  return () => {
    const [p50, p99, most] = [delays.percentile(50), delays.percentile(99), delays.max].map(
      (ns) => ns / 1e6 - resolution,
    );
    const resident = process.memoryUsage.rss() / 1e6;
    collect();
    const { heapUsed, external } = process.memoryUsage();
    // This collection is not the server's.
    setTimeout(() => delays.reset(), AFTER_MS).unref();
    return { resident, heap: (heapUsed + external) / 1e6, p50, p99, most };
  };
}
