import { OUR_FAULT } from "../command.ts";
import type { CommonAnswers, FirstAnswers, Joining, Listening, Serves, WorkerAnswers } from "./messages.ts";
import type { Channel } from "./open-channel.ts";
import { restAfter } from "./rest-after.ts";
import type { StartedWorker, WorkerEnd } from "./start-worker.ts";

/** What becomes of a worker, for the operator. */
export type WorkerFact =
  | (WorkerEnd & { readonly kind: "worker_ended"; readonly worker: number; readonly restMs: number })
  | { readonly kind: "worker_back"; readonly worker: number };

export interface Keeping {
  /** Of `Joining`, all but the number. */
  joining(): Omit<Joining, "number">;
  readonly answers: CommonAnswers;
  /** One wrote to the upstream of a server. */
  readonly wrote: (server: string, by: Channel<WorkerAnswers>) => void;
  readonly serves: (one: Serves, by: Channel<WorkerAnswers>) => void;
  readonly reads: (mark: string, by: Channel<WorkerAnswers>) => void;
  readonly start: (answers: FirstAnswers) => StartedWorker;
  readonly tell: (fact: WorkerFact) => void;
  /** One has ended, after which it is asked no more. */
  readonly left: (channel: Channel<WorkerAnswers>) => void;
}

/** The place of one worker, in which there is another one soon after the last has ended. */
export interface KeptWorker {
  /** Resolves when the first one listens; rejects with `EndedEarly` where it ends before. */
  readonly listening: Promise<Listening>;
  /** Of the one that has joined; undefined where there is none now. */
  channel(): Channel<WorkerAnswers> | undefined;
  /** Has it read its files again. One that has not joined yet reads them as they are. */
  hangUp(): void;
  /** Lets nobody take its place any more; resolves when all of it have ended, to the worst exit code. */
  end(killAfterMs: number): Promise<number>;
}

/** A worker ended before it served for the first time: another one would too. */
export class EndedEarly extends Error {
  readonly code = "ENDED_EARLY";
  readonly exitCode: number;
  /** Whether the worker itself has said why. */
  readonly isSaid: boolean;
  constructor(end: WorkerEnd) {
    super(`A worker ended before it served (${describeEnd(end)}).`);
    this.exitCode = codeOf(end);
    this.isSaid = end.code !== null;
  }
}

/** Starts the worker of this number, and another one whenever it ends, until it is to end for good. */
export function keepWorker(
  number: number,
  { joining, answers, wrote, serves, reads, start, tell, left }: Keeping,
): KeptWorker {
  const living = new Set<StartedWorker>();
  const reached = new WeakSet<StartedWorker>();
  let joined: StartedWorker | undefined;
  let hasServed = false;
  let isEnding = false;
  let worstCode = 0;
  let quickEnds = 0;
  let timer: NodeJS.Timeout | undefined;
  let listens: (said: Listening) => void = () => {};
  let fails: (error: EndedEarly) => void = () => {};
  const listening = new Promise<Listening>((resolve, reject) => {
    listens = resolve;
    fails = reject;
  });
  const begin = (): void => {
    const startedAt = performance.now();
    let serving = false;
    const another = (end: WorkerEnd): void => {
      if (isEnding) return;
      if (!hasServed) {
        fails(new EndedEarly(end));
        return;
      }
      quickEnds = serving && performance.now() - startedAt >= QUICK_MS ? 0 : quickEnds + 1;
      const restMs = restAfter(quickEnds);
      tell({ kind: "worker_ended", worker: number, ...end, restMs });
      timer = setTimeout(begin, restMs);
    };
    let replaced = false;
    const replace = (end: WorkerEnd): void => {
      if (joined === one) joined = undefined;
      if (replaced) return;
      replaced = true;
      another(end);
    };
    const one = start({
      ...answers,
      wrote: (server) => wrote(server, one.channel),
      serves: (served) => serves(served, one.channel),
      reads: (mark) => reads(mark, one.channel),
      join: () => {
        joined = one;
        reached.add(one);
        return { ...joining(), number };
      },
      listening: (said) => {
        if (hasServed) tell({ kind: "worker_back", worker: number });
        hasServed = true;
        serving = true;
        listens(said);
      },
      // It takes its time to end, and another one serves meanwhile.
      failing: () => replace({ code: OUR_FAULT, signal: null }),
    });
    living.add(one);
    void one.ended.then((end) => {
      living.delete(one);
      left(one.channel);
      if (isEnding) worstCode = Math.max(worstCode, codeOf(end));
      replace(end);
    });
  };
  begin();
  return {
    listening,
    channel: () => joined?.channel,
    hangUp: () => joined?.kill("SIGHUP"),
    async end(killAfterMs) {
      isEnding = true;
      clearTimeout(timer);
      for (const one of living) askToEnd(one, reached.has(one));
      await endOf(living, killAfterMs);
      return worstCode;
    },
  };
}

/** Whoever ends a whole group of processes has sent it a signal already, and a second one would kill it. */
function askToEnd(one: StartedWorker, isReached: boolean): void {
  if (isReached) one.channel.ask("end").catch(() => {});
  else one.kill("SIGTERM");
}

/** Resolves when all that now live have ended; those that have not by then are killed. */
async function endOf(living: ReadonlySet<StartedWorker>, killAfterMs: number): Promise<void> {
  const kill = setTimeout(() => {
    for (const one of living) one.kill("SIGKILL");
  }, killAfterMs);
  await Promise.all([...living].map(({ ended }) => ended));
  clearTimeout(kill);
}

/** Whoever was asked to end before it listened for that has ended as it was asked to. */
function codeOf({ code, signal }: WorkerEnd): number {
  return code ?? (signal === "SIGTERM" ? 0 : OUR_FAULT);
}

export function describeEnd({ code, signal }: WorkerEnd): string {
  return signal ?? (code === null ? "it could not be started" : `exit code ${code}`);
}

/** One that ends sooner than this has found something that the next may find too. */
const QUICK_MS = 10_000;
