import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ThreadAnswer } from "../toolset/ask-thread.ts";
import { build } from "../version.ts";
import type { MeasuredList, MeasureJob } from "./measure-page.ts";

export interface MeasureQuestion {
  readonly id: number;
  readonly job: MeasureJob;
}

export interface MeasureAnswer extends ThreadAnswer {
  readonly id: number;
  readonly measured?: MeasuredList | number;
  readonly failed?: string;
}

type Measure = (job: MeasureJob) => Promise<MeasuredList | number>;

const PROGRAM = new URL("./measure-worker.js", import.meta.url);
/** By then nobody looks at the page any more. */
const IDLE_MS = 60_000;

/**
 * Measures in a thread that is kept as long as somebody asks; in this one where the source runs unbuilt, or the program was taken away or replaced since
 * it began.
 */
export function openMeasuring(program: URL | undefined = build === undefined ? undefined : PROGRAM): Measure {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    thread?.end();
    thread = undefined;
  };
  return async (job) => {
    if (program === undefined || !existsSync(program)) return measureHere(job);
    clearTimeout(idle);
    thread ??= openThread(program, (ended) => {
      if (thread === ended) thread = undefined;
    });
    const answer = await thread.ask(job).finally(() => {
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS).unref();
    });
    if (answer.build !== build) return measureHere(job);
    if (answer.measured === undefined) throw new Error(answer.failed);
    return answer.measured;
  };
}

async function measureHere(job: MeasureJob): Promise<MeasuredList | number> {
  const { measurePage } = await import("./measure-page.ts");
  return measurePage(job);
}

interface Asked {
  resolve(answer: MeasureAnswer): void;
  reject(error: unknown): void;
}

interface Thread {
  ask(job: MeasureJob): Promise<MeasureAnswer>;
  end(): void;
}

/** `ended` hears that it takes no more questions: at the latest when it is gone, by when another one may have its place. */
function openThread(program: URL, ended: (thread: Thread) => void): Thread {
  const worker = new Worker(program, { env: {}, execArgv: [] });
  // It must not keep the process from ending.
  worker.unref();
  const asked = new Map<number, Asked>();
  let last = 0;
  const fail = (error: unknown): void => {
    ended(thread);
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  };
  worker.on("message", (answer: MeasureAnswer) => {
    asked.get(answer.id)?.resolve(answer);
    asked.delete(answer.id);
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`Measuring ended with ${code}.`)));
  const thread: Thread = {
    ask: (job) =>
      new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        worker.postMessage({ id: last, job } satisfies MeasureQuestion);
      }),
    end: () => void worker.terminate(),
  };
  return thread;
}
