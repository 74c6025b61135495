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
  /** The other side has ended. */
  close(): void;
}

type Message =
  | { readonly ask: number; readonly name: string; readonly given: unknown }
  | { readonly answers: number; readonly value: unknown }
  | { readonly answers: number; readonly failed: string };

/** Asks the other side of a pipe, and answers what it asks. `Theirs` is what it answers; both are the same program, so they agree. */
export function openChannel<Theirs extends Answers<Theirs>>(
  pipe: Pipe,
  ours: Readonly<Record<string, (given: never) => unknown>>,
): Channel<Theirs> {
  const known = new Map(Object.entries(ours));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let isClosed = false;
  const answer = async (name: string, given: unknown): Promise<unknown> => known.get(name)?.(given as never);
  pipe.onMessage((received) => {
    const message = received as Message;
    if ("ask" in message) {
      answer(message.name, message.given).then(
        (value) => pipe.send({ answers: message.ask, value }, () => {}),
        (error: unknown) => pipe.send({ answers: message.ask, failed: String(error) }, () => {}),
      );
      return;
    }
    const asked = waiting.get(message.answers);
    waiting.delete(message.answers);
    if ("failed" in message) asked?.reject(new Error(message.failed));
    else asked?.resolve(message.value);
  });
  return {
    ask: (name, ...[given]) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(GONE));
        last += 1;
        const ask = last;
        const fail = (error: Error): void => {
          waiting.delete(ask);
          reject(error);
        };
        waiting.set(ask, { resolve: resolve as (value: unknown) => void, reject });
        pipe.send({ ask, name, given }, fail);
      }),
    close() {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(new Error(GONE));
      waiting.clear();
    },
  };
}

const GONE = "The other process has ended.";
