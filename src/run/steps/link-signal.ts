import { type Ending, openEnding } from "../../model/ending.ts";

export interface LinkedSignal {
  readonly signal: Ending;
  readonly stop: () => void;
  /** To be called when the signal is no longer needed. */
  readonly release: () => void;
}

/** A signal that ends with another one, or when it is stopped. */
export function linkSignal(outer: Ending): LinkedSignal {
  const controller = openEnding();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    stop: () => controller.abort(),
    release: () => outer.removeEventListener("abort", follow),
  };
}
