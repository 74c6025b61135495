import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { build } from "../version.ts";
import type { ThreadAnswer } from "./ask-thread.ts";

/** A thread of a program beside this one, begun with the first question and kept as long as somebody asks. */
export interface KeptThread<Job, Answer> {
  /**
   * What it answers, as plain data. Undefined, for it is to be done in this thread, where the source runs unbuilt, or the program was taken away or
   * replaced since it began. Rejects with what failed there, or where it ends without an answer.
   */
  ask(job: Job): Promise<Answer | undefined>;
  end(): void;
}

export interface ThreadQuestion<Job> {
  readonly id: number;
  readonly job: Job;
}

export interface ThreadReply<Answer> extends ThreadAnswer {
  readonly id: number;
  readonly answer?: Answer;
  /** Why there is none. */
  readonly failed?: string;
}

export interface KeepingThread {
  /** Absent where the source runs unbuilt. */
  readonly program: URL | undefined;
  readonly workerData?: object;
  /** What it does, for whoever hears that it has ended. */
  readonly what: string;
  /** How long it is kept after the last question. */
  readonly idleMs?: number;
}

/** By then nobody waits for more. */
const IDLE_MS = 60_000;

export function keepThread<Job, Answer>({
  program,
  workerData,
  what,
  idleMs = IDLE_MS,
}: KeepingThread): KeptThread<Job, Answer> {
  let thread: Thread<Job, Answer> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(idle);
    thread?.end();
    thread = undefined;
  };
  return {
    async ask(job) {
      if (program === undefined || !existsSync(program)) return undefined;
      clearTimeout(idle);
      thread ??= openThread(new Worker(program, { workerData, env: {}, execArgv: [] }), what, (ended) => {
        if (thread === ended) thread = undefined;
      });
      const reply = await thread.ask(job).finally(() => {
        clearTimeout(idle);
        idle = setTimeout(end, idleMs).unref();
      });
      if (reply.build !== build) return undefined;
      if (reply.answer === undefined) throw new Error(reply.failed);
      return reply.answer;
    },
    end,
  };
}

interface Asked<Answer> {
  resolve(reply: ThreadReply<Answer>): void;
  reject(error: unknown): void;
}

interface Thread<Job, Answer> {
  ask(job: Job): Promise<ThreadReply<Answer>>;
  end(): void;
}

/** `ended` hears that it takes no more questions: at the latest when it is gone, by when another one may have its place. */
function openThread<Job, Answer>(
  worker: Worker,
  what: string,
  ended: (thread: Thread<Job, Answer>) => void,
): Thread<Job, Answer> {
  // It must not keep the process from ending.
  worker.unref();
  const asked = new Map<number, Asked<Answer>>();
  let last = 0;
  const fail = (error: unknown): void => {
    ended(thread);
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  };
  worker.on("message", (reply: ThreadReply<Answer>) => {
    asked.get(reply.id)?.resolve(reply);
    asked.delete(reply.id);
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`${what} ended with ${code}.`)));
  const thread: Thread<Job, Answer> = {
    ask: (job) =>
      new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        worker.postMessage({ id: last, job } satisfies ThreadQuestion<Job>);
      }),
    end: () => void worker.terminate(),
  };
  return thread;
}
