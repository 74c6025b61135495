// What it costs to send a trace of each call (two spans, and five metrics): the same server without, with a collector that takes them, and with collectors
// that do not. The collector runs in this process, so its time does not count.
import { createServer } from "node:http";
import net from "node:net";
import { measureCalls } from "./call-cost.mjs";
import { runAlone } from "./measure.mjs";

/** Much more code than that of events runs once a call, or once in 256; until it is compiled it takes twice the time. */
const WARM_UP = 5_000;
const TARGET = "Target: under 1.10 of the processor's time; p99 under 1.10, whatever the collector does.";

export async function traces(rounds) {
  const collector = createServer((request, response) => request.resume().on("end", () => response.end()));
  const hung = net.createServer(() => {});
  const [good, bad] = [await portOf(collector), await portOf(hung)];
  // What is left of a round's spans goes out before the next server is called.
  const soon = { OTEL_BSP_SCHEDULE_DELAY: "200" };
  const to = (port, more) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...soon, ...more });
  const servers = () => [
    { name: "without traces" },
    // How far two equal servers lie apart here: nothing below that says anything.
    { name: "without traces, another process" },
    { name: "traces and metrics", env: to(good) },
    { name: "traces alone", env: to(good, { OTEL_METRICS_EXPORTER: "none" }) },
    {
      name: "one call of ten is sampled",
      env: to(good, { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }),
    },
    { name: "to a collector that is not there", env: to(9) },
    { name: "to a collector that never answers", env: to(bad) },
  ];
  const cost = await measureCalls(rounds, "traces", servers, WARM_UP);
  collector.close();
  collector.closeAllConnections();
  hung.close();
  return `## Traces\n\n${cost}\n\n${TARGET}`;
}

async function portOf(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return server.address().port;
}

await runAlone(import.meta.url, traces);
