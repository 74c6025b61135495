import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { build } from "../version.ts";

/** What a thread answers says of which program it was loaded from. */
export interface ThreadAnswer {
  readonly build: string | undefined;
}

/**
 * What a program beside this one answers in a thread of its own, as plain data, so that the calls that are served meanwhile do not wait. Undefined, for
 * it is to be done in this one, where the source runs unbuilt, or the program was taken away or replaced since it began. Rejects where the thread ends
 * without an answer, for example for want of memory.
 */
export async function askThread<Answer extends ThreadAnswer>(
  program: URL,
  workerData: object,
): Promise<Answer | undefined> {
  if (build === undefined || !existsSync(program)) return undefined;
  // What was preloaded into the process is for the thread that serves.
  const thread = new Worker(program, { workerData, env: {}, execArgv: [] });
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`A thread ended with ${code}.`)));
    });
    return answer.build === build ? answer : undefined;
  } finally {
    await thread.terminate();
  }
}
