/** A number of slots that are taken in the order of asking. */
export interface Slots {
  /** Resolves to the function that frees the slot; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(most: number): Slots {
  let taken = 0;
  const waiting = new Set<() => void>();
  const free = () => {
    const [next] = waiting;
    if (next === undefined) taken -= 1;
    else next();
  };
  const once = () => {
    let isFreed = false;
    return () => {
      if (!isFreed) free();
      isFreed = true;
    };
  };
  return {
    take(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (taken < most) {
        taken += 1;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter);
          signal.removeEventListener("abort", stop);
        };
        const enter = () => {
          leave();
          resolve(once());
        };
        const stop = () => {
          leave();
          reject(signal.reason);
        };
        waiting.add(enter);
        signal.addEventListener("abort", stop);
      });
    },
  };
}
