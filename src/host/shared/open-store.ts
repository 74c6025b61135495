import { Redis, type RedisOptions } from "ioredis";
import { after, TooSlow, within } from "./in-good-time.ts";
import { openStanding, type StoreFact, StoreGone } from "./store-standing.ts";

/** Redis, so that a caller never waits for one that is gone or hangs. */
export interface Store {
  /** Rejects with `StoreGone`: at once while the store is known not to answer, else when it fails or does not answer in good time. */
  ask<T>(command: Command<T>): Promise<T>;
  /** The same, but waits as long as `withinMs` until the store is there again, without having asked anything, and then as long for its answer. */
  askPatiently<T>(command: Command<T>, withinMs: number): Promise<T>;
  /** Asks whatever is known, and waits for longer. An answer in good time means that the store may be asked by all again. */
  probe<T>(command: Command<T>): Promise<T>;
  isUp(): boolean;
  close(): Promise<void>;
}

type Command<T> = (redis: Redis) => Promise<T>;

/** What one call waits at most; over it the store counts as gone. */
const GOOD_TIME_MS = 100;
const PROBE_MS = 1_000;
/** An open socket from which nothing comes is given up then, with what was asked on it. */
const SILENCE_MS = 3_000;

const OPTIONS = {
  connectTimeout: 1_000,
  socketTimeout: SILENCE_MS,
  keepAlive: 10_000,
  // Nothing is kept for later: what waited would count long after it was answered otherwise.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
} satisfies RedisOptions;

/** One connection, which is made again whenever it breaks. */
function connect(url: string): Redis {
  let isLeaving = false;
  const redis: Redis = new Redis(url, {
    ...OPTIONS,
    // A primary that has become a replica: the name leads to the new one. Said for each of many calls, the library would listen as many times.
    reconnectOnError: (error) => {
      if (isLeaving || !error.message.startsWith("READONLY")) return false;
      isLeaving = true;
      return true;
    },
  });
  redis.on("close", () => {
    isLeaving = false;
  });
  return redis;
}

/** Opens connections to a `redis:` or `rediss:` URL, and again whenever one breaks. `hear` is called for what is published on `channel`. */
export function openStore(
  url: string,
  { channel, hear, tell }: { readonly channel: string; hear(): void; tell(fact: StoreFact): void },
): Store {
  const redis = connect(url);
  const ear = connect(url);
  const standing = openStanding(() => redis.status === "ready", tell);
  let isClosing = false;
  const ask = <T>(command: Command<T>, withinMs: number): Promise<T> => {
    if (!standing.isUp()) throw new StoreGone("The shared store does not answer.");
    return within(withinMs, command(redis)).catch((error: unknown) => {
      throw standing.lost(error);
    });
  };
  redis.on("error", standing.broke);
  redis.on("close", () => {
    if (!isClosing) standing.lost(new Broken());
  });
  redis.on("ready", () => {
    standing.connected();
    hear();
  });
  ear.on("error", () => undefined);
  ear.on("message", hear);
  ear.on("ready", () => {
    // What was said meanwhile was not heard.
    ear.subscribe(channel).then(hear, () => ear.disconnect(true));
  });
  return {
    ask: async (command) => ask(command, GOOD_TIME_MS),
    async askPatiently(command, withinMs) {
      await standing.upWithin(withinMs);
      return ask(command, withinMs);
    },
    async probe(command) {
      let isLate = false;
      const stop = after(GOOD_TIME_MS, () => {
        isLate = true;
      });
      const answer = await within(PROBE_MS, command(redis))
        .catch((error: unknown) => {
          throw standing.lost(error);
        })
        .finally(stop);
      if (isLate) standing.lost(new TooSlow());
      else standing.found();
      return answer;
    },
    isUp: standing.isUp,
    close: async () => {
      isClosing = true;
      redis.disconnect();
      ear.disconnect();
    },
  };
}

class Broken extends Error {
  readonly code = "ECONNRESET";
}
