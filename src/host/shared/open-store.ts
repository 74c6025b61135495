import { Redis, type RedisOptions } from "ioredis";

/** The store that replicas share does not answer, or not in time. */
export class StoreGone extends Error {
  readonly code = "STORE_GONE";
}

/** What the operator should know of the store. */
export type StoreFact =
  /** `why` is a code or a word; it holds no address and no secret. */
  { readonly kind: "shared_lost"; readonly why: string } | { readonly kind: "shared_back" };

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
  let state: "new" | "up" | "down" = "new";
  let isClosing = false;
  let socketFault: unknown;
  const lose = (error: unknown): StoreGone => {
    const why = redis.status === "ready" ? error : (socketFault ?? error);
    // It is still being connected to for the first time.
    const isEarly = state === "new" && redis.status !== "ready" && socketFault === undefined;
    if (state !== "down" && !isEarly) {
      state = "down";
      tell({ kind: "shared_lost", why: nameFault(why) });
    }
    return new StoreGone("The shared store does not answer.", { cause: error });
  };
  const waiting = new Set<() => void>();
  const find = (): void => {
    if (state === "down") tell({ kind: "shared_back" });
    state = "up";
    for (const go of waiting) go();
  };
  const findWithin = async (ms: number): Promise<void> => {
    let go = (): void => {};
    const found = new Promise<void>((resolve) => {
      go = resolve;
      waiting.add(go);
    });
    await within(ms, found)
      .catch(() => undefined)
      .finally(() => waiting.delete(go));
  };
  const ask = <T>(command: Command<T>, withinMs: number): Promise<T> => {
    if (state !== "up") throw new StoreGone("The shared store does not answer.");
    return within(withinMs, command(redis)).catch((error: unknown) => {
      throw lose(error);
    });
  };
  redis.on("error", (error) => {
    socketFault = error;
    lose(error);
  });
  redis.on("close", () => {
    if (!isClosing) lose(new Broken());
  });
  redis.on("ready", () => {
    socketFault = undefined;
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
      if (state !== "up") await findWithin(withinMs);
      return ask(command, withinMs);
    },
    async probe(command) {
      let isLate = false;
      const stop = after(GOOD_TIME_MS, () => {
        isLate = true;
      });
      const answer = await within(PROBE_MS, command(redis))
        .catch((error: unknown) => {
          throw lose(error);
        })
        .finally(stop);
      if (isLate) lose(new TooSlow());
      else find();
      return answer;
    },
    isUp: () => state === "up",
    close: async () => {
      isClosing = true;
      redis.disconnect();
      ear.disconnect();
    },
  };
}

class TooSlow extends Error {
  readonly code = "timeout";
}

class Broken extends Error {
  readonly code = "ECONNRESET";
}

async function within<T>(ms: number, pending: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    stop = after(ms, () => reject(new TooSlow()));
  });
  return Promise.race([pending, late]).finally(stop);
}

/** What lies ready on sockets is read first: a stall of our own loop is none of the store's. */
function after(ms: number, late: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(late);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

/** The system's code, or the word by which Redis begins an error. Its text may hold what was sent. */
function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] ?? error.name;
}
