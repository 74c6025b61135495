import type { ServerResponse } from "node:http";
import type { McpHttpHandler } from "@modelcontextprotocol/server";

/** Those who listen (subscriptions/listen), each with a handler of its own, as one tells all of its listeners. */
export interface Listeners {
  /** The handler of one more, for as long as its answer is open. */
  open(id: string | undefined, response: ServerResponse): McpHttpHandler;
  /** Has them list the tools again: all, or those of these callers. */
  tell(whose?: ReadonlySet<string | undefined>): void;
  close(): Promise<void>;
}

interface Listener {
  readonly id: string | undefined;
  readonly handler: McpHttpHandler;
}

/** As many as one handler of the SDK has. */
const MOST = 1_024;

/** `openHandler` is given how many may listen to it: none where there are too many, which it says itself. */
export function holdListeners(openHandler: (most: number) => McpHttpHandler, most = MOST): Listeners {
  const listeners = new Set<Listener>();
  return {
    open(id, response) {
      const handler = openHandler(listeners.size < most ? 1 : 0);
      const listener = { id, handler };
      // Of one that is gone already no end would be heard.
      if (response.destroyed) return handler;
      listeners.add(listener);
      response.once("close", () => listeners.delete(listener));
      return handler;
    },
    tell(whose) {
      for (const { id, handler } of listeners) if (whose === undefined || whose.has(id)) handler.notify.toolsChanged();
    },
    close: async () => void (await Promise.all([...listeners].map(({ handler }) => handler.close()))),
  };
}
