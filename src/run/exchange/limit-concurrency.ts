import { openComers } from "../../model/comers.ts";
import type { Ending } from "../../model/ending.ts";

/**
 * A number of slots that are taken in turn among callers: one who asks for many does not keep out one who asks for few. One caller of several has at
 * most half of them, as slow answers would keep the others out for as long as they take; one who was alone of late leaves some to whoever comes.
 */
export interface Slots {
  /** Resolves to the function that frees the slot; rejects with the signal's reason. */
  take(signal: Ending, caller?: string): Promise<() => void>;
}

/** Where a process knows no callers, all is asked for by one. */
const NOBODY = "";

/** Who wait, by caller in the order of their turns, each caller's own in the order of asking. */
type Queues = Map<string, Set<() => void>>;

/** `now` is in milliseconds, and never goes back. */
export function createSlots(most: number, now?: () => number): Slots {
  const ofSeveral = Math.max(1, Math.floor(most / 2));
  const ofOneAlone = Math.max(1, most - Math.max(1, Math.floor(most / 8)));
  let taken = 0;
  const held = new Map<string, number>();
  const queues: Queues = new Map();
  const comers = openComers(now);
  const count = (caller: string, change: 1 | -1) => {
    taken += change;
    const own = (held.get(caller) ?? 0) + change;
    if (own === 0) held.delete(caller);
    else held.set(caller, own);
  };
  // Somebody who waits and holds no slot waits only while there is none for anybody.
  const isAlone = (caller: string) => !comers.hasOther(caller) && isOnly(held, caller);
  const hasRoom = (caller: string) =>
    caller === NOBODY || (held.get(caller) ?? 0) < (isAlone(caller) ? ofOneAlone : ofSeveral);
  const begin = (caller: string) => {
    count(caller, 1);
    let isFreed = false;
    return () => {
      if (isFreed) return;
      isFreed = true;
      count(caller, -1);
      letIn();
    };
  };
  /** More than one where somebody is alone by now. */
  const letIn = () => {
    while (taken < most) {
      const next = nextOf(queues, hasRoom);
      if (next === undefined) return;
      next();
    }
  };
  return {
    take(signal, caller = NOBODY) {
      if (signal.aborted) return Promise.reject(signal.reason);
      comers.came(caller);
      letIn();
      if (taken < most && hasRoom(caller)) return Promise.resolve(begin(caller));
      return new Promise((resolve, reject) => {
        const leave = () => {
          leaveQueue(queues, caller, enter);
          signal.removeEventListener("abort", stop);
        };
        const enter = () => {
          leave();
          resolve(begin(caller));
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

function isOnly(known: ReadonlyMap<string, unknown>, caller: string): boolean {
  return known.size === (known.has(caller) ? 1 : 0);
}

function nextOf(queues: Queues, hasRoom: (caller: string) => boolean): (() => void) | undefined {
  for (const [caller, queue] of queues) {
    if (!hasRoom(caller)) continue;
    const [next] = queue;
    queues.delete(caller);
    queues.set(caller, queue);
    return next;
  }
  return undefined;
}

function leaveQueue(queues: Queues, caller: string, enter: () => void): void {
  const queue = queues.get(caller);
  queue?.delete(enter);
  if (queue?.size === 0) queues.delete(caller);
}
