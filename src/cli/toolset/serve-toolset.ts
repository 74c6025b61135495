import type { ToolServerOptions } from "../../mcp/create-server.ts";
import type { HttpOptions } from "../../mcp/serve-http.ts";
import { counted } from "../../model/counted.ts";
import { once } from "../../model/once.ts";
import { aborted } from "../aborted.ts";
import type { Shell } from "../command.ts";
import { describeError } from "../describe-error.ts";
import type { ServePage } from "../page/open-serve-page.ts";
import type { Address } from "../parse-address.ts";
import type { CallerKey } from "../read-key.ts";
import type { Joined } from "../workers/join-workers.ts";
import type { ExploringApart } from "./explore-apart.ts";
import { type LiveToolset, type OpenedCaller, openLiveToolset } from "./live-toolset.ts";
import type { EventsPlace } from "./open-event-log.ts";
import { explores, type OpenedRunner, openRunner } from "./open-runner.ts";
import { openWatching, type Watching } from "./open-watching.ts";
import { fromPlain } from "./plain-toolset.ts";
import type { Certificates } from "./read-certificates.ts";
import type { Reload, ReloadOptions } from "./reload-toolset.ts";
import { servesState, stateOf } from "./serve-state.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

interface HttpPlace {
  readonly address: Address;
  readonly allowHosts: readonly string[];
}

export interface Serving {
  readonly loaded: LoadedToolset;
  readonly request: ToolsetRequest;
  readonly caller: CallerKey;
  /** Where they were read before; absent: as the files are now. */
  readonly tls?: Certificates;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watch: boolean;
  /** Where each call is written down. */
  readonly events?: EventsPlace;
  /** Over stdio where absent. */
  readonly http?: HttpPlace;
  /** What it has of the other workers, where it is one of several. */
  readonly workers?: Joined;
  /** What may wait until the client has its tools; done at the latest when the serving ends. */
  readonly later?: () => void;
  /** Hears of the URL when HTTP is served; without it stderr does. */
  readonly onListening?: (url: string) => void;
}

type OpenedServer = OpenedCaller &
  OpenedRunner &
  Pick<LoadedToolset, "specIsLocal"> & { readonly exploring?: ExploringApart | undefined };

const GRACE_MS = 10_000;
/** After this a client has asked for the tools that it is going to ask for. */
const SETTLED_MS = 1_000;
const LIST_TTL_MS = 300_000;
/** A person thinks between two questions. */
const EXPLORED_MS = 30 * 60_000;

/** Serves until the client goes (stdio) or the process is asked to end. Resolves to the exit code; throws `MissingSetting`. */
export async function serveToolset(serving: Serving, shell: Shell): Promise<number> {
  const { toolset } = serving.loaded;
  if (toolset === undefined) return 1;
  const report = (error: unknown): void => shell.note(`vitrine: ${describeError(error)}`);
  const { events, request, http, env, workers } = serving;
  const key = serving.caller.claims;
  const watching = await openWatching({ events, counts: http !== undefined, request, shell, report });
  const open = async (loaded: LoadedToolset, tls?: Certificates): Promise<OpenedServer> => {
    const served = loaded.toolset ?? toolset;
    const exploring = explores(served) ? await openExploring(request, workers) : undefined;
    const runner = openRunner({
      toolset: served,
      specIsLocal: loaded.specIsLocal,
      request,
      key,
      env,
      report,
      tls,
      exploring,
      ...(workers && { workers }),
    });
    const { specIsLocal } = loaded;
    const close = async (): Promise<void> => {
      exploring?.close();
      await runner.close();
    };
    const opened = { ...runner, specIsLocal, exploring, close };
    if (watching.shaOf === undefined) return opened;
    const sha = await watching.shaOf(loaded);
    return { ...opened, toolsSha: async () => sha };
  };
  const opened = await open(serving.loaded, serving.tls);
  const live = openLiveToolset(toolset, opened);
  const page = http === undefined ? undefined : await openPageOf(live, serving, report);
  const askAgain = (): void => void live.served().opened.runner.seenBy?.({ key }).catch(report);
  const stopHearing = workers?.state.writes.onWrite(askAgain);
  const reload =
    serving.watch || http !== undefined ? await openReloading(live, serving, open, shell, page?.changed) : undefined;
  const doLater = once(serving.later ?? (() => {}));
  const prepared = once(() => opened.prepare().catch(report));
  const settled = setTimeout(() => {
    doLater();
    watching.settle();
    // An update of the package takes away what would be loaded later.
    opened.prepareRest().catch(report);
  }, SETTLED_MS);
  const options = {
    key,
    listTtlMs: serving.watch ? 0 : LIST_TTL_MS,
    report,
    ...(watching.watcher && { watcher: watching.watcher }),
    // When the answer is out.
    onListed: () => void setImmediate(prepared).unref(),
  };
  try {
    await (http === undefined
      ? serveStdio(live, options, shell)
      : serveHttp(live, { ...options, ...http, ...(page && { beside: page }) }, watching, serving, shell));
  } finally {
    clearTimeout(settled);
    doLater();
    reload?.close();
    stopHearing?.();
    await watching.close();
    await live.close();
  }
  return 0;
}

