import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { openDoor } from "../../src/host/callers/open-door.ts";
import { type App, type AppOptions, createApp } from "../../src/host/create-app.ts";
import { openHostLog } from "../../src/host/host-log.ts";
import type { HostFile, KeyEntry, Limiter, ServerEntry } from "../../src/host/hosting.ts";
import type { OpenedServer, Served, Visibility } from "../../src/host/opened-server.ts";
import { createBoundServer } from "../../src/mcp/bound-server.ts";
import { makeGeneration, type ToolCaller } from "../../src/mcp/make-generation.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { hideByTags } from "../../src/model/visible/hide-by-tags.ts";
import { hideWrites } from "../../src/model/visible/hide-writes.ts";

/** A key, in the clear, by its name. */
export const keyOf = (name: string): string => `vtr_${name}_secret-of-${name}`;

export function keyEntry(id: string, more: Partial<KeyEntry> = {}): KeyEntry {
  const sha256 = createHash("sha256").update(keyOf(id)).digest("hex");
  return { id, sha256, server: "one", claims: { who: id }, credentials: [], writes: false, tags: {}, ...more };
}

export function serverEntry(name: string, more: Partial<ServerEntry> = {}): ServerEntry {
  return { name, curation: `${name}.yaml`, env: [], allowPrivate: [], tags: {}, explore: false, ...more };
}

export function hostFile(
  keys: readonly KeyEntry[],
  servers: readonly ServerEntry[],
  more: Partial<HostFile> = {},
): HostFile {
  return {
    listen: { hostname: "127.0.0.1", port: 0 },
    publicUrl: "http://127.0.0.1",
    proxies: 0,
    servers: new Map(servers.map((one) => [one.name, one])),
    keys: new Map(keys.map((one) => [one.id, one])),
    ...more,
  };
}

export interface FakeServer extends OpenedServer {
  readonly seen: Visibility[];
  readonly closed: Promise<void>;
  isClosed(): boolean;
  /** As if what this caller sees had become something else. */
  change(id: string): void;
}

/** A server over a toolset, whose tools are run by `caller`. */
export function fakeServer(toolset: Toolset, caller: ToolCaller): FakeServer {
  const seen: Visibility[] = [];
  const listeners = new Set<Parameters<OpenedServer["onChange"]>[0]>();
  let close = (): void => {};
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    close = () => {
      isClosed = true;
      resolve();
    };
  });
  return {
    seen,
    closed,
    isClosed: () => isClosed,
    generation: (one) => {
      seen.push(one);
      const chosen = hideByTags(toolset, one.tags);
      const visible = one.writes ? chosen : hideWrites(chosen);
      const names = new Set(visible.tools.map(({ name }) => name));
      return makeGeneration(visible, "1.2.3", {
        call: (name, args, by) =>
          names.has(name) ? caller.call(name, args, by) : caller.call("no such tool", args, by),
      });
    },
    credentialsOf: () => [],
    lacking: () => ({ claims: [], token: false }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (id) => {
      for (const listener of listeners) listener({ id });
    },
    close: async () => close(),
  };
}

export interface Hosted {
  readonly app: App;
  readonly url: string;
  readonly lines: Record<string, unknown>[];
  /** As if the host file were read anew. */
  serve(next: Served): void;
  end(): Promise<void>;
}

const NO_LIMITS: Limiter = {
  address: async () => undefined,
  failed: () => {},
  arrive: async () => undefined,
  call: async () => undefined,
};

/** The app with the real door, listening on a port of its own. */
export async function openHosted(first: Served, more: Partial<AppOptions> = {}): Promise<Hosted> {
  const lines: Record<string, unknown>[] = [];
  let served = first;
  const door = openDoor({ file: () => served.host, lacking: (name) => served.servers.get(name)?.lacking });
  const app = createApp(first, {
    door,
    limiter: NO_LIMITS,
    log: openHostLog(
      (line) => lines.push(JSON.parse(line)),
      () => new Date(),
    ),
    describe: String,
    ...more,
  });
  // No connection ends by itself while a test looks at it.
  const server = createBoundServer(app.handle, { idleMs: 60_000 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    app,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    serve: (next) => {
      served = next;
      app.replace(next);
    },
    end: async () => {
      await app.close(0);
      await door.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
