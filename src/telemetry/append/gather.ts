/** What comes within one turn of the event loop, so that it is taken together. */
export interface Gathering<T> {
  /** Resolves when it is taken: with this turn, or as soon as there are many. Never rejects. */
  add(item: T): Promise<void>;
  /** Has what there is taken now. */
  flush(): void;
  /** Gives what there is, which then counts as taken. */
  drain(): readonly T[];
  size(): number;
}

/** `most`: so many are taken at once. */
export function gather<T>(most: number, take: (items: readonly T[]) => void): Gathering<T> {
  let items: T[] = [];
  let turn: NodeJS.Immediate | undefined;
  // One promise for all of them.
  let taken = Promise.resolve();
  let tell = (): void => {};
  const drain = (): readonly T[] => {
    const drained = items;
    items = [];
    clearImmediate(turn);
    tell();
    return drained;
  };
  // Whoever waits goes on in a later microtask, when it was taken.
  const flush = (): void => {
    if (items.length > 0) take(drain());
  };
  return {
    add(item) {
      if (items.length === 0) {
        taken = new Promise((resolve) => {
          tell = resolve;
        });
        turn = setImmediate(flush);
      }
      items.push(item);
      const own = taken;
      if (items.length >= most) flush();
      return own;
    },
    flush,
    drain,
    size: () => items.length,
  };
}
