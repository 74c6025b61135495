import type { Writes } from "../../model/writes.ts";
import { atMostEvery } from "../at-most-every.ts";
import type { Store } from "./open-store.ts";

/** Word of writes to the upstreams of servers, so that whoever sees tools come and go with what an upstream says has it asked again. */
export interface WriteNotices {
  of(server: string): Writes;
  /** Hears which server's upstream was written to: here at once, by another replica within two seconds; gives what ends that. */
  onWrite(listener: (server: string) => void): () => void;
}

interface OwnWrites extends WriteNotices {
  heard(server: string): void;
}

/** Of one process. `announce` is told of those that were made here. */
export function openOwnWrites(announce: (server: string) => void = () => {}): OwnWrites {
  const counts = new Map<string, number>();
  const listeners = new Set<(server: string) => void>();
  const heard = (server: string): void => {
    counts.set(server, (counts.get(server) ?? 0) + 1);
    for (const listener of listeners) listener(server);
  };
  return {
    heard,
    of: (server) => ({
      count: () => counts.get(server) ?? 0,
      add: () => {
        heard(server);
        announce(server);
      },
    }),
    onWrite: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export interface WriteKeys {
  /** Hash: server → how often it was told that its upstream was written to. */
  readonly written: string;
  readonly writtenVersion: string;
  readonly channel: string;
}

export interface SharedWrites extends WriteNotices {
  /** Reads what others have told where it is another than `version`, and tells what could not be told. Rejects with `StoreGone`. */
  follow(version: string): Promise<void>;
  close(): void;
}

/** Many writes are told at once. */
const TELL_MS = 250;

const ADD = `
  local counts = {}
  for at = 1, #ARGV do counts[at] = redis.call('HINCRBY', KEYS[1], ARGV[at], 1) end
  redis.call('INCR', KEYS[2])
  redis.call('PUBLISH', KEYS[3], 'written')
  return counts`;

/** Those that replicas tell each other. `untold` is told once when others cannot be: they then see what was written when they ask by themselves. */
export function openSharedWrites(store: Store, keys: WriteKeys, untold: () => void): SharedWrites {
  const waiting = new Set<string>();
  let known = new Map<string, number>();
  let followed: string | undefined;
  let isTold = true;

  const announce = async (): Promise<void> => {
    const servers = [...waiting];
    waiting.clear();
    const names = [keys.written, keys.writtenVersion, keys.channel];
    try {
      const counts = await store.probe((redis) => redis.eval(ADD, names.length, ...names, ...servers));
      isTold = true;
      for (const [at, count] of (counts as number[]).entries()) {
        const server = servers[at]!;
        // More than our own one: what others have told meanwhile is still to be heard.
        if (count === (known.get(server) ?? 0) + 1) known.set(server, count);
      }
    } catch {
      // The store has told what it was.
      for (const server of servers) waiting.add(server);
      if (isTold) untold();
      isTold = false;
    }
  };
  const telling = atMostEvery(TELL_MS, () => void announce());
  const own = openOwnWrites((server) => {
    waiting.add(server);
    telling.ask();
  });
  return {
    of: own.of,
    onWrite: own.onWrite,
    async follow(version) {
      if (waiting.size > 0) telling.ask();
      if (version === followed) return;
      const there = await store.probe((redis) => redis.hgetall(keys.written));
      const counts = new Map(Object.entries(there).map(([server, count]) => [server, Number(count)]));
      const before = known;
      known = counts;
      const isNews = followed !== undefined;
      followed = version;
      if (!isNews) return;
      for (const server of new Set([...before.keys(), ...counts.keys()]))
        if (before.get(server) !== counts.get(server)) own.heard(server);
    },
    close: telling.stop,
  };
}
