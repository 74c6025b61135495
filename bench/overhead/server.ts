// A process that serves a toolset to calls that are watched in one way, as whoever serves does, and at another address to calls that nothing watches. It tells
// its addresses to its parent, and whenever that asks, what the processor has spent on it until then.

import { compileCuration } from "../../src/cli/toolset/compile-curation.ts";
import { openRunner } from "../../src/cli/toolset/open-runner.ts";
import { version } from "../../src/cli/version.ts";
import { makeGeneration } from "../../src/mcp/make-generation.ts";
import { serveOverHttp } from "../../src/mcp/serve-http.ts";
import type { CallWatcher } from "../../src/model/call-watch.ts";
import { joinWatchers } from "../../src/telemetry/join-watchers.ts";
import { openEvents } from "../../src/telemetry/open-events.ts";
import { openMetrics } from "../../src/telemetry/open-metrics.ts";
import { openTraces } from "../../src/telemetry/open-traces.ts";

/** What watches the calls. */
interface Watched {
  /** As it stands at `/metrics`. */
  readonly counts?: boolean;
  readonly events?: string;
  /** Whether the environment asks for traces or metrics. */
  readonly otel?: object;
}

const [curation = "", watched = "{}"] = process.argv.slice(2);
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const report = (error: unknown): void => note(String(error));

const request = { file: curation, root: "/", readOnly: false };
const { toolset, specIsLocal } = await compileCuration(request, { errorsOnly: true });
if (toolset === undefined) throw new Error("The curation does not compile.");
const { runner, prepare } = openRunner({ toolset, specIsLocal, request, key: {}, env: process.env, report });
await prepare();
const sha = "0".repeat(64);
const generation = makeGeneration(toolset, version, runner, async () => sha);
const source = { current: () => generation, onChange: () => () => {} };

const watchers = await open(JSON.parse(watched) as Watched);
const options = { hostname: "127.0.0.1", port: 0, allowHosts: [], key: {}, listTtlMs: 0, report };
const { url } = await serveOverHttp(source, {
  ...options,
  ...(watchers.length > 0 && { watcher: joinWatchers(watchers, report) }),
});
const { url: unwatched } = await serveOverHttp(source, options);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
process.on("disconnect", () => process.exit());
process.send?.({ url, unwatched });

async function open({ counts, events, otel }: Watched): Promise<CallWatcher[]> {
  const traces = otel && (await openTraces({ env: process.env, version, note: () => {}, report }));
  return [
    ...(events === undefined ? [] : [openEvents({ file: events, maxBytes: 64e6, note: () => {} }).watcher()]),
    ...(counts === true ? [openMetrics({ version }).watcher] : []),
    ...(traces === undefined ? [] : [traces.watcher]),
  ];
}
