import { aborted } from "../aborted.ts";
import type { Shell } from "../command.ts";
import { compareMarks, type MarksFact } from "./compare-marks.ts";
import { gatherMetrics } from "./gather-metrics.ts";
import { EndedEarly, type KeptWorker, keepWorker, type WorkerFact } from "./keep-worker.ts";
import type { CommonAnswers, LastGood, Listening, Serves, WorkerAnswers } from "./messages.ts";
import type { Channel } from "./open-channel.ts";
import { openCommon } from "./open-common.ts";
import { openWriteTelling } from "./open-write-telling.ts";
import { startWorker } from "./start-worker.ts";

export interface WorkersOptions {
  readonly count: number;
  readonly shell: Pick<Shell, "signal" | "onHangup">;
  /** At SIGHUP one reads the files again and the others take what it then serves, or each reads them. */
  readonly reload: "one" | "each";
  readonly tell: (fact: WorkersFact) => void;
}

/** For the operator. */
export type WorkersFact =
  | WorkerFact
  | MarksFact
  /** All listen. */
  | { readonly kind: "listening"; readonly workers: number; readonly said: Listening }
  | { readonly kind: "ended_early"; readonly message: string }
  | { readonly kind: "draining" | "ended" };

/** Longer than a worker takes to end that waits for its calls. */
const KILL_MS = 60_000;

/**
 * Runs the command line of this process in several workers, which share its listening sockets, until it is asked to end. One that ends is replaced; where
 * one ends before all have served for the first time, all do. Resolves to the exit code.
 */
export async function runWorkers({ count, shell, reload, tell }: WorkersOptions): Promise<number> {
  const workers: KeptWorker[] = [];
  let areReady = false;
  let lastGood: LastGood | undefined;
  const common = openCommon();
  const channels = () => workers.flatMap((worker) => worker.channel() ?? []);
  const gathering = gatherMetrics(channels);
  const numbered = () =>
    workers.flatMap((worker, at) => {
      const channel = worker.channel();
      return channel === undefined ? [] : [{ number: at + 1, channel }];
    });
  const marks = compareMarks(numbered, tell);
  const answers: CommonAnswers = { ...common.answers, metrics: gathering.text };
  const tellWrite = openWriteTelling();
  const tellOthers = (server: string, by: Channel<WorkerAnswers>): void => {
    for (const channel of channels()) if (channel !== by) tellWrite(channel, server);
  };
  const serves = ({ good, isForAll }: Serves, by: Channel<WorkerAnswers>): void => {
    lastGood = good;
    for (const channel of channels()) if (isForAll && channel !== by) channel.tell("take", good);
  };
  const oneReload = openOneReload(channels);
  const keep = (): Promise<Listening> => {
    const joining = () => {
      oneReload.joined();
      return { of: count, areReady, ...common.joining, ...(lastGood && { lastGood }) };
    };
    const worker = keepWorker(workers.length + 1, {
      joining,
      answers,
      wrote: tellOthers,
      serves,
      reads: marks.reads,
      start: startWorker,
      tell,
      left: gathering.left,
    });
    workers.push(worker);
    return worker.listening;
  };
  const startAll = async (): Promise<void> => {
    // The first by itself: what it finds wrong is told once, and what it compiles the others find in the cache.
    const said = await keep();
    if (shell.signal.aborted) return;
    await Promise.all(Array.from({ length: count - 1 }, keep));
    areReady = true;
    for (const channel of channels()) channel.ask("ready").catch(() => {});
    tell({ kind: "listening", workers: count, said });
  };
  const stopHangup = shell.onHangup?.(() => {
    if (reload === "one") oneReload.now();
    else for (const worker of workers) worker.hangUp();
  });
  const asked = aborted(shell.signal);
  const early = await Promise.race([asked, startAll().then(() => asked)]).catch((error: unknown) => {
    if (error instanceof EndedEarly) return error;
    throw error;
  });
  if (early === undefined) tell({ kind: "draining" });
  const codes = await Promise.all(workers.map((worker) => worker.end(KILL_MS)));
  stopHangup?.();
  marks.stop();
  if (early?.isSaid === false) tell({ kind: "ended_early", message: early.message });
  if (early !== undefined) return early.exitCode;
  tell({ kind: "ended" });
  return Math.max(0, ...codes);
}

interface OneReload {
  /** Has one worker read the files again. */
  now(): void;
  /** A worker has come, which does it where none could. */
  joined(): void;
}

function openOneReload(channels: () => readonly Channel<WorkerAnswers>[]): OneReload {
  let isWaiting = false;
  const reload = async (): Promise<void> => {
    isWaiting = false;
    // One that ends meanwhile leaves it to the next.
    for (const channel of channels()) if (await hasReloaded(channel)) return;
    isWaiting = true;
  };
  return {
    now: () => void reload(),
    joined: () => {
      if (isWaiting) void reload();
    },
  };
}

function hasReloaded(channel: Channel<WorkerAnswers>): Promise<boolean> {
  return channel.ask("reload").then(
    () => true,
    () => false,
  );
}
