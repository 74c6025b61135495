import type { ServerResponse } from "node:http";
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import { nameFault } from "./name-fault.ts";
import { type OpenCall, openCall, type Watching } from "./open-call.ts";
import type { RefusedMessage } from "./parse-message.ts";

/** The calls of an HTTP server, each of which is one exchange. */
export interface ExchangeCalls {
  /** Watches a call whose end the caller of this tells. */
  open(body: object): OpenCall | undefined;
  /** Watches the call that the body is, if it is one; gives what is to be told when the exchange has ended. `sender` is this exchange's own object. */
  came(body: object, sender: AuthInfo, response: ServerResponse): () => void;
  /** Gives the call of a request to the handler that will tell of its end. */
  take(context: Pick<ServerContext, "http">): OpenCall | undefined;
  refused(refused: Pick<RefusedMessage, "body" | "code">): void;
}

/** Watches calls from the message on: also those that never come to a handler. */
export function watchExchanges(watching: Watching): ExchangeCalls {
  // The SDK hands on one thing from a request to its handler, untouched: who is known to have sent it.
  const waiting = new Map<AuthInfo, OpenCall>();
  return {
    open: (body) => openCall(body, "tcp", watching),
    came(body, sender, response) {
      const call = openCall(body, "tcp", watching);
      if (call === undefined) return () => {};
      waiting.set(sender, call);
      const readFault = watchFault(response, () => waiting.has(sender));
      return () => {
        waiting.get(sender)?.fail(...nameFault(readFault()));
        waiting.delete(sender);
      };
    },
    take({ http }) {
      const sender = http?.authInfo;
      const call = sender && waiting.get(sender);
      if (sender !== undefined) waiting.delete(sender);
      return call;
    },
    refused: ({ body, code }) => openCall(body, "tcp", watching)?.fail(...nameFault(code)),
  };
}

/** Reads the code of the JSON-RPC error that goes out as long as `isOpen`. */
function watchFault(response: ServerResponse, isOpen: () => boolean): () => number | undefined {
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  let code: number | undefined;
  response.write = (...given: unknown[]): boolean => {
    const [chunk] = given;
    if (code === undefined && isOpen() && chunk instanceof Uint8Array) code = faultIn(chunk);
    return write(...given);
  };
  return () => code;
}

/** An error of the SDK is short; within a string its quotes would be escaped. */
function faultIn(chunk: Uint8Array): number | undefined {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, 4_096)).toString("utf8");
  const found = /"error":\{"code":(-?\d+)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
