import cluster from "node:cluster";
import type { FirstAnswers, WorkerAnswers } from "./messages.ts";
import { type Channel, openChannel } from "./open-channel.ts";

/** How a process ended: by itself, by a signal, or it could not be started. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One process that was started, for as long as it lives. */
export interface StartedWorker {
  readonly channel: Channel<WorkerAnswers>;
  readonly ended: Promise<WorkerEnd>;
  kill(signal: "SIGHUP" | "SIGTERM" | "SIGKILL"): void;
}

/** Runs the command line of this process once more, in a worker of its cluster. stdout is that of this process, and no worker writes to it. */
export function startWorker(answers: FirstAnswers): StartedWorker {
  // Each takes connections off the one socket by itself: of those that this process would hand round, one that was on its way to a worker that is killed
  // would stay open for ever, and nobody would answer it. In a rush they take turns (take-turns.ts).
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const worker = cluster.fork();
  const channel = openChannel<WorkerAnswers>(
    {
      send: (message, failed) => void worker.process.send?.(message, (error) => error !== null && failed(error)),
      onMessage: (listener) => void worker.on("message", listener),
    },
    { ...answers },
  );
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.once("exit", (code: number | null, signal: string | null) => resolve({ code, signal }));
    // The system may have no place for one more process.
    worker.on("error", () => resolve({ code: null, signal: null }));
  });
  void ended.then(channel.close);
  return { channel, ended, kill: (signal) => void worker.process.kill(signal) };
}
