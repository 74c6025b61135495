import type { IncomingMessage, ServerResponse } from "node:http";
import type { StatesFollowed } from "./follow-states.ts";
import type { HeldServers } from "./hold-servers.ts";
import type { Door, VerifiedCaller } from "./hosting.ts";
import type { Streams } from "./watch-streams.ts";

export interface ListenServing {
  readonly streams: Streams;
  readonly following: StatesFollowed;
  readonly held: HeldServers;
  readonly door: Door;
  now(): Date;
}

export interface BeginningToListen {
  readonly name: string;
  readonly caller: VerifiedCaller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly serving: ListenServing;
}

/** An answer that stays open: it ends with the key that it was opened with. False where the caller has too many. */
export function beginListening({ name, caller, request, response, serving }: BeginningToListen): boolean {
  const { streams, following, held, door, now } = serving;
  if (!streams.mayOpen(caller)) return false;
  const { authorization } = request.headers;
  const verify = () => door.verify({ server: name, authorization, now: now() });
  const look = async (): Promise<void> => {
    const answer = await verify();
    if (answer.kind === "refused") return;
    const hold = held.hold(name);
    try {
      const view = hold?.viewOf(answer.caller);
      await view?.current().caller.seenBy?.(view.options);
    } finally {
      hold?.done();
    }
  };
  streams.opened({ caller, response, verify });
  following.began({ caller, response, look });
  return true;
}
