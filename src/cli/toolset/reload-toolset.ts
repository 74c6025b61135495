import type { SpecFile } from "../../model/api.ts";
import { counted } from "../../model/counted.ts";
import type { Shell } from "../command.ts";
import { formatFindings } from "../commands/format-findings.ts";
import { digestFile, isInside } from "./digest-file.ts";
import type { LiveToolset, OpenedCaller } from "./live-toolset.ts";
import { loadToolset } from "./load-toolset.ts";
import { type Certificates, listCertificates } from "./read-certificates.ts";
import { reloadInTurn } from "./reload-in-turn.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";
import { watchFiles } from "./watch-files.ts";

export interface ReloadOptions<Opened extends OpenedCaller> {
  readonly live: LiveToolset<Opened>;
  /** What is served now. */
  readonly first: LoadedToolset;
  readonly request: ToolsetRequest;
  /** With the certificates that were read already, or that it reads. */
  open(loaded: LoadedToolset, tls?: Certificates): Promise<Opened>;
  readonly shell: Pick<Shell, "note" | "env">;
  /** Also whenever one of the files has other bytes, and without a word where another process says it. */
  readonly watch?: { readonly isTold: boolean } | undefined;
  /** Hears each time that it was tried, and what the files then were. */
  attempted?(files: ReadonlyMap<string, string | undefined>): void;
  /** Hears of what is served in place of what was; `isAsked`: somebody asked for it. */
  reloaded?(loaded: LoadedToolset, opened: Opened, isAsked: boolean): void;
}

export interface Reload {
  /** Reads everything again, whether or not a file has changed. */
  now(): Promise<void>;
  /** Serves what another process has read. */
  take(loaded: LoadedToolset, tls: Certificates): Promise<void>;
  close(): void;
}

/** Loads the toolset again when it is asked to, and serves it; on any error it says so and the last good one stays. */
export function openReload<Opened extends OpenedCaller>(options: ReloadOptions<Opened>): Reload {
  const { live, first, request, open, shell, watch, attempted, reloaded } = options;
  // Also those of a failed attempt: the file that was missing may come.
  const tried = new Map(madeOf(first, request));
  const hasChanged = (): boolean => [...tried].some(([path, sha256]) => digestFile(path) !== sha256);
  const look = async (isAsked: boolean): Promise<void> => {
    // Again where something changed while we were loading.
    for (let asked = isAsked; asked || hasChanged(); asked = false) {
      for (const path of tried.keys()) tried.set(path, digestFile(path));
      for (const path of await attempt(isAsked)) if (!tried.has(path)) tried.set(path, digestFile(path));
      attempted?.(tried);
      watching?.follow([...tried.keys()]);
    }
  };
  const attempt = async (isAsked: boolean): Promise<readonly string[]> => {
    const say = isAsked || watch?.isTold !== true ? shell.note : () => {};
    const seen: string[] = [];
    try {
      const loaded = await loadToolset({ ...request, reading: (path) => seen.push(path) }, shell.env);
      seen.push(...madeOf(loaded, request).map(([path]) => path));
      const errors = loaded.problems.filter(({ severity }) => severity === "error");
      if (errors.length > 0) say(formatFindings(errors, false));
      if (loaded.toolset === undefined) say(STAYS);
      else {
        const opened = await open(loaded);
        live.replace(loaded.toolset, opened);
        say(`Reloaded: ${counted(live.current().tools.length, "tool")}.`);
        reloaded?.(loaded, opened, isAsked);
      }
    } catch (error) {
      say(describeFailure(error));
    }
    return seen;
  };
  const turns = reloadInTurn(look, (error) => shell.note(describeFailure(error)));
  const watching = watch && watchFiles(turns.look);
  watching?.follow([...tried.keys()]);
  // The files may be others already than those that it was made from.
  if (watch !== undefined) void turns.look();
  return {
    now: turns.ask,
    take: (loaded, tls) =>
      turns.run(async () => {
        if (loaded.toolset === undefined) return;
        live.replace(loaded.toolset, await open(loaded, tls));
        for (const [path, sha256] of madeOf(loaded, request)) tried.set(path, sha256);
        attempted?.(tried);
        if (watch !== undefined) await look(false);
      }),
    close: () => watching?.close(),
  };
}

const STAYS = "Still serving the last good toolset.";

function describeFailure(error: unknown): string {
  return `vitrine: ${error instanceof Error ? error.message : String(error)}\n${STAYS}`;
}

/** With SHA-256 as they were then; certificates as they are now. */
function madeOf({ files, toolset }: LoadedToolset, request: ToolsetRequest): [string, string | undefined][] {
  const certificates: readonly SpecFile[] = listCertificates(toolset?.upstream.tls ?? {}, request);
  return [...files().filter(isInside), ...certificates].map(({ path, sha256 }) => [path, sha256]);
}
