import type { HostLog } from "../../host/host-log.ts";
import type { HostFile } from "../../host/hosting.ts";
import type { OpenedHost } from "../../host/open-host.ts";
import type { Problem } from "../../model/problem.ts";
import { describeError } from "../describe-error.ts";
import { digestSlowly } from "../toolset/digest-file.ts";
import { reloadInTurn } from "../toolset/reload-in-turn.ts";
import { watchFiles } from "../toolset/watch-files.ts";
import type { Generations } from "./host-gauges.ts";
import { withPlaces } from "./kept-host.ts";
import { type LoadedHost, loadHost } from "./load-host.ts";
import type { HostRunning } from "./open-host-runner.ts";

export interface Reloading {
  readonly file: string;
  readonly first: LoadedHost;
  readonly running: HostRunning;
  readonly host: Pick<OpenedHost, "replace">;
  readonly log: HostLog;
  readonly generations: Generations;
  /** Hears of what is served in place of what was. */
  reloaded?(loaded: LoadedHost): void;
}

export interface Reload {
  /** Reads everything again, whether or not a file has changed. */
  now(): Promise<void>;
  close(): void;
}

/**
 * Loads the host file and all that it names again whenever one of the files has other bytes, and serves it as a whole; on any error it says so and
 * the last good one serves on.
 */
export function reloadHost({ file, first, running, host, log, generations, reloaded }: Reloading): Reload {
  let good = first;
  let files = first.files;
  let tried: ReadonlyMap<string, string | undefined> = first.digests;
  let isClosed = false;
  const hasChanged = async (): Promise<boolean> => {
    for (const path of files) if ((await digestSlowly(path)) !== tried.get(path)) return true;
    return false;
  };
  /** Gives what it read, as it was then. */
  const attempt = async (): Promise<LoadedHost["digests"]> => {
    const loaded = await loadHost(file, running, good.parts);
    // Also those of a failed attempt: the file that was missing may come.
    files = [...new Set([...loaded.files, ...(loaded.served === undefined ? files : [])])];
    follow();
    for (const problem of loaded.problems) tellProblem(log, problem);
    generations.isLast = loaded.served !== undefined;
    if (loaded.served === undefined) {
      log.tell("error", "reload_rejected", { serving: "the last good host file" });
      return loaded.digests;
    }
    good = loaded;
    const served = { ...loaded.served, host: keepPlaces(loaded.served.host, first.served?.host, log) };
    host.replace(served);
    generations.served += 1;
    reloaded?.(loaded);
    log.tell("info", "reloaded", { servers: loaded.served.servers.size, keys: loaded.served.host.keys.size });
    return loaded.digests;
  };
  const look = async (isAsked: boolean): Promise<void> => {
    // Again where something changed while we were loading.
    for (let asked = isAsked; asked || (await hasChanged()); asked = false) {
      const before = await digestsOf(files);
      tried = before;
      // A file that is new to us may be another by now than it was when it was read.
      tried = new Map([...(await attempt()), ...before]);
    }
  };
  const turns = reloadInTurn(look, (error) => {
    generations.isLast = false;
    log.tell("error", "reload_rejected", { message: describeError(error), serving: "the last good host file" });
  });
  const watch = watchFiles(turns.look);
  const follow = (): void => {
    watch.follow(files);
    // What changes before the watching has looked at a file for the first time would never be heard of.
    setTimeout(() => {
      if (!isClosed) void turns.look();
    }, LOOK_AGAIN_MS).unref();
  };
  follow();
  return {
    now: turns.ask,
    close: () => {
      isClosed = true;
      watch.close();
    },
  };
}

const LOOK_AGAIN_MS = 1_000;

async function digestsOf(files: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
  const digests = new Map<string, string | undefined>();
  for (const path of files) digests.set(path, await digestSlowly(path));
  return digests;
}

/** What was opened when the process began is opened anew only by another one. */
const LASTING = ["listen", "publicUrl", "shared", "events"] as const satisfies readonly (keyof HostFile)[];

function keepPlaces(next: HostFile, first: HostFile | undefined, log: HostLog): HostFile {
  if (first === undefined) return next;
  const changed = LASTING.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(first[name]));
  if (changed.length > 0) log.tell("warn", "restart_needed", { changed: changed.join(", ") });
  return withPlaces(next, first);
}

export function tellProblem(log: HostLog, { severity, code, file, line, column, message, hint }: Problem): void {
  const level = severity === "error" ? "error" : "warn";
  log.tell(level, "finding", { code, at: `${file}:${line}:${column}`, message, hint });
}
