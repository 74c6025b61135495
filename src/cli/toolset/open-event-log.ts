import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { CallWatcher } from "../../model/call-watch.ts";
import { type Shell, UsageError } from "../command.ts";
import { keepToolsSha } from "./load-toolset.ts";
import { openToolsSha, type ToolsSha } from "./tools-sha.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** Where events go. */
export interface EventsPlace {
  readonly file: string;
  readonly maxBytes: number;
}

/** The events of a server, whatever toolset it serves at a time. */
export interface EventLog {
  readonly watcher: CallWatcher;
  /** By what events call the tools of this toolset. */
  shaOf(loaded: LoadedToolset): () => Promise<string>;
  /** Callers have what they began with, so what takes the processor a moment may be done. */
  settle(): void;
  close(): Promise<void>;
  /** How many could not be written since the start. */
  lost(): number;
}

interface Logging {
  readonly request: ToolsetRequest;
  readonly shell: Shell;
  report(error: unknown): void;
}

/** Opens the events of a server. Throws `UsageError` where the file can never be written for how it is named; any other trouble may pass. */
export async function openEventLog({ file, maxBytes }: EventsPlace, logging: Logging): Promise<EventLog> {
  if (await isFolder(file)) throw new UsageError(`--events ${file} is a folder; name a file.`);
  if (!(await isFolder(dirname(file)))) throw new UsageError(`--events ${file}: there is no such folder.`);
  const { openEvents } = await import("../../telemetry/open-events.ts");
  const events = openEvents({ file, maxBytes, note: (line) => logging.shell.note(line) });
  const shas: ToolsSha[] = [];
  let isSettled = false;
  return {
    watcher: events.watcher(),
    shaOf(loaded) {
      const keep = (made: string): void => keepToolsSha(logging.request, logging.shell.env, loaded, made);
      const sha = openToolsSha(logging.request, loaded, { sha: loaded.toolsSha, keep });
      if (isSettled) sha.make().catch(logging.report);
      else shas.push(sha);
      return sha.known;
    },
    settle() {
      isSettled = true;
      for (const sha of shas.splice(0)) sha.make().catch(logging.report);
    },
    close() {
      for (const sha of shas.splice(0)) sha.give();
      return events.close();
    },
    lost: events.lost,
  };
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
