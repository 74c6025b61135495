import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { nameFault } from "./name-fault.ts";
import { type OpenCall, openCall, type Watching } from "./open-call.ts";
import type { RefusedMessage } from "./parse-message.ts";

/** The calls of one connection, whose messages and answers pass by here. */
export interface ConnectionCalls {
  /** Watches a call whose end the caller of this tells. */
  open(body: object): OpenCall | undefined;
  came(body: object): void;
  /** Gives the call to the handler that will tell of its end. */
  take(id: string | number): OpenCall | undefined;
  /** What is answered and was not taken was refused on the way to the handler. */
  answered(message: JSONRPCMessage): void;
  refused(refused: RefusedMessage): void;
  /** Nothing is answered any more. */
  ended(): void;
}

/** Watches the calls of one connection, from the message on: also those that never come to a handler. */
export function watchConnection(watching: Watching): ConnectionCalls {
  const waiting = new Map<string | number, OpenCall[]>();
  const take = (id: string | number): OpenCall | undefined => {
    const calls = waiting.get(id) ?? [];
    const call = calls.shift();
    if (calls.length === 0) waiting.delete(id);
    return call;
  };
  return {
    open: (body) => openCall(body, "pipe", watching),
    came(body) {
      const call = openCall(body, "pipe", watching);
      if (call === undefined) return;
      const { id } = body as { readonly id: string | number };
      // A client that gives two calls one id at a time has them answered in their order.
      waiting.set(id, [...(waiting.get(id) ?? []), call]);
    },
    take,
    answered(message) {
      if ("method" in message || message.id === undefined) return;
      take(message.id)?.fail(...nameFault("error" in message ? message.error.code : undefined));
    },
    refused: ({ body, code }) => openCall(body, "pipe", watching)?.fail(...nameFault(code)),
    ended() {
      for (const call of [...waiting.values()].flat()) call.fail(...nameFault(undefined));
      waiting.clear();
    },
  };
}