/** A large document takes seconds to read: one process reads it before somebody asks and keeps it, and of several each when it is asked first. */
async function openExploring(request: ToolsetRequest, workers: Joined | undefined): Promise<ExploringApart> {
  const { exploreApart } = await import("./explore-apart.ts");
  if (workers !== undefined) return exploreApart(request);
  const exploring = exploreApart(request, { idleMs: EXPLORED_MS });
  let isClosed = false;
  const prepare = async (): Promise<void> => {
    await exploring.prepare();
    await exploring.load().catch((error: unknown) => {
      if (!isClosed) throw error;
    });
  };
  const close = (): void => {
    isClosed = true;
    exploring.close();
  };
  return { ...exploring, prepare, close };
}

async function serveStdio(live: LiveToolset, options: ToolServerOptions, shell: Shell): Promise<void> {
  const { serveOverStdio } = await import("../../mcp/serve-stdio.ts");
  await serveOverStdio(live, { ...options, signal: shell.signal });
}

async function serveHttp(
  live: LiveToolset,
  { address, allowHosts, ...options }: ToolServerOptions & HttpPlace & Pick<HttpOptions, "beside">,
  { metrics }: Watching,
  { onListening, watch, request, workers }: Serving,
  shell: Shell,
): Promise<void> {
  const { serveOverHttp } = await import("../../mcp/serve-http.ts");
  const server = await serveOverHttp(live, {
    ...options,
    ...address,
    allowHosts,
    ...(metrics && { metrics: workers?.metricsOfAll(metrics) ?? metrics }),
  });
  const { identity, tools } = live.current();
  const said = [
    `Serving ${counted(tools.length, "tool")} of ${identity.name} at ${server.url}`,
    `See what an agent sees, and try it, at ${new URL("/", server.url)}`,
    ...(watch ? [`Watching ${request.file}: what you save is served.`] : []),
  ];
  if (workers !== undefined) workers.listening({ said: said.join("\n") });
  else if (onListening !== undefined) onListening(server.url);
  else for (const line of said) shell.note(line);
  await aborted(shell.signal);
  await server.close(GRACE_MS);
}

async function openPageOf(
  live: LiveToolset<OpenedServer>,
  { loaded, request, caller, env, watch, events, workers }: Serving,
  report: (error: unknown) => void,
): Promise<ServePage> {
  const { openServePage } = await import("../page/open-serve-page.ts");
  return openServePage({
    live,
    request,
    key: caller.claims,
    env,
    watches: watch,
    files: () => new Map(loaded.files().map(({ path, sha256 }) => [path, sha256])),
    report,
    ...(events && { events }),
    ...(workers && { workers }),
  });
}

/** Reads the files again when one changes, and over HTTP at SIGHUP: one of several workers does it for all, when it is asked to. */
async function openReloading(
  live: LiveToolset<OpenedServer>,
  { loaded, request, caller, watch, http, workers }: Serving,
  open: (loaded: LoadedToolset, tls?: Certificates) => Promise<OpenedServer>,
  shell: Shell,
  attempted: ReloadOptions<OpenedServer>["attempted"] = () => {},
): Promise<Pick<Reload, "close">> {
  const { openReload } = await import("./reload-toolset.ts");
  const reload = openReload({
    ...{ live, first: loaded, request, open, shell, attempted },
    // All of them read the same files.
    ...(watch && { watch: { isTold: workers !== undefined && workers.number > 1 } }),
    reloaded: (next, { tls }, isAsked) => workers?.serves(servesState(next, tls, caller, isAsked)),
  });
  if (workers !== undefined) {
    // What was begun with is known, and may be the last no more.
    if (workers.lastGood === undefined) workers.serves(servesState(loaded, live.served().opened.tls, caller, false));
    workers.onReload({
      now: reload.now,
      take: async (good) => {
        const state = stateOf(good);
        if (state !== undefined) await reload.take(fromPlain(state.loaded), state.tls);
      },
    });
    return reload;
  }
  const stopHangup = http && shell.onHangup?.(() => void reload.now());
  const close = (): void => {
    stopHangup?.();
    reload.close();
  };
  return { close };
}
