import { READ_EPOCH } from "./epoch.ts";
import type { Store } from "./open-store.ts";

/** What replicas know of each other. */
export interface Beat {
  /** How many there are, this one among them. */
  readonly replicas: number;
  /** Of what the store remembers; see `READ_EPOCH`. */
  readonly epoch: string;
  /** Changes with every revocation, and when the store may have lost what it knew. */
  readonly revoked: string;
  /** Changes when the others are to read their files again. */
  readonly reload: string;
  /** Changes when others have written to an upstream. */
  readonly written: string;
}

export interface Beating {
  /** Once more now, or right after the one that is on its way. */
  now(): void;
  stop(): Promise<void>;
}

export interface BeatKeys {
  /** Sorted set: replica → when it was last seen. */
  readonly replicas: string;
  /** See `READ_EPOCH`. */
  readonly epoch: string;
  readonly revokedVersion: string;
  readonly reloadVersion: string;
  readonly writtenVersion: string;
}

const EVERY_MS = 1_000;
/** A replica that was not seen for so long is no more. */
export const MISSED_MS = 4_000;

const BEAT = `${READ_EPOCH}
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
  local versions = redis.call('MGET', KEYS[3], KEYS[4], KEYS[5])
  return { redis.call('ZCARD', KEYS[2]), known, versions[1] or '', versions[2] or '', versions[3] or '' }`;

/** Tells the store every second that this replica is there, and the replica what the others have said since. */
export function keepBeat(
  store: Store,
  { replica, keys, onBeat }: { readonly replica: string; readonly keys: BeatKeys; onBeat(beat: Beat): Promise<void> },
): Beating {
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let isAgain = false;
  let isStopped = false;

  const beat = async (): Promise<void> => {
    const names = [keys.epoch, keys.replicas, keys.revokedVersion, keys.reloadVersion, keys.writtenVersion];
    const answer = await store.probe((redis) => redis.eval(BEAT, names.length, ...names, replica, MISSED_MS));
    const [replicas, epoch, ...versions] = answer as [number, string, string, string, string];
    const [revoked, reload, written] = versions.map((version) => `${epoch} ${version}`) as [string, string, string];
    await onBeat({ replicas, epoch, revoked, reload, written });
  };
  const run = (): void => {
    clearTimeout(timer);
    isAgain = false;
    // The store has told what it was; there is a next beat.
    beating = beat()
      .catch(() => undefined)
      .then(() => {
        beating = undefined;
        if (isStopped) return;
        if (isAgain) run();
        else timer = setTimeout(run, EVERY_MS).unref();
      });
  };
  run();
  return {
    now: () => {
      if (beating === undefined && !isStopped) run();
      else isAgain = true;
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await beating;
      await store.ask((redis) => redis.zrem(keys.replicas, replica)).catch(() => undefined);
    },
  };
}
