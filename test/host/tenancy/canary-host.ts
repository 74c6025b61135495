import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedHost, loadHost } from "../../../src/cli/host/load-host.ts";
import { openDoor } from "../../../src/host/callers/open-door.ts";
import type { VerifiedCaller } from "../../../src/host/hosting.ts";
import type { Served } from "../../../src/host/opened-server.ts";
import { joinWatchers } from "../../../src/telemetry/join-watchers.ts";
import { openEvents } from "../../../src/telemetry/open-events.ts";
import { openMetrics } from "../../../src/telemetry/open-metrics.ts";
import { openHosted } from "../hosted.ts";
import { type CanaryCaller, canary } from "./canaries.ts";
import { keyOf, writeCanaryFiles } from "./canary-files.ts";
import type { CanaryHost } from "./mix-calls.ts";
import { openCallers } from "./send-as.ts";

/** The whole host, but for its process: one app with the real door, real curations and real clients to the upstream. */
export async function openCanaryHost(
  folder: string,
  upstream: string,
  callers: readonly CanaryCaller[],
): Promise<CanaryHost> {
  const { file, env } = writeCanaryFiles(folder, upstream, callers);
  const reports: string[] = [];
  const running = { env, secrets: ["a secret of the host's tokens"], report: (line: string) => reports.push(line) };
  let served = servedOf(await loadHost(file, running));
  const eventsFile = join(folder, "events.jsonl");
  const events = openEvents({ file: eventsFile, maxBytes: 1_000_000_000, note: (line) => reports.push(line) });
  const metrics = openMetrics({ version: "1.2.3" });
  const keys = openDoor({ file: () => served.host, lacking: (name) => served.servers.get(name)?.lacking });
  const shows = (caller: CanaryCaller) => (caller.server === "behalf" ? canary("subj", caller) : keyOf(caller));
  const tokens = new Map(callers.map((caller) => [`Bearer ${canary("subj", caller)}`, tokenCaller(caller)]));
  const hosted = await openHosted(served, {
    door: {
      verify: async (asked) => {
        const caller = tokens.get(asked.authorization ?? "");
        return caller === undefined ? keys.verify(asked) : { kind: "caller", caller };
      },
    },
    watch: (caller) => joinWatchers([events.watcher(caller), metrics.watcher], (error) => reports.push(String(error))),
  });
  return {
    ...openCallers((server) => `${hosted.url}/mcp/${server}`, shows),
    async reload() {
      served = servedOf(await loadHost(file, running));
      hosted.serve(served);
    },
    end: async () => {
      await hosted.end();
      await keys.close();
      await events.close();
      const log = hosted.lines.map((line) => JSON.stringify(line));
      return [...reports, ...log, metrics.text(), readFileSync(eventsFile, "utf8")].join("\n");
    },
  };
}

function servedOf({ served, problems }: LoadedHost): Served {
  if (served === undefined) throw new Error(JSON.stringify(problems));
  return served;
}

function tokenCaller(caller: CanaryCaller): VerifiedCaller {
  return {
    kind: "token",
    id: `sub:${caller.n}`,
    server: caller.server,
    claims: { tenant: canary("tenant", caller), client: canary("client", caller) },
    writes: true,
    tags: {},
    credentials: [],
    subjectToken: canary("subj", caller),
  };
}
