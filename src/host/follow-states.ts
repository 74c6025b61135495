import type { ServerResponse } from "node:http";
import { atMostEvery, type Paced } from "./at-most-every.ts";
import type { VerifiedCaller } from "./hosting.ts";

/** Has the upstream asked again for those who listen, so that they are told when what they see is something else. */
export interface StatesFollowed {
  began(listening: Listening): void;
  /** The upstream of a server was written to, by whomever. */
  written(server: string): void;
  /** What is served may be something else. */
  replaced(): void;
  close(): void;
}

export interface Listening {
  readonly caller: VerifiedCaller;
  readonly response: ServerResponse;
  /** Asks what the caller sees now: what differs from the last time is told by whoever knows of it. */
  look(): Promise<void>;
}

export interface FollowOptions {
  /** For one caller, however much is written. */
  readonly leastMs?: number;
  /** Where nothing is heard: an upstream changes by others than us too. */
  readonly everyMs?: number;
  report(error: unknown): void;
}

interface Followed {
  streams: number;
  readonly pace: Paced;
  readonly timer: NodeJS.Timeout;
}

export function followStates({ leastMs = 1_000, everyMs = 30_000, report }: FollowOptions): StatesFollowed {
  const callers = new Map<VerifiedCaller, Followed>();
  const follow = (look: Listening["look"]): Followed => {
    const pace = atMostEvery(leastMs, () => void look().catch(report));
    return { streams: 0, pace, timer: setInterval(pace.ask, everyMs).unref() };
  };
  const drop = (caller: VerifiedCaller, { pace, timer }: Followed): void => {
    pace.stop();
    clearInterval(timer);
    callers.delete(caller);
  };
  return {
    began({ caller, response, look }) {
      if (response.destroyed) return;
      const followed = callers.get(caller) ?? follow(look);
      callers.set(caller, followed);
      followed.streams += 1;
      response.once("close", () => {
        followed.streams -= 1;
        if (followed.streams === 0) drop(caller, followed);
      });
      // A change is told from what was seen before it, and that may have been on another replica.
      if (followed.streams === 1) followed.pace.ask();
    },
    written(server) {
      for (const [caller, { pace }] of callers) if (caller.server === server) pace.ask();
    },
    replaced() {
      for (const { pace } of callers.values()) pace.ask();
    },
    close() {
      for (const [caller, followed] of callers) drop(caller, followed);
    },
  };
}
