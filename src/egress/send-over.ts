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
      onRequestStart: () => onSent(),
      onResponseStart(_, status, headers) {
        // RFC 9110 15.2: an informational answer comes before the final one.
        if (status >= 200) resolve({ status, headers, body });
      },
      onResponseData: (flow, chunk) => body.push(chunk, flow),
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
  let paused: Flow | undefined;
  let chunks: Uint8Array[] = [];
  let [waiting, isOver] = [0, false];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const take = (): Step | undefined => {
    if (failure !== undefined) throw failure.error;
    const chunk = chunks.shift();
    if (chunk === undefined) return isOver ? { done: true, value: undefined } : undefined;
    waiting -= chunk.byteLength;
    return { done: false, value: chunk };
  };
  const resume = (): void => {
    const flow = paused;
    // Before, since more may come meanwhile and pause it again.
    paused = undefined;
    flow?.resume();
  };
  const next = async (): Promise<Step> => {
    for (;;) {
      const step = take();
      if (waiting < MOST_WAITING) resume();
      if (step !== undefined) return step;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    push(chunk: Uint8Array, flow: Flow): void {
      chunks.push(chunk);
      waiting += chunk.byteLength;
      if (waiting >= MOST_WAITING && paused === undefined) {
        paused = flow;
        flow.pause();
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
