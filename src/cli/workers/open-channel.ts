/** One end of a pipe to another process of ours. */
export interface Pipe {
  /** `failed` hears where it cannot be sent. */
  send(message: object, failed: (error: Error) => void): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** What one side answers: functions of one plain value or none. */
type Answers<T> = { readonly [Name in keyof T]: (given: never) => unknown };
type Given<T, Name extends keyof T> = T[Name] extends (...given: infer Parameters) => unknown ? Parameters : never;
type Answer<T, Name extends keyof T> = T[Name] extends (...given: never) => infer Result ? Awaited<Result> : never;

export interface Channel<Theirs> {
  /** Rejects where the other side cannot answer, or ends before it has. */
  ask<Name extends keyof Theirs & string>(name: Name, ...given: Given<Theirs, Name>): Promise<Answer<Theirs, Name>>;
  /** Waits for no answer, and is heard however late the other side is. */
  tell<Name extends keyof Theirs & string>(name: Name, ...given: Given<Theirs, Name>): void;
  /** The other side has ended. */
  close(): void;
}

type Message =
  | { readonly ask: number; readonly name: string; readonly given: unknown }
  | { readonly answers: number; readonly value: unknown }
  | { readonly answers: number; readonly failed: string };

/**
 * Asks the other side of a pipe, and answers what it asks. `Theirs` is what it answers; both are the same program, so they agree. One that has not
 * answered within `answerMs`, where that is given, is asked no more until something is heard of it, so that nobody waits again and nothing piles up.
 */
export function openChannel<Theirs extends Answers<Theirs>>(
  pipe: Pipe,
  ours: Readonly<Record<string, (given: never) => unknown>>,
  answerMs?: number,
): Channel<Theirs> {
  const known = new Map(Object.entries(ours));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let isClosed = false;
  let isSilent = false;
  const answer = async (name: string, given: unknown): Promise<unknown> => known.get(name)?.(given as never);
  pipe.onMessage((received) => {
    const message = received as Message;
    isSilent = false;
    if ("ask" in message) {
      answer(message.name, message.given).then(
        (value) => pipe.send({ answers: message.ask, value }, () => {}),
        (error: unknown) => pipe.send({ answers: message.ask, failed: String(error) }, () => {}),
      );
      return;
    }
    const asked = waiting.get(message.answers);
    if ("failed" in message) asked?.reject(new Error(message.failed));
    else asked?.resolve(message.value);
  });
  return {
    ask: (name, ...[given]) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(GONE));
        if (isSilent) return reject(new Error(SILENT));
        last += 1;
        const ask = last;
        const late = answerMs === undefined ? undefined : setTimeout(() => setImmediate(giveUp), answerMs).unref();
        const settle = <Value>(how: (value: Value) => void) => {
          return (value: Value): void => {
            clearTimeout(late);
            waiting.delete(ask);
            how(value);
          };
        };
        const fail = settle(reject);
        const giveUp = (): void => {
          // The answer may have waited for this process.
          if (!waiting.has(ask)) return;
          isSilent = true;
          fail(new Error(SILENT));
        };
        waiting.set(ask, { resolve: settle(resolve as (value: unknown) => void), reject: fail });
        pipe.send({ ask, name, given }, fail);
      }),
    tell(name, ...[given]) {
      if (!isClosed) pipe.send({ ask: 0, name, given }, () => {});
    },
    close() {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(new Error(GONE));
    },
  };
}

const GONE = "The other process has ended.";
const SILENT = "The other process does not answer.";
