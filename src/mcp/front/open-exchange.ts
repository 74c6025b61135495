import type { ServerResponse } from "node:http";
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import { type Ending, openEnding } from "../../model/ending.ts";

/** One exchange over HTTP that is answered here. */
export interface OpenExchange {
  /** Ends when the client goes away before it is answered, or when we do. */
  readonly signal: Ending;
  /** Sends the answer, a part that is ready and the rest. Resolves when the client has taken most of it; at once where nobody is there. */
  send(rest: string, first?: Buffer): Promise<void>;
  /** Ends it unanswered, as far as the SDK would: of 2025-11-25 it goes on until its connection is closed. */
  stop(): void;
  /** Leaves it to somebody else, as if it had not been begun; before it is sent. */
  release(): void;
}

const JSON_HEAD = { "content-type": "application/json" };
/** In the order in which the SDK's own come out of a `Headers`. */
const STREAM_HEAD = {
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};
const KEEP_ALIVE_MS = 15_000;

/** Begins the answer: one JSON message for a request of 2026-07-28, a stream with one event for one before that. */
export function openExchange(response: ServerResponse, isModern: boolean): OpenExchange {
  const controller = openEnding();
  let isOver = false;
  const writeHead = (): void => {
    if (!response.headersSent) response.writeHead(200, isModern ? JSON_HEAD : STREAM_HEAD);
  };
  const keepAlive = (): void => {
    if (response.destroyed) return;
    writeHead();
    response.write(": keepalive\n\n");
  };
  const timer = isModern ? undefined : setInterval(keepAlive, KEEP_ALIVE_MS).unref();
  const end = (): void => {
    isOver = true;
    clearInterval(timer);
    response.off("close", abort);
  };
  const abort = (): void => {
    end();
    controller.abort(connectionClosed());
  };
  if (response.destroyed) abort();
  else response.on("close", abort);
  return {
    signal: controller.signal,
    async send(rest, first) {
      if (isOver || response.destroyed) return;
      end();
      writeHead();
      if (first !== undefined) response.write(first);
      if (!response.write(rest)) await drained(response);
      response.end();
    },
    stop() {
      if (isOver || !isModern) return;
      abort();
      response.writeHead(499, {});
      response.end();
    },
    release: end,
  };
}

/** What a connection that is gone ends its requests with. */
export function connectionClosed(): Error {
  return new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
