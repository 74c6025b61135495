import type { Ending } from "../../model/ending.ts";

/** Resolves after so many milliseconds; rejects with the signal's reason where that ends before. */
export function waitOrEnd(ms: number, signal: Ending): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
