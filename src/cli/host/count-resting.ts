/** Which upstreams are left alone at the moment, as they give no answers. */
export interface RestingCount {
  /** For one server, until what is given is closed: a reload opens its next before it closes the last. */
  open(server: string): RestingOf;
  /** How many there are of each server that is served. */
  all(): readonly (readonly [labels: readonly [server: string], value: number])[];
}

export interface RestingOf {
  /** An origin is left alone for so many milliseconds; 0: it answers again. */
  tell(origin: string, restMs: number): void;
  close(): void;
}

export function countResting(): RestingCount {
  const opened = new Set<{ readonly server: string; readonly origins: Set<string> }>();
  return {
    open(server) {
      const one = { server, origins: new Set<string>() };
      opened.add(one);
      return {
        tell: (origin, restMs) => void (restMs > 0 ? one.origins.add(origin) : one.origins.delete(origin)),
        close: () => void opened.delete(one),
      };
    },
    all() {
      const origins = new Map<string, Set<string>>();
      for (const one of opened) origins.set(one.server, new Set([...(origins.get(one.server) ?? []), ...one.origins]));
      return [...origins].map(([server, resting]) => [[server], resting.size]);
    },
  };
}
