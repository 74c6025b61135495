import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

export interface Turns {
  opened(): void;
  closed(): void;
}

/** Longer than the system takes to run another process that it has woken. */
const TURN_MS = 1;
/** Connections after such a while are a new rush. */
const QUIET_MS = 100;
/** Of so many connections at once the others have had their chance: whoever opens thousands must not put a worker to sleep for seconds. */
const MOST_TURNS = 64;

/**
 * Of connections that come at once one worker would take nearly all, as the system wakes all workers and the first that runs goes on taking. So whoever
 * holds more than ever in a rush lets the others run before it takes the next. One that comes alone waits for nothing, and neither does one in the place
 * of another that has closed, as with clients that open one for each call.
 */
export function openTurns(wait: (ms: number) => void, clock: () => number): Turns {
  let open = 0;
  let most = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    opened() {
      const now = clock();
      open += 1;
      if (now - lastAt > QUIET_MS) most = open;
      lastAt = now;
      if (open <= most) return;
      most = open;
      if (open <= MOST_TURNS) wait(TURN_MS);
    },
    closed() {
      open -= 1;
    },
  };
}

/** Has this process take turns with others in all connections to its servers from now on. */
export function takeTurns(): void {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const turns = openTurns(
    (ms) => void Atomics.wait(cell, 0, 0, ms),
    () => performance.now(),
  );
  subscribe("net.server.socket", (message) => {
    turns.opened();
    (message as { readonly socket: Socket }).socket.once("close", turns.closed);
  });
}
