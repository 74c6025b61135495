import { parentPort } from "node:worker_threads";
import { describeError } from "../describe-error.ts";
import { build } from "../version.ts";
import type { ThreadQuestion, ThreadReply } from "./keep-thread.ts";

/** The other side of `keepThread`: answers each question that comes. */
export function answerQuestions<Job, Answer>(answer: (job: Job) => Promise<Answer>): void {
  const send = (reply: ThreadReply<Answer>): void => parentPort?.postMessage(reply);
  parentPort?.on("message", ({ id, job }: ThreadQuestion<Job>) => {
    answer(job).then(
      (answered) => send({ id, build, answer: answered }),
      (error: unknown) => send({ id, build, failed: describeError(error) }),
    );
  });
}
