// One process that serves the same toolset at several addresses, each with other watchers. It tells the addresses to its parent, and whenever that
// asks, what the processor has spent on it until then.

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

/** What watches the calls at one address. */
interface Watched {
  /** As it stands at `/metrics`. */
  readonly counts?: boolean;
  readonly events?: string;
  /** The variables that ask for traces and metrics. */
  readonly otel?: Readonly<Record<string, string>>;
}

const [curation = "", watched = "[]"] = process.argv.slice(2);
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

const urls: string[] = [];
for (const one of JSON.parse(watched) as readonly Watched[]) {
  const watchers = await open(one);
  const { url } = await serveOverHttp(source, {
    hostname: "127.0.0.1",
    port: 0,
    allowHosts: [],
    key: {},
    listTtlMs: 0,
    report,
    ...(watchers.length > 0 && { watcher: joinWatchers(watchers, report) }),
  });
  urls.push(url);
}
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
process.on("disconnect", () => process.exit());
process.send?.(urls);

async function open({ counts, events, otel }: Watched): Promise<CallWatcher[]> {
  const traces = otel && (await openTracesAs(otel));
  return [
    ...(events === undefined ? [] : [openEvents({ file: events, maxBytes: 64e6, note: () => {} }).watcher()]),
    ...(counts === true ? [openMetrics({ version }).watcher] : []),
    ...(traces === undefined ? [] : [traces.watcher]),
  ];
}

/** The packages read their part of the environment when they are opened. */
async function openTracesAs(otel: Readonly<Record<string, string>>) {
  const before = { ...process.env };
  Object.assign(process.env, otel);
  const traces = await openTraces({ env: { ...otel }, version, note: () => {}, report });
  for (const name of Object.keys(otel)) delete process.env[name];
  Object.assign(process.env, before);
  return traces;
}
