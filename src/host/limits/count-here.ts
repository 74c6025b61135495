import type { Rate } from "../hosting.ts";

/** Counts what comes in windows of time: the first of a window begins it. */
export interface Counter {
  /** Counts one more. */
  take(key: string, rate: Rate): Promise<Taken>;
}

export interface Taken {
  /** It was within the rate. */
  readonly admitted: boolean;
  /** Milliseconds until the next window. */
  readonly msLeft: number;
}

export interface OwnCounter {
  /** One of `replicas` that count apart has its share of the rate, and one call at least. */
  take(key: string, rate: Rate, replicas: number): Taken;
}

/**
 * A counter of this process. It holds at most `mostKeys` windows: with more at once the oldest begin anew. `now` is in milliseconds, and never
 * goes back.
 */
export function countHere(mostKeys: number, now: () => number): OwnCounter {
  const windows = new Map<string, { used: number; readonly endsAt: number }>();
  return {
    take(key, { calls, perMs }, replicas) {
      const known = windows.get(key);
      const time = now();
      const window = known !== undefined && known.endsAt > time ? known : { used: 0, endsAt: time + perMs };
      window.used += 1;
      if (window !== known) {
        windows.delete(key);
        if (windows.size >= mostKeys) makeRoom(windows, time);
        windows.set(key, window);
      }
      return { admitted: window.used <= Math.max(1, Math.floor(calls / replicas)), msLeft: window.endsAt - time };
    },
  };
}

/** Takes out what is over, and a tenth at least: so that a flood of new keys does not look through all of them each time. */
function makeRoom(windows: Map<string, { readonly endsAt: number }>, time: number): void {
  const most = Math.floor(windows.size * 0.9);
  for (const [key, { endsAt }] of windows) if (endsAt <= time) windows.delete(key);
  for (const key of windows.keys()) {
    if (windows.size <= most) return;
    windows.delete(key);
  }
}
