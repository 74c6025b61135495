/** Whether and why a piece of work is to end early: as much of an `AbortSignal` as is read here, so that one of those does as well. */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What an `AbortController` is, for work that there is much of: the runtime's own signals are dear to make and to listen to. */
export interface EndingController {
  readonly signal: Ending;
  /** Only the first time counts. Each listener hears of it once, in the order of their coming. */
  abort(reason?: unknown): void;
}

export function openEnding(): EndingController {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener(_: "abort", listener: () => void): void {
      if (!signal.aborted) listeners.add(listener);
    },
    removeEventListener(_: "abort", listener: () => void): void {
      listeners.delete(listener);
    },
  };
  return {
    signal,
    abort(reason = new DOMException("This operation was aborted", "AbortError")) {
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason;
      for (const listener of listeners) {
        listeners.delete(listener);
        listener();
      }
    },
  };
}
