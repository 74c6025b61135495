import type { PageData } from "../page-data.ts";
import { AskFailed, describeFailure } from "./ask-failed.ts";
import { openBackOff } from "./back-off.ts";

export interface Heard {
  onData(data: PageData): void;
  /** It is asked again, but for who is let in no more. */
  onFailure(failure: AskFailed): void;
}

/** The newest data of a server. */
export interface Latest {
  /** Asks for it where it is another than `revision`, or in any case. */
  ask(revision?: string): void;
}

/** Asks once at a time, and again where that fails; a revision that came meanwhile is asked for after. */
export function askLatest(askOnce: () => Promise<PageData>, { onData, onFailure }: Heard, signal: AbortSignal): Latest {
  let [shown, wanted]: (string | undefined)[] = [];
  let isAsking = false;
  const backOff = openBackOff(signal);
  const askAll = async (): Promise<void> => {
    while (!signal.aborted) {
      const asked = wanted;
      const answer = await askOnce().catch(failureOf);
      if (signal.aborted) return;
      if (answer instanceof AskFailed) {
        onFailure(answer);
        if (isRefusal(answer)) return;
        await backOff.rest();
        continue;
      }
      backOff.reset();
      shown = answer.revision;
      onData(answer);
      if (wanted === asked || wanted === shown) return;
    }
  };
  return {
    ask(revision) {
      if (revision !== undefined && revision === shown) return;
      wanted = revision ?? wanted;
      backOff.wake();
      if (isAsking) return;
      isAsking = true;
      void askAll().finally(() => {
        isAsking = false;
      });
    },
  };
}

/** To ask again would bring the same answer. */
export function isRefusal({ status }: AskFailed): boolean {
  return [401, 403, 404].includes(status);
}

function failureOf(error: unknown): AskFailed {
  return error instanceof AskFailed ? error : new AskFailed(0, describeFailure(error));
}
