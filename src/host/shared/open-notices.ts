import { randomUUID } from "node:crypto";
import type { Store } from "./open-store.ts";

/** Tells all replicas to read their files again. */
export interface Notices {
  /** All hear it, this one too. Rejects with `StoreGone` where the others cannot be told. */
  announceReload(): Promise<void>;
  /** Hears of it within two seconds, and when it cannot be known whether there was one; gives what ends that. */
  onReload(listener: () => void): () => void;
}

export function openOwnNotices(): Notices {
  const listeners = new Set<() => void>();
  return { announceReload: async () => callAll(listeners), onReload: (listener) => listen(listeners, listener) };
}

export interface NoticeKeys {
  readonly reloadVersion: string;
  readonly channel: string;
}

export interface SharedNotices extends Notices {
  follow(version: string): void;
}

const ANNOUNCE = `
  redis.call('SET', KEYS[1], ARGV[1])
  redis.call('PUBLISH', KEYS[2], 'reload')`;

export function openSharedNotices(store: Store, { reloadVersion, channel }: NoticeKeys): SharedNotices {
  const listeners = new Set<() => void>();
  let followed: string | undefined;
  return {
    announceReload: async () => {
      await store.probe((redis) => redis.eval(ANNOUNCE, 2, reloadVersion, channel, randomUUID()));
    },
    onReload: (listener) => listen(listeners, listener),
    follow(version) {
      const isNews = followed !== undefined && followed !== version;
      followed = version;
      if (isNews) callAll(listeners);
    },
  };
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}
