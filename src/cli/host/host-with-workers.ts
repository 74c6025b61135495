import { type HostLog, openHostLog } from "../../host/host-log.ts";
import type { Shell } from "../command.ts";
import { joinWorkers } from "../workers/join-workers.ts";
import { runWorkers, type WorkersFact } from "../workers/run-workers.ts";
import { runHost } from "./run-host.ts";

/** Serves a host file with several processes, of which this is the first or one of the others. Resolves to the exit code, and throws as `runHost`. */
export async function hostWithWorkers(file: string, count: number, shell: Shell): Promise<number> {
  const workers = await joinWorkers(shell);
  if (workers !== undefined) return runHost(file, { ...shell, signal: workers.signal }, workers);
  const log = openHostLog(shell.note, () => new Date());
  return runWorkers({ count, shell, reload: "each", tell: (fact) => log.tell(...lineOf(fact)) });
}

function lineOf(fact: WorkersFact): Parameters<HostLog["tell"]> {
  switch (fact.kind) {
    case "listening":
      return ["info", fact.kind, { ...fact.said, workers: fact.workers }];
    case "worker_ended": {
      const { kind, ...facts } = fact;
      return ["error", kind, facts];
    }
    case "worker_back":
      return ["info", fact.kind, { worker: fact.worker }];
    case "ended_early":
      return ["error", fact.kind, { message: fact.message }];
    case "workers_differ": {
      const message = "They did not take what the others serve by now: their lines `reload_rejected` say why.";
      return ["error", fact.kind, { workers: fact.workers.join(", "), message }];
    }
    case "workers_agree":
    case "draining":
    case "ended":
      return ["info", fact.kind];
    default:
      return fact satisfies never;
  }
}
