/** Reads of the same files, one after the other. */
export interface ReloadTurns {
  /** Runs `work` when all that came before has ended. It never rejects. */
  run(work: () => Promise<void>): Promise<void>;
  /** Looks whether something has changed. */
  look(): Promise<void>;
  /** Reads everything again. Whoever asks while one that was asked for has not begun yet gets that one: it reads everything as it is then. */
  ask(): Promise<void>;
}

/** `look` reads the files where they have changed, or where somebody asked for it; `failed` hears of what it throws. */
export function reloadInTurn(look: (isAsked: boolean) => Promise<void>, failed: (error: unknown) => void): ReloadTurns {
  let turn: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const run = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work).catch(failed);
    return turn;
  };
  return {
    run,
    look: () => run(() => look(false)),
    ask: () => {
      waiting ??= run(() => {
        waiting = undefined;
        return look(true);
      });
      return waiting;
    },
  };
}
