import { counted } from "../../model/counted.ts";
import { describeEnd } from "./keep-worker.ts";
import type { WorkersFact } from "./run-workers.ts";

/** A fact in words, for a person at the terminal; undefined where there is nothing to say. */
export function describeWorkers(fact: WorkersFact): string | undefined {
  switch (fact.kind) {
    case "listening":
      return `${fact.said["said"]}\n${fact.workers} workers serve it.`;
    case "worker_ended":
      return `vitrine: worker ${fact.worker} has ended (${describeEnd(fact)}). Another one takes its place ${soon(fact.restMs)}.`;
    case "worker_back":
      return `Worker ${fact.worker} serves again.`;
    case "ended_early":
      return `vitrine: ${fact.message}`;
    case "workers_differ":
      return `vitrine: ${counted(fact.workers.length, "worker")} (${fact.workers.join(", ")}) did not take what the others serve by now.`;
    case "workers_agree":
      return "All workers serve the same again.";
    case "draining":
    case "ended":
      return undefined;
    default:
      return fact satisfies never;
  }
}

function soon(ms: number): string {
  return ms === 0 ? "at once" : `in ${ms / 1_000} s`;
}
