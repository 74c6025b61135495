/** A number of slots that are taken in turn among callers: one who asks for many does not keep out one who asks for few. */
export interface Slots {
  /** Resolves to the function that frees the slot; rejects with the signal's reason. */
  take(signal: AbortSignal, caller?: string): Promise<() => void>;
}

/** Who wait, by caller in the order of their turns, each caller's own in the order of asking. */
type Queues = Map<string, Set<() => void>>;

export function createSlots(most: number): Slots {
  let taken = 0;
  const queues: Queues = new Map();
  const free = () => {
    const next = nextOf(queues);
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
    take(signal, caller = "") {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (taken < most) {
        taken += 1;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          leaveQueue(queues, caller, enter);
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
        const queue = queues.get(caller) ?? new Set();
        queues.set(caller, queue.add(enter));
        signal.addEventListener("abort", stop);
      });
    },
  };
}

function nextOf(queues: Queues): (() => void) | undefined {
  const [first] = queues;
  if (first === undefined) return undefined;
  const [caller, queue] = first;
  const [next] = queue;
  queues.delete(caller);
  queues.set(caller, queue);
  return next;
}

function leaveQueue(queues: Queues, caller: string, enter: () => void): void {
  const queue = queues.get(caller);
  queue?.delete(enter);
  if (queue?.size === 0) queues.delete(caller);
}
