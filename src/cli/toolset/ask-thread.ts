import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";

/**
 * What a program beside this one answers in a thread of its own, as plain data, so that the calls that are served meanwhile do not wait. Undefined where
 * there is no such program any more. Rejects where the thread ends without an answer, for example for want of memory.
 */
export async function askThread<Answer>(program: URL, workerData: object): Promise<Answer | undefined> {
  if (!existsSync(program)) return undefined;
  // What was preloaded into the process is for the thread that serves.
  const thread = new Worker(program, { workerData, env: {}, execArgv: [] });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`A thread ended with ${code}.`)));
    });
  } finally {
    await thread.terminate();
  }
}
