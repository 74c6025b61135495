import cluster from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { WorkerState } from "../../host/shared/open-state.ts";
import { openOwnWrites } from "../../host/shared/open-writes.ts";
import type { UsedOnce } from "../../model/used-once.ts";
import { type Shell, UsageError } from "../command.ts";
import type { Counted, FirstAnswers, Listening, WorkerAnswers } from "./messages.ts";
import { type Channel, openChannel } from "./open-channel.ts";

/** What a worker has of the others, through the process that started them. */
export interface Joined {
  /** From 1, which tells of what all find alike; whoever takes the place of another has its number. */
  readonly number: number;
  readonly of: number;
  /** What page tokens and confirmations are made of where the environment has no VITRINE_SECRET. */
  readonly secret: string;
  readonly state: WorkerState;
  /** Ends when this one is asked to end, by the others or by the system. */
  readonly signal: AbortSignal;
  /** Whether all listen. */
  areReady(): boolean;
  /** Of this one; said of all when all do. */
  listening(said: Listening): void;
  /** This one ends by itself: another one should take its place. */
  failing(): void;
  /** In place of what this one has counted, what all have. */
  metricsOfAll(own: { readonly type: string; text(): string }): { readonly type: string; text(): Promise<string> };
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
  const answers: WorkerAnswers = {
    ready: () => {
      areReady = true;
    },
    end: () => ended.abort(),
    metrics: () => ownText(),
    wrote: (server) => writes.heard(server),
  };
  const channel = openChannel<FirstAnswers>(
    {
      send: (message, failed) =>
        void process.send?.(message, undefined, {}, (error) => error !== null && failed(error)),
      onMessage: (listener) => void process.on("message", listener),
    },
    { ...answers },
  );
  // The process that has gone takes this one with it.
  const tell = (asked: Promise<unknown>): void => void asked.catch(() => {});
  const writes = openOwnWrites((server) => tell(channel.ask("wrote", server)));
  const { number, of, secret, mark, areReady: areOthers } = await join(channel);
  areReady ||= areOthers;
  // From here on what it serves keeps it alive.
  process.channel?.unref();
  return {
    number,
    of,
    secret,
    signal,
    state: { usedOnce: askUsedOnce(channel, mark), count: (kind) => askCounter(channel, kind), writes },
    areReady: () => areReady,
    listening: (said) => tell(channel.ask("listening", said)),
    failing: () => tell(channel.ask("failing")),
    metricsOfAll: ({ type, text }) => {
      ownText = text;
      return { type, text: () => channel.ask("metrics") };
    },
  };
}

const ANSWER_MS = 10_000;

async function join(channel: Channel<FirstAnswers>) {
  const joining = await Promise.race([channel.ask("join"), wait(ANSWER_MS, undefined, { ref: false })]);
  if (joining !== undefined) return joining;
  throw new UsageError("--workers starts processes of its own, and this one is a worker of another program already.");
}

function askUsedOnce(channel: Channel<FirstAnswers>, mark: string): UsedOnce {
  return {
    mark: () => mark,
    use: ({ until, ...one }) => channel.ask("use", { ...one, until: until.getTime() }),
  };
}

function askCounter(channel: Channel<FirstAnswers>, of: Counted["of"]) {
  return { take: (key: string, rate: Counted["rate"]) => channel.ask("count", { of, key, rate }) };
}
