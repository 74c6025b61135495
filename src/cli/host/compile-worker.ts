import { parentPort, workerData } from "node:worker_threads";
import { UnreadableInput } from "../../model/errors.ts";
import { describeError } from "../describe-error.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { toPlain } from "../toolset/plain-toolset.ts";
import { build } from "../version.ts";
import type { ApartAnswer, ApartRequest } from "./compile-apart.ts";

// The thread in which a running host compiles: it is given one request, and answers once.

const { request, env } = workerData as ApartRequest;
const seen: string[] = [];
parentPort?.postMessage({ build, seen, answer: await answer() } satisfies ApartAnswer);

async function answer(): Promise<ApartAnswer["answer"]> {
  try {
    const loaded = await loadToolset({ ...request, reading: (path) => seen.push(path) }, env);
    return { kind: "loaded", loaded: toPlain(loaded) };
  } catch (error) {
    if (error instanceof UnreadableInput) return { kind: "unreadable", message: error.message };
    return { kind: "failed", message: describeError(error) };
  }
}
