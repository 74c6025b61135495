import { workerData } from "node:worker_threads";
import { answerQuestions } from "./answer-questions.ts";
import type { ExploreAnswer, ExploreJob, ExploreRequest } from "./explore-apart.ts";
import { openExplorerLoader } from "./load-explorer.ts";

// The thread in which a server reads a document that is explored, and compiles what is asked for of it.

const load = openExplorerLoader((workerData as ExploreRequest).request);

answerQuestions(async (job: ExploreJob): Promise<ExploreAnswer> => {
  const explorer = await load();
  if (job.kind === "list") return { kind: "list", operations: explorer.operations };
  const operation = explorer.operations.find(({ name }) => name === job.name);
  switch (job.kind) {
    case "has":
      return { kind: "has", has: operation !== undefined && (await explorer.has(operation)) };
    case "open": {
      const opened = operation && (await explorer.open(operation));
      return { kind: "open", ...(opened !== undefined && { opened }) };
    }
    default:
      return job satisfies never;
  }
});
