import type { Refusal } from "../hosting.ts";
import { refuseBusy } from "./refuse-busy.ts";

export interface Admission {
  /**
   * Lets a call of a caller in, at once or when others have left; in turn among callers, so that one with many calls does not keep out one with
   * few. Refused when too many wait, when it has waited too long, and when `signal` ends. Never rejects.
   */
  enter(server: string, caller: string, signal: AbortSignal): Promise<Entered | Refusal>;
}

export interface Entered {
  readonly kind: "entered";
  /** The call has ended, however it did; it counts once. */
  leave(): void;
}

export interface AdmissionLimits {
  /** Calls of one server that run at once. */
  readonly running: number;
  /** Calls of one server that wait for that. Half of them at most are of one caller. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** What the curation's `concurrency` holds back runs too: it is inside, where its time is counted. */
const ADMISSION: AdmissionLimits = { running: 64, waiting: 128, waitMs: 5_000 };
/** By then others have left. */
const SOON_MS = 1_000;

interface Server {
  running: number;
  waiting: number;
  /** By caller, in the order of their turns. */
  readonly queues: Map<string, Set<() => void>>;
}

/** Bounds how many calls of each server run and wait, so that one with a slow upstream costs its own callers only. */
export function openAdmission({ running, waiting, waitMs }: AdmissionLimits = ADMISSION): Admission {
  const servers = new Map<string, Server>();
  const entered = (name: string, server: Server): Entered => {
    let isIn = true;
    return {
      kind: "entered",
      leave: () => {
        if (!isIn) return;
        isIn = false;
        if (callNext(server)) return;
        server.running -= 1;
        if (server.running === 0) servers.delete(name);
      },
    };
  };
  return {
    async enter(name, caller, signal) {
      const server = servers.get(name) ?? { running: 0, waiting: 0, queues: new Map() };
      servers.set(name, server);
      if (server.running < running) {
        server.running += 1;
        return entered(name, server);
      }
      const own = server.queues.get(caller)?.size ?? 0;
      if (server.waiting >= waiting || own >= Math.max(1, waiting / 2) || signal.aborted) return refuseBusy(SOON_MS);
      const isCalled = await waitFor(server, caller, signal, waitMs);
      return isCalled ? entered(name, server) : refuseBusy(SOON_MS);
    },
  };
}

/** True when it is this call's turn, which then has the place of the one that left. */
function waitFor(server: Server, caller: string, signal: AbortSignal, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const queue = server.queues.get(caller) ?? new Set();
    server.queues.set(caller, queue);
    server.waiting += 1;
    const end = (isCalled: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      queue.delete(call);
      if (queue.size === 0 && server.queues.get(caller) === queue) server.queues.delete(caller);
      server.waiting -= 1;
      resolve(isCalled);
    };
    const call = () => end(true);
    const giveUp = () => end(false);
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener("abort", giveUp);
    queue.add(call);
  });
}

function callNext({ queues }: Server): boolean {
  const [first] = queues;
  if (first === undefined) return false;
  const [caller, queue] = first;
  const [call] = queue;
  // It goes to the end, and out of it when nothing of it waits.
  queues.delete(caller);
  queues.set(caller, queue);
  call?.();
  return true;
}
