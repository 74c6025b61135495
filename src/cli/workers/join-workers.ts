import cluster from "node:cluster";
import { type Counter, countHere } from "../../host/limits/count-here.ts";
import type { WorkerState } from "../../host/shared/open-state.ts";
import { openOwnWrites } from "../../host/shared/open-writes.ts";
import { refuseForNow } from "../../model/refuse-for-now.ts";
import type { UsedOnce } from "../../model/used-once.ts";
import { type Shell, UsageError } from "../command.ts";
import type { Counted, FirstAnswers, LastGood, Listening, Serves, WorkerAnswers } from "./messages.ts";
import { type Channel, openChannel } from "./open-channel.ts";
import { MOST_KEYS } from "./open-common.ts";
import { takeTurns } from "./take-turns.ts";

/** What a worker has of the others, through the process that started them. */
export interface Joined {
  /** From 1, which tells of what all find alike; whoever takes the place of another has its number. */
  readonly number: number;
  readonly of: number;
  /** What page tokens and confirmations are made of where the environment has no VITRINE_SECRET. */
  readonly secret: string;
  readonly state: WorkerState;
  /** What the others serve, where they do already: this one begins with it. */
  readonly lastGood: LastGood | undefined;
  /** Ends when this one is asked to end, by the others or by the system. */
  readonly signal: AbortSignal;
  /** Whether all listen. */
  areReady(): boolean;
  /** Of this one; said of all when all do. */
  listening(said: Listening): void;
  /** This one serves it from now on, and whoever takes its place begins with it. */
  serves(one: Serves): void;
  /** What this one serves was made from files of this mark, which it has read by itself. */
  reads(mark: string): void;
  /** Once it serves: how it reads its files for all, and how it takes what another one has read. */
  onReload(reloading: Reloading): void;
  /** This one ends by itself: another one should take its place. */
  failing(): void;
  /** In place of what this one has counted, what all have. */
  metricsOfAll(own: { readonly type: string; text(): string }): { readonly type: string; text(): Promise<string> };
}

export interface Reloading {
  now(): Promise<void>;
  take(good: LastGood): Promise<void>;
}

/**
 * Undefined in the process that is to start the workers; `own` ends when the system asks this process to. Throws `UsageError` in a worker of another
 * program.
 */
export async function joinWorkers(own: Pick<Shell, "signal">): Promise<Joined | undefined> {
  if (!cluster.isWorker) return undefined;
  const ended = new AbortController();
  // From now on nothing that the system says ends it at once.
  const signal = AbortSignal.any([own.signal, ended.signal]);
  let areReady = false;
  let ownText = (): string => "";
  let serving: (reloading: Reloading) => void = () => {};
  const reloading = new Promise<Reloading>((resolve) => {
    serving = resolve;
  });
  const answers: WorkerAnswers = {
    ready: () => {
      areReady = true;
    },
    end: () => ended.abort(),
    metrics: () => ownText(),
    wrote: (server) => writes.heard(server),
    reload: async () => (await reloading).now(),
    take: async (good) => (await reloading).take(good),
  };
  const channel = openChannel<FirstAnswers>(
    {
      send: (message, failed) =>
        void process.send?.(message, undefined, {}, (error) => error !== null && failed(error)),
      onMessage: (listener) => void process.on("message", listener),
    },
    { ...answers },
    ANSWER_MS,
  );
  // The process that has gone takes this one with it.
  const tell = (asked: Promise<unknown>): void => void asked.catch(() => {});
  const writes = openOwnWrites((server) => tell(channel.ask("wrote", server)));
  const { number, of, secret, mark, lastGood, areReady: areOthers } = await join(channel);
  areReady ||= areOthers;
  takeTurns();
  // From here on what it serves keeps it alive.
  process.channel?.unref();
  return {
    number,
    of,
    secret,
    signal,
    state: { usedOnce: askUsedOnce(channel, mark), count: (kind) => askCounter(channel, kind, of), writes },
    lastGood,
    areReady: () => areReady,
    listening: (said) => channel.tell("listening", said),
    serves: (one) => channel.tell("serves", one),
    reads: (mark) => channel.tell("reads", mark),
    onReload: serving,
    failing: () => channel.tell("failing"),
    metricsOfAll: ({ type, text }) => {
      ownText = text;
      return { type, text: () => channel.ask("metrics") };
    },
  };
}

/** The first process does nothing that takes long. */
const ANSWER_MS = 5_000;

async function join(channel: Channel<FirstAnswers>) {
  const joining = await channel.ask("join").catch(() => undefined);
  if (joining !== undefined) return joining;
  throw new UsageError("--workers starts processes of its own, and this one is a worker of another program already.");
}

function askUsedOnce(channel: Channel<FirstAnswers>, mark: string): UsedOnce {
  return {
    mark: () => mark,
    use: ({ until, ...one }) =>
      channel.ask("use", { ...one, until: until.getTime() }).catch((error: unknown) => {
        throw refuseForNow(error);
      }),
  };
}

/** While the first process does not answer each admits its share of the rate. */
function askCounter(channel: Channel<FirstAnswers>, of: Counted["of"], workers: number): Counter {
  const own = countHere(MOST_KEYS[of], () => performance.now());
  return { take: (key, rate) => channel.ask("count", { of, key, rate }).catch(() => own.take(key, rate, workers)) };
}
