import { parentPort, workerData } from "node:worker_threads";
import { build } from "../version.ts";
import type { LookAnswer } from "./look-apart.ts";
import { type LookRequest, lookAtCuration } from "./look-at-curation.ts";

// The thread in which a curation is looked at for the page: it is given one request, and answers once.

parentPort?.postMessage({ build, look: await lookAtCuration(workerData as LookRequest) } satisfies LookAnswer);
