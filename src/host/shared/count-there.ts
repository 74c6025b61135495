import type { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Rate } from "../hosting.ts";
import type { Counter, OwnCounter, Taken } from "../limits/count-here.ts";
import type { Store } from "./open-store.ts";

export interface SharedCounter {
  readonly store: Store;
  /** Before every key. */
  readonly prefix: string;
  /** Counts all the while, so that it goes on where the store leaves off. */
  readonly own: OwnCounter;
  /** How many others count apart while the store is gone, this one among them. */
  readonly replicas: () => number;
}

/** A counter that replicas share, in one round trip; while the store is gone each admits its share of the rate. */
export function countThere({ store, prefix, own, replicas }: SharedCounter): Counter {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterOf = (redis: Redis, rate: Rate): RateLimiterRedis => {
    const seconds = Math.max(1, Math.round(rate.perMs / 1000));
    const name = `${rate.calls}/${seconds}`;
    const limiter =
      limiters.get(name) ??
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${prefix}${name}`,
        points: rate.calls,
        duration: seconds,
        // Who has had enough of a window is refused without asking again.
        inMemoryBlockOnConsumed: rate.calls,
      });
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    async take(key, rate) {
      const here = own.take(key, rate, replicas());
      return store.ask((redis) => consume(limiterOf(redis, rate), key)).catch(() => here);
    },
  };
}

async function consume(limiter: RateLimiterRedis, key: string): Promise<Taken> {
  try {
    const { msBeforeNext } = await limiter.consume(key);
    return { admitted: true, msLeft: msBeforeNext };
  } catch (refused) {
    // The library rejects with a count where there are too many, and with an Error where Redis failed.
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { admitted: false, msLeft: refused.msBeforeNext };
  }
}
