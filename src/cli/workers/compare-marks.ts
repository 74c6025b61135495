import type { WorkerAnswers } from "./messages.ts";
import type { Channel } from "./open-channel.ts";

/** Whether workers that each read the files by themselves have come to serve the same, for the operator. */
export type MarksFact =
  /** These serve what was made from other files than the newest that one of them serves. */
  { readonly kind: "workers_differ"; readonly workers: readonly number[] } | { readonly kind: "workers_agree" };

export interface NumberedWorker {
  readonly number: number;
  readonly channel: Channel<WorkerAnswers>;
}

export interface MarksCompared {
  /** One serves by now what was made from the files of this mark. */
  reads(mark: string, by: Channel<WorkerAnswers>): void;
  stop(): void;
}

/** By then each has read its files, however many there are. */
const SETTLED_MS = 30_000;

/** Compares what workers serve when none of them has read anything new for a while. `workers` gives those that are there. */
export function compareMarks(
  workers: () => readonly NumberedWorker[],
  tell: (fact: MarksFact) => void,
  settledMs = SETTLED_MS,
): MarksCompared {
  const marks = new WeakMap<Channel<WorkerAnswers>, string>();
  let newest: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let areTold: readonly number[] = [];
  const compare = (): void => {
    const others = workers().filter(({ channel }) => marks.has(channel) && marks.get(channel) !== newest);
    const differ = others.map(({ number }) => number);
    if (differ.length > 0) tell({ kind: "workers_differ", workers: differ });
    else if (areTold.length > 0) tell({ kind: "workers_agree" });
    areTold = differ;
  };
  return {
    reads(mark, by) {
      marks.set(by, mark);
      newest = mark;
      clearTimeout(timer);
      timer = setTimeout(compare, settledMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
