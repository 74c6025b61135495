import { type McpMount, type McpView, mountMcp } from "../mcp/mount-mcp.ts";
import type { Identity } from "../model/exchange.ts";
import { atMostEvery } from "./at-most-every.ts";
import type { VerifiedCaller } from "./hosting.ts";
import { openViews, type ViewOptions } from "./open-views.ts";
import type { OpenedServer, Served } from "./opened-server.ts";

/** One server for the time of one request: it is not closed before `done` is called. */
export interface Hold {
  readonly mount: McpMount;
  viewOf(caller: VerifiedCaller): McpView;
  /** What the page shows this caller; absent where the server has none. */
  readonly pageOf?: OpenedServer["pageOf"];
  done(): void;
}

/** The servers that are served now. A reload takes them at once; calls that run go on with what they began with. */
export interface HeldServers {
  served(): Served;
  hold(name: string): Hold | undefined;
  /** Hears when what callers of a server see may be another; gives what ends that. */
  onChange(name: string, listener: () => void): () => void;
  replace(next: Served): void;
  /** Lets running calls finish for `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export function holdServers(first: Served, options: ViewOptions): HeldServers {
  const mounts = new Map<string, McpMount>();
  const listeners = new Map<string, Set<() => void>>();
  const changed = (name: string, whose?: ReadonlySet<string | undefined>): void => {
    mounts.get(name)?.toolsChanged(whose);
    for (const listener of listeners.get(name) ?? []) listener();
  };
  // Not made in `take`, where it would hold on to what was served before, and that to what was before it.
  const changedOf = (name: string): Changed => gatherChanged((whose) => changed(name, whose));
  let served = first;
  let held = new Map<string, HeldServer>();
  const take = (next: Served): void => {
    const before = held;
    const now = [...next.servers].map(([name, server]) => {
      const mount = mounts.get(name) ?? mountMcp(options.report);
      mounts.set(name, mount);
      const known = before.get(name);
      const one = known?.server === server ? known : holdServer(server, changedOf(name), options);
      return [name, one] as const;
    });
    served = next;
    held = new Map(now);
    for (const [name, one] of before) if (held.get(name) !== one) one.retire();
  };
  take(first);
  return {
    served: () => served,
    hold(name) {
      const mount = mounts.get(name);
      const one = held.get(name);
      if (mount === undefined || one === undefined) return undefined;
      const { pageOf } = one.server;
      return { mount, viewOf: one.viewOf, ...(pageOf !== undefined && { pageOf }), done: one.begin() };
    },
    onChange(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name);
      };
    },
    replace(next) {
      take(next);
      for (const [name, mount] of mounts) {
        if (held.has(name)) changed(name);
        else {
          mounts.delete(name);
          mount.close(0).catch(options.report);
        }
      }
    },
    async close(graceMs) {
      await Promise.all([...mounts.values()].map((mount) => mount.close(graceMs)));
      await Promise.all([...held.values()].map(({ server }) => server.close()));
    },
  };
}

/** What many callers see may become something else at once. */
const TELL_MS = 200;

interface Changed {
  of(who: Pick<Identity, "id">): void;
  stop(): void;
}

/** Tells at once of all whose tools have become others within a short time. */
function gatherChanged(tell: (whose: ReadonlySet<string | undefined>) => void): Changed {
  let whose = new Set<string | undefined>();
  const paced = atMostEvery(TELL_MS, () => {
    const told = whose;
    whose = new Set();
    tell(told);
  });
  const of: Changed["of"] = ({ id }) => {
    whose.add(id);
    paced.ask();
  };
  return { of, stop: paced.stop };
}

interface HeldServer {
  readonly server: OpenedServer;
  readonly viewOf: Hold["viewOf"];
  /** Gives what ends it. */
  begin(): () => void;
  retire(): void;
}

function holdServer(server: OpenedServer, changed: Changed, options: ViewOptions): HeldServer {
  let running = 0;
  let isRetired = false;
  const stopListening = server.onChange(changed.of);
  const closeIfIdle = (): void => {
    if (isRetired && running === 0) server.close().catch(options.report);
  };
  return {
    server,
    viewOf: openViews(server, options),
    begin() {
      running += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        running -= 1;
        closeIfIdle();
      };
    },
    retire() {
      stopListening();
      changed.stop();
      isRetired = true;
      closeIfIdle();
    },
  };
}
