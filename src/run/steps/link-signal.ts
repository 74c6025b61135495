import { setMaxListeners } from "node:events";

export interface LinkedSignal {
  readonly signal: AbortSignal;
  readonly stop: () => void;
  /** To be called when the signal is no longer needed. */
  readonly release: () => void;
}

/** A signal that ends with another one, or when it is stopped. */
export function linkSignal(outer: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  // Every request that runs listens, and Node would warn of more than ten.
  setMaxListeners(0, controller.signal);
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    stop: () => controller.abort(),
    release: () => outer.removeEventListener("abort", follow),
  };
}
