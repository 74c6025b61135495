import { parentPort } from "node:worker_threads";
import { build } from "../version.ts";
import { measurePage } from "./measure-page.ts";
import type { MeasureAnswer, MeasureQuestion } from "./open-measuring.ts";

// The thread in which tokens are counted for the page: their table alone takes a while to load, and no call must wait for it.

parentPort?.on("message", ({ id, job }: MeasureQuestion) => {
  measurePage(job).then(
    (measured) => parentPort?.postMessage({ id, build, measured } satisfies MeasureAnswer),
    (error: unknown) => parentPort?.postMessage({ id, build, failed: String(error) } satisfies MeasureAnswer),
  );
});
