import type { ServerResponse } from "node:http";

/** Ends when whoever asked has gone away. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  if (response.destroyed) closed.abort();
  return closed.signal;
}
