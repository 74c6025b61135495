import { type Comers, openComers } from "../../model/comers.ts";
import type { Refusal } from "../hosting.ts";
import { refuseBusy } from "./refuse-busy.ts";

export interface Admission {
  /**
   * Lets a call of a caller in, at once or when others have left; in turn among callers, and none has all places, so that one with many calls does
   * not keep out one with few. Refused when too many wait (the last of whoever has most of them), when it has waited too long, and when `signal`
   * ends. Never rejects.
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
  /** Of those, calls of one caller of several. */
  readonly runningOfCaller: number;
  /** Of one who was the only one of late: whoever comes then finds a place. */
  readonly runningAlone: number;
  /** Calls of one server that wait for that. Half of them at most are of one caller. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** What the curation's `concurrency` holds back runs too: it is inside, where its time is counted. */
const ADMISSION: AdmissionLimits = { running: 64, runningOfCaller: 32, runningAlone: 56, waiting: 128, waitMs: 5_000 };
/** By then others have left. */
const SOON_MS = 1_000;

interface Server {
  running: number;
  waiting: number;
  /** Those that run, by caller. */
  readonly inside: Map<string, number>;
  /** By caller, in the order of their turns. */
  readonly queues: Map<string, Set<Waiting>>;
  readonly comers: Comers;
}

interface Waiting {
  call(): void;
  giveUp(): void;
}

/** Bounds how many calls of each server run and wait, so that one with a slow upstream costs its own callers only. */
export function openAdmission(limits: AdmissionLimits = ADMISSION): Admission {
  const { running, waiting, waitMs } = limits;
  const servers = new Map<string, Server>();
  const entered = (server: Server, caller: string): Entered => {
    let isIn = true;
    return {
      kind: "entered",
      leave: () => {
        if (!isIn) return;
        isIn = false;
        count(server, caller, -1);
        callNext(server, limits);
      },
    };
  };
  return {
    async enter(name, caller, signal) {
      const server = servers.get(name) ?? openServer();
      servers.set(name, server);
      server.comers.came(caller);
      callNext(server, limits);
      if (server.running < running && hasRoom(server, caller, limits)) {
        count(server, caller, 1);
        return entered(server, caller);
      }
      const own = server.queues.get(caller)?.size ?? 0;
      if (own >= Math.max(1, waiting / 2) || signal.aborted) return refuseBusy(SOON_MS);
      if (server.waiting >= waiting && !makeRoom(server, own)) return refuseBusy(SOON_MS);
      const isCalled = await waitFor(server, caller, signal, waitMs);
      return isCalled ? entered(server, caller) : refuseBusy(SOON_MS);
    },
  };
}

function openServer(): Server {
  return { running: 0, waiting: 0, inside: new Map(), queues: new Map(), comers: openComers() };
}

function hasRoom(server: Server, caller: string, { runningOfCaller, runningAlone }: AdmissionLimits): boolean {
  const { inside, comers } = server;
  // Somebody who waits and has no place inside waits only while there is none for anybody.
  const isAlone = !comers.hasOther(caller) && isOnly(inside, caller);
  return (inside.get(caller) ?? 0) < (isAlone ? runningAlone : runningOfCaller);
}

function isOnly(known: ReadonlyMap<string, unknown>, caller: string): boolean {
  return known.size === (known.has(caller) ? 1 : 0);
}

function count(server: Server, caller: string, change: 1 | -1): void {
  server.running += change;
  const own = (server.inside.get(caller) ?? 0) + change;
  if (own === 0) server.inside.delete(caller);
  else server.inside.set(caller, own);
}

/** Sends away the last of whoever waits with most, where that is still as many as one who waits with `own` has with one more. */
function makeRoom({ queues }: Server, own: number): boolean {
  const [longest] = [...queues.values()].toSorted((a, b) => b.size - a.size);
  if (longest === undefined || longest.size <= own + 1) return false;
  [...longest].at(-1)?.giveUp();
  return true;
}

/** True when it is this call's turn, which has its place by then. */
function waitFor(server: Server, caller: string, signal: AbortSignal, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const queue = server.queues.get(caller) ?? new Set();
    server.queues.set(caller, queue);
    server.waiting += 1;
    const end = (isCalled: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      queue.delete(waiting);
      if (queue.size === 0 && server.queues.get(caller) === queue) server.queues.delete(caller);
      server.waiting -= 1;
      resolve(isCalled);
    };
    const giveUp = () => end(false);
    const waiting: Waiting = { call: () => end(true), giveUp };
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener("abort", giveUp);
    queue.add(waiting);
  });
}

/** Gives the places that are free to the first in turn that may have them: more than one where somebody is alone by now. */
function callNext(server: Server, limits: AdmissionLimits): void {
  const { queues } = server;
  while (server.running < limits.running) {
    const turn = [...queues].find(([caller]) => hasRoom(server, caller, limits));
    if (turn === undefined) return;
    const [caller, queue] = turn;
    // It goes to the end, and out of it when nothing of it waits.
    queues.delete(caller);
    queues.set(caller, queue);
    count(server, caller, 1);
    const [first] = queue;
    first?.call();
  }
}
