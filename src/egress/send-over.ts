import type { Client, Dispatcher } from "undici";

/** An answer whose head has come. */
export interface HeadRead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What comes behind it, to be read once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** So many bytes wait for their reader; then no more are taken off the connection. */
const MOST_WAITING = 64 * 1024;

/**
 * Sends one request over a client that is free, and calls `onSent` when it goes out. Without the streams and the resources that undici's own
 * `request` makes for each: a body is mostly one piece that is there when it is asked for. Rejects with what undici ends it with.
 */
export function sendOver(client: Client, options: Dispatcher.DispatchOptions, onSent: () => void): Promise<HeadRead> {
  return new Promise((resolve, reject) => {
    const body = openBody();
    client.dispatch(options, {
      onRequestStart(controller) {
        body.begin(controller);
        onSent();
      },
      onResponseStart(_, status, headers) {
        // RFC 9110 15.2: an informational answer comes before the final one.
        if (status >= 200) resolve({ status, headers, body });
      },
      onResponseData: (_, chunk) => body.push(chunk),
      onResponseEnd: () => body.end(),
      onResponseError(_, error) {
        body.fail(error);
        reject(error);
      },
    });
  });
}

type Flow = Pick<Dispatcher.DispatchController, "pause" | "resume">;
type Step = IteratorResult<Uint8Array, undefined>;

function openBody() {
  let flow: Flow | undefined;
  let chunks: Uint8Array[] = [];
  let [waiting, isPaused, isOver] = [0, false, false];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const take = (): Step | undefined => {
    if (failure !== undefined) throw failure.error;
    const chunk = chunks.shift();
    if (chunk === undefined) return isOver ? { done: true, value: undefined } : undefined;
    waiting -= chunk.byteLength;
    return { done: false, value: chunk };
  };
  const next = async (): Promise<Step> => {
    for (;;) {
      const step = take();
      if (isPaused && waiting < MOST_WAITING) {
        isPaused = false;
        flow?.resume();
      }
      if (step !== undefined) return step;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    begin(controller: Flow): void {
      flow = controller;
    },
    push(chunk: Uint8Array): void {
      chunks.push(chunk);
      waiting += chunk.byteLength;
      if (waiting >= MOST_WAITING && !isPaused) {
        isPaused = true;
        flow?.pause();
      }
      wake();
    },
    end(): void {
      isOver = true;
      wake();
    },
    fail(error: unknown): void {
      failure = { error };
      chunks = [];
      wake();
    },
    [Symbol.asyncIterator]: () => ({ next }),
  };
}
