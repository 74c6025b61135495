import { useEffect, useRef, useState } from "preact/hooks";
import type { TryAnswer } from "../../page-data.ts";
import type { Fields } from "./read-fields.ts";

/** What a person typed for a tool (or an action of one), and what came of it. */
export interface Trial {
  readonly fields: Fields;
  readonly outcome:
    | { readonly kind: "none" }
    | { readonly kind: "running"; stop(): void }
    | { readonly kind: "failed"; readonly message: string }
    | { readonly kind: "answered"; readonly answer: TryAnswer };
}

/** By `tool`, or `tool/action`. */
export type Trials = Map<string, Trial>;

/** Keeps a trial in `trials`, and shows it again when it changes, also where the answer comes after somebody looked elsewhere. */
export function useTrial(trials: Trials, key: string, begin: () => Fields) {
  const [, setCount] = useState(0);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const trial: Trial = trials.get(key) ?? { fields: begin(), outcome: { kind: "none" } };
  if (!trials.has(key)) trials.set(key, trial);
  const update = (change: Partial<Trial>): void => {
    trials.set(key, { ...(trials.get(key) ?? trial), ...change });
    if (isShown.current) setCount((count) => count + 1);
  };
  return [trial, update] as const;
}
