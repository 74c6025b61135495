import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedHost, loadHost } from "../../../src/cli/host/load-host.ts";
import { openDoor } from "../../../src/host/callers/open-door.ts";
import type { VerifiedCaller } from "../../../src/host/hosting.ts";
import type { Served } from "../../../src/host/opened-server.ts";
import { openEvents } from "../../../src/telemetry/open-events.ts";
import { openHosted } from "../hosted.ts";
import { type CanaryCaller, canary } from "./canaries.ts";
import { keyOf, writeCanaryFiles } from "./canary-files.ts";

export interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface CanaryHost {
  call(caller: CanaryCaller, tool: string, args?: object): Promise<Answer>;
  list(caller: CanaryCaller): Promise<string[]>;
  /** Calls, and is gone before the answer comes. */
  leave(caller: CanaryCaller, tool: string): Promise<void>;
  /** Reads all files anew, and serves what they say from now on. */
  reload(): Promise<void>;
  /** Every text that a caller was shown, with whom it was shown to. */
  readonly shown: readonly { readonly caller: CanaryCaller; readonly text: string }[];
  /** All that the operator was told. */
  log(): string;
  /** Ends it, and gives the events that were written. */
  end(): Promise<string>;
}

/** The whole host, but for its process: one app with the real door, real curations and real clients to the upstream. */
export async function openCanaryHost(
  folder: string,
  upstream: string,
  callers: readonly CanaryCaller[],
): Promise<CanaryHost> {
  const { file, env } = writeCanaryFiles(folder, upstream, callers);
  const reports: string[] = [];
  const shown: { caller: CanaryCaller; text: string }[] = [];
  const running = { env, secrets: ["a secret of the host's tokens"], report: (line: string) => reports.push(line) };
  let served = servedOf(await loadHost(file, running));
  const eventsFile = join(folder, "events.jsonl");
  const events = openEvents({ file: eventsFile, maxBytes: 100_000_000, note: (line) => reports.push(line) });
  const keys = openDoor({ file: () => served.host, lacking: (name) => served.servers.get(name)?.lacking });
  const tokens = new Map(callers.map((caller) => [`Bearer ${canary("subj", caller)}`, tokenCaller(caller)]));
  const hosted = await openHosted(served, {
    door: {
      verify: async (asked) => {
        const caller = tokens.get(asked.authorization ?? "");
        return caller === undefined ? keys.verify(asked) : { kind: "caller", caller };
      },
    },
    watch: events.watcher,
  });
  const send = async (caller: CanaryCaller, method: string, params: object, signal?: AbortSignal) => {
    const shownToken = caller.server === "behalf" ? canary("subj", caller) : keyOf(caller);
    const response = await fetch(`${hosted.url}/mcp/${caller.server}`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: caller.n, method, params }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${shownToken}`,
      },
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    shown.push({ caller, text: JSON.stringify([...response.headers]) + text });
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  };
  return {
    shown,
    async reload() {
      served = servedOf(await loadHost(file, running));
      hosted.serve(served);
    },
    async call(caller, name, args = {}) {
      const { result, error } = await send(caller, "tools/call", { name, arguments: args });
      if (result === undefined) throw new Error(JSON.stringify(error));
      const text: string = result.content[0].text;
      return { text, structured: JSON.parse(text), isError: result.isError === true };
    },
    list: async (caller) =>
      (await send(caller, "tools/list", {})).result.tools.map(({ name }: { name: string }) => name),
    leave: async (caller, name) => {
      const gone = new AbortController();
      const sent = send(caller, "tools/call", { name, arguments: {} }, gone.signal);
      setTimeout(() => gone.abort(), caller.n % 5);
      await sent.catch(() => {});
    },
    log: () => [...reports, ...hosted.lines.map((line) => JSON.stringify(line))].join("\n"),
    end: async () => {
      await hosted.end();
      await keys.close();
      await events.close();
      return readFileSync(eventsFile, "utf8");
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
