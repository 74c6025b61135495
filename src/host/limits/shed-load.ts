import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Refusal } from "../hosting.ts";
import { refuseBusy } from "./refuse-busy.ts";

/** How busy this process was since it was last measured. */
export interface Load {
  /** How much later than due the event loop came to what waited for it, on average, in milliseconds. */
  readonly delayMs: number;
  /** Share of the heap that is taken. */
  readonly heap: number;
}

export interface LoadGate {
  /** What a new call is answered with while there is more than can be done; calls that run go on. Asked once for each. */
  refusal(): Refusal | undefined;
  close(): void;
}

export interface LoadLimits {
  readonly measure?: () => Load;
  readonly everyMs?: number;
  readonly mostDelayMs?: number;
  readonly mostHeap?: number;
  /** Of calls that came since it was last measured. */
  readonly leastCalls?: number;
}

/** Waits hold up every call of this process several times, so this is more than a second for each. */
const MOST_DELAY_MS = 150;
const MOST_HEAP = 0.92;
const EVERY_MS = 500;
/** Fewer do not make a loop late; what takes the processor then is not theirs, and to refuse them helps nobody. */
const LEAST_CALLS = 5;

/**
 * Refuses calls while the process is overloaded, as it was in the last half second. The average is what counts: one long stall, for example of a
 * reload, holds up the calls that wait for it and no others.
 */
export function openLoadGate(limits: LoadLimits = {}): LoadGate {
  const { everyMs = EVERY_MS, mostDelayMs = MOST_DELAY_MS, mostHeap = MOST_HEAP, leastCalls = LEAST_CALLS } = limits;
  const own = limits.measure === undefined ? openMeasure() : { measure: limits.measure, close: () => undefined };
  let isOver = false;
  let calls = 0;
  const timer = setInterval(() => {
    const { delayMs, heap } = own.measure();
    isOver = (delayMs > mostDelayMs && calls >= leastCalls) || heap > mostHeap;
    calls = 0;
  }, everyMs).unref();
  return {
    refusal: () => {
      calls += 1;
      return isOver ? refuseBusy(everyMs) : undefined;
    },
    close: () => {
      clearInterval(timer);
      own.close();
    },
  };
}

const RESOLUTION_MS = 10;

function openMeasure(): { measure(): Load; close(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    measure: () => {
      // What is recorded holds the time that it waits by itself; of no record at all the mean is no number.
      const delayMs = Math.max(0, (delays.mean || 0) / 1e6 - RESOLUTION_MS);
      delays.reset();
      const { used_heap_size, heap_size_limit } = getHeapStatistics();
      return { delayMs, heap: used_heap_size / heap_size_limit };
    },
    close: () => void delays.disable(),
  };
}
