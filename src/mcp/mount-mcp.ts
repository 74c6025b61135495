import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { answerFault, type Fault } from "./answer-fault.ts";
import { createToolServer, type ToolServerOptions } from "./create-server.ts";
import { type HttpFront, openHttpFront } from "./front/open-http-front.ts";
import { hearSdk } from "./hear-sdk.ts";
import { holdListeners } from "./hold-listeners.ts";
import { keepName } from "./keep-name.ts";
import type { Generation } from "./make-generation.ts";
import { idOf, MAX_MESSAGE_BYTES } from "./parse-message.ts";
import { readMessage } from "./read-message.ts";
import { type ExchangeCalls, watchExchanges } from "./watch-exchange.ts";

/** What one caller is served. One object for as long as nothing of it changes. */
export interface McpView {
  current(): Generation;
  readonly options: ToolServerOptions;
}

/** What stands before a message once it is read: undefined lets it pass. */
export type Refused = Fault;

/** MCP over HTTP at one URL, for clients of 2026-07-28 and 2025-11-25 alike. */
export interface McpMount {
  /** Serves one POST. Resolves when its exchange has ended; never rejects. `admit` hears of the method before anything is done. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    view: McpView,
    admit?: (method: string | undefined) => Promise<Refused | undefined>,
  ): Promise<void>;
  /** Tells those who listen (subscriptions/listen) to list the tools again: all, or those who are called so (`options.id`). */
  toolsChanged(whose?: ReadonlySet<string | undefined>): void;
  /** Lets running calls finish for `graceMs`, then ends what is left. */
  close(graceMs: number): Promise<void>;
}

// The adapter's own type says `method?: string` without `undefined`, which exactOptionalPropertyTypes tells apart.
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

/** `report` hears of what goes wrong beside all calls. What `front` does not answer, the SDK does. */
export function mountMcp(report: (error: unknown) => void, front: HttpFront = openHttpFront()): McpMount {
  const heard = hearSdk(report);
  const watches = new WeakMap<McpView, ExchangeCalls>();
  const watchOf = (view: McpView): ExchangeCalls | undefined => {
    const { watcher, report } = view.options;
    if (watcher === undefined) return undefined;
    const calls = watches.get(view) ?? watchExchanges({ current: () => view.current(), watcher, report });
    watches.set(view, calls);
    return calls;
  };
  const openHandler = (maxSubscriptions: number): McpHttpHandler =>
    createMcpHandler(
      ({ authInfo }) => {
        const view = viewOf(authInfo);
        return createToolServer(() => view.current(), view.options, watchOf(view)?.take);
      },
      { onerror: heard, maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions },
    );
  const handler = openHandler(0);
  const listeners = holdListeners(openHandler);
  const serveAll = toNodeHandler(handler, { onerror: heard });
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    view: McpView,
    body: object,
  ): Promise<void> => {
    const calls = watchOf(view);
    if (await front.answer({ request, response, body, view, open: () => calls?.open(body) })) return;
    const sender = senderOf(view);
    Object.assign(request, { auth: sender });
    const ended = calls?.came(body, sender, response);
    if (!response.shouldKeepAlive) sayClose(response);
    const serve =
      methodOf(body) === LISTEN
        ? toNodeHandler(listeners.open(view.options.id, response), { onerror: heard })
        : serveAll;
    await serve(request as NodeRequest, response, keepName(body)).catch(heard);
    ended?.();
  };
  const running = new Set<Promise<void>>();
  const exchange: McpMount["serve"] = async (request, response, view, admit) => {
    const calls = watchOf(view);
    const message = await readMessage(request).catch(() => undefined);
    if (message === undefined) return;
    if (message.kind === "refused") {
      calls?.refused(message);
      return answerFault(response, message, message.id);
    }
    const method = methodOf(message.body);
    const refused = await admit?.(method);
    if (refused !== undefined) {
      calls?.refused({ code: refused.code, body: message.body });
      return answerFault(response, refused, idOf(message.body));
    }
    const answering = answer(request, response, view, message.body).catch(report);
    // A subscription ends when we do, so closing must not wait for it.
    if (method === LISTEN) return answering;
    running.add(answering);
    await answering.finally(() => running.delete(answering));
  };
  return {
    serve: (...given) => exchange(...given).catch(report),
    toolsChanged: listeners.tell,
    close: async (graceMs) => {
      await Promise.race([Promise.all(running), wait(graceMs, undefined, { ref: false })]);
      front.close();
      await Promise.all([handler.close(), listeners.close()]);
    },
  };
}

const LISTEN = "subscriptions/listen";

/** RFC 9112 9.6: the SDK's event streams say keep-alive even on a connection that is about to be closed; what Node says by itself is right. */
function sayClose(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers?: object) => ServerResponse;
  const writeOthers = (status: number, headers: object = {}): ServerResponse => {
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "connection");
    return writeHead(status, Object.fromEntries(others));
  };
  Object.assign(response, { writeHead: writeOthers });
}

/** The SDK hands on one thing from a request to the server that it asks for: who is known to have sent it. */
function senderOf(view: McpView): AuthInfo {
  return { token: "", clientId: "", scopes: [], extra: { view } };
}

function viewOf(sender: AuthInfo | undefined): McpView {
  const view = sender?.extra?.["view"];
  if (view === undefined) throw new Error("A request came that is nobody's.");
  return view as McpView;
}

function methodOf(body: object): string | undefined {
  return "method" in body && typeof body.method === "string" ? body.method : undefined;
}
