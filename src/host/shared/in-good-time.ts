/** No answer came in time. */
export class TooSlow extends Error {
  readonly code = "timeout";
}

/** As `pending`, or rejects with `TooSlow`. */
export async function within<T>(ms: number, pending: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    stop = after(ms, () => reject(new TooSlow()));
  });
  return Promise.race([pending, late]).finally(stop);
}

/** Calls `late` then, unless it was stopped. What lies ready on sockets is read first: a stall of our own loop is none of the store's. */
export function after(ms: number, late: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(late);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
