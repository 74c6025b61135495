import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { CallWatcher } from "../../model/call-watch.ts";
import { type Shell, UsageError } from "../command.ts";
import { keepToolsSha } from "./load-toolset.ts";
import { makeToolsSha } from "./tools-sha.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** Where events go. */
export interface EventsPlace {
  readonly file: string;
  readonly maxBytes: number;
}

/** The events of a server, whatever toolset it serves at a time. */
export interface EventLog {
  readonly watcher: CallWatcher;
  /**
   * By what events call the tools of this toolset. It is known before they are served: a line that had to wait for it would be lost with a process that
   * is killed.
   */
  shaOf(loaded: LoadedToolset): Promise<string>;
  /** The toolset is in the cache, where what it is called by can stand beside it. */
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
  let keepLater: (() => void)[] | undefined = [];
  const settle = (): void => {
    for (const keep of keepLater ?? []) keep();
    keepLater = undefined;
  };
  return {
    watcher: events.watcher(),
    async shaOf(loaded) {
      if (loaded.toolsSha !== undefined) return loaded.toolsSha;
      const made = await makeToolsSha(logging.request, loaded);
      const keep = (): void => keepToolsSha(logging.request, logging.shell.env, loaded, made);
      if (keepLater === undefined) keep();
      else keepLater.push(keep);
      return made;
    },
    settle,
    close() {
      settle();
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
