// What it costs to send a trace of each call (two spans), and metrics (five): with a collector that takes them, and with collectors that do not.
import net from "node:net";
import { runAlone } from "./measure.mjs";
import { CALLS } from "./overhead/call-blocks.mjs";
import { measureOverhead } from "./overhead/measure-overhead.mjs";
import { METHOD, overheadTable } from "./overhead/overhead-table.mjs";
import { tracedCalls } from "./overhead/traced-calls.mjs";

const TARGET =
  "Target: under 1.10 of the processor's time, whatever the collector does. Metrics go out once a minute, within whichever block that is.";

const APART = `What traces take by themselves, without the rest of the call, whose noise is larger: a watcher is told of ${CALLS} calls with one request each, and what it sends
goes to a collector in another process. Garbage collection counts.`;

const TARGET_APART = "Target: under 25 µs a call as protobuf.";

const NOTHING = [{ name: "without traces" }, { name: "without traces, once more" }];

const ONLY_TRACES = { OTEL_METRICS_EXPORTER: "none" };

export async function traces(rounds) {
  const to = (port, more) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...more });
  const taken = await measureOverhead(rounds, ({ collector }) => [
    ...NOTHING,
    { name: "traces", batches: 1, otel: to(collector, ONLY_TRACES) },
    { name: "metrics", otel: to(collector, { OTEL_TRACES_EXPORTER: "none" }) },
    { name: "traces and metrics", batches: 1, otel: to(collector) },
  ]);
  const hung = net.createServer(() => {});
  await new Promise((resolve) => hung.listen(0, "127.0.0.1", resolve));
  const refused = await measureOverhead(rounds, () => [
    ...NOTHING,
    { name: "traces, to a collector that is not there", otel: to(9, ONLY_TRACES) },
    { name: "traces, to a collector that never answers", otel: to(hung.address().port, ONLY_TRACES) },
  ]);
  hung.close();
  const alone = await measureOverhead(
    rounds,
    ({ collector }) => [...NOTHING, { name: "traces", batches: 1, otel: to(collector, ONLY_TRACES) }],
    1,
  );
  const apart = await tracedCalls(rounds);
  const sections = [METHOD, overheadTable("traces", [taken, refused, alone]), TARGET, APART, apart, TARGET_APART];
  return `## Traces\n\n${sections.join("\n\n")}`;
}

await runAlone(import.meta.url, traces);
