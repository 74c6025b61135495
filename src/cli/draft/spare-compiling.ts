import { setFlagsFromString } from "node:v8";

/** In bytes of its code, how much of a function V8 runs before it compiles it anew, and better; where a test does not say otherwise. */
export const INTERRUPT_BUDGET = 67_584;
/** V8 has none since 12, and complains of a flag that it does not know. */
export const HAS_BUDGET = Number.parseInt(process.versions.v8, 10) < 12;
/** What a program comes to that is over in a second seldom runs so much. */
const SPARING = ["--no-incremental-marking", ...(HAS_BUDGET ? ["--interrupt-budget=1000000"] : [])];
const AS_BEFORE = ["--incremental-marking", ...(HAS_BUDGET ? [`--interrupt-budget=${INTERRUPT_BUDGET}`] : [])];

/**
 * Runs what is soon over. Most of its code runs a few times, and what V8 makes fast meanwhile takes a third of the processor's time and is hardly used;
 * what V8 begins to tidy up beside it the end of the program would wait for. V8 takes the code that was kept of a program only under the flags that it
 * was kept with, so in the end they are as they were.
 */
export async function spareCompiling<T>(run: () => Promise<T>): Promise<T> {
  for (const flag of SPARING) setFlagsFromString(flag);
  try {
    return await run();
  } finally {
    for (const flag of AS_BEFORE) setFlagsFromString(flag);
  }
}
