import type { ServerResponse } from "node:http";
import type { DoorAnswer, VerifiedCaller } from "./hosting.ts";

/** Answers that stay open (subscriptions/listen): whoever listens must still be somebody that is let in. */
export interface Streams {
  /** Whether the caller may open one more. */
  mayOpen(caller: VerifiedCaller): boolean;
  opened(stream: Stream): void;
  /** Ends those of callers that are not known any more. */
  check(): Promise<void>;
  close(): void;
}

export interface Stream {
  readonly caller: VerifiedCaller;
  readonly response: ServerResponse;
  /** Asks the door again. */
  verify(): Promise<DoorAnswer>;
}

const MOST_OF_CALLER = 16;
const CHECK_MS = 1_000;

export function watchStreams(report: (error: unknown) => void): Streams {
  const streams = new Set<Stream>();
  const check = async (): Promise<void> => {
    for (const stream of [...streams]) {
      const answer = await stream.verify();
      // That it cannot be found out now who somebody is ends no stream.
      // Not the answer alone: behind another on its connection it would be heard of only after that.
      if (answer.kind === "refused" && answer.status < 429) stream.response.req.socket.destroy();
    }
  };
  let isChecking = false;
  const timer = setInterval(() => {
    if (streams.size === 0 || isChecking) return;
    isChecking = true;
    void check()
      .catch(report)
      .finally(() => {
        isChecking = false;
      });
  }, CHECK_MS).unref();
  const isOf = (one: VerifiedCaller, other: VerifiedCaller): boolean =>
    one.kind === other.kind && one.id === other.id && one.server === other.server;
  return {
    mayOpen: (caller) => [...streams].filter((stream) => isOf(stream.caller, caller)).length < MOST_OF_CALLER,
    opened(stream) {
      if (stream.response.destroyed) return;
      streams.add(stream);
      stream.response.once("close", () => streams.delete(stream));
    },
    check,
    close: () => clearInterval(timer),
  };
}
