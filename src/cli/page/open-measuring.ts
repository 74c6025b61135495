import { keepThread } from "../toolset/keep-thread.ts";
import { build } from "../version.ts";
import { loadHere } from "./load-here.ts";
import type { MeasuredList, MeasureJob } from "./measure-page.ts";

export type Measured = MeasuredList | number;

const PROGRAM = new URL("./measure-worker.js", import.meta.url);

/** Measures in a thread of its own, where there can be one. */
export function openMeasuring(program: URL | undefined = build === undefined ? undefined : PROGRAM) {
  const thread = keepThread<MeasureJob, Measured>({ program, what: "Measuring" });
  return async (job: MeasureJob): Promise<Measured> => (await thread.ask(job)) ?? measureHere(job);
}

async function measureHere(job: MeasureJob): Promise<Measured> {
  const { measurePage } = await loadHere(() => import("./measure-page.ts"));
  return measurePage(job);
}
