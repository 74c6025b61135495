import type { JsonSchemaValidator, ListToolsResult, ServerContext, ServerOptions } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { CallWatcher } from "../model/call-watch.ts";
import type { CallOptions } from "./call-once.ts";
import { callTool } from "./call-tool.ts";
import { hearSdk } from "./hear-sdk.ts";
import type { Generation } from "./make-generation.ts";
import type { OpenCall } from "./open-call.ts";
import { type ToldFault, tellFault } from "./tell-fault.ts";
import { ToolServer } from "./tool-server.ts";

export interface ToolServerOptions extends CallOptions {
  /** How long a client may keep the tool list without asking again, in milliseconds; 0 where it may change at any moment. */
  readonly listTtlMs: number;
  /** What is listed depends on who asks, so nobody between may keep it. */
  readonly isOfCaller?: boolean;
  /** The operator's log; what goes in here never reaches the caller. */
  report(error: unknown): void;
  /** Hears of every tools/list, just before it is answered. */
  onListed?(): void;
  /** Hears of every tools/call. */
  readonly watcher?: CallWatcher;
}

/**
 * A fresh server instance over a generation: one per connection (stdio) or per request (HTTP), as the SDK asks. `current` is read at each
 * request, so that a connection that outlives a reload sees the new tools. `take` gives the watched call that a request is.
 */
export function createToolServer(
  current: () => Generation,
  options: ToolServerOptions,
  take: (context: ServerContext) => OpenCall | undefined = () => undefined,
): Server {
  const generation = current();
  const { identity, instructions } = generation;
  const hint = listHint(generation, options);
  const server = new ToolServer(identity, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions !== "" && { instructions }),
    cacheHints: { "tools/list": hint, "server/discover": hint },
    jsonSchemaValidator: acceptAll,
    requestState: { verify: (state) => refuseForeignState(state, current().caller) },
  });
  server.onerror = hearSdk(options.report);
  server.setRequestHandler("tools/list", async ({ params }) => {
    if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor");
    options.onListed?.();
    try {
      return { tools: [...(await current().list(options))] as ListToolsResult["tools"] };
    } catch (error) {
      throw protocolError(tellFault(error, options.report));
    }
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const watched = take(context);
    try {
      return await callTool(params, server, context, current(), { ...options, ...(watched && { watched }) });
    } catch (error) {
      throw protocolError(tellFault(error, options.report, watched));
    }
  });
  return server;
}

/** MCP 2026-07-28, caching: how long the list may be kept, and whether by anybody between. */
export function listHint(
  { changes }: Pick<Generation, "changes">,
  { listTtlMs, isOfCaller = false }: ToolServerOptions,
): ListHint {
  return { ttlMs: changes ? 0 : listTtlMs, cacheScope: changes || isOfCaller ? "private" : "public" };
}

export interface ListHint {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** MCP 2026-07-28, multi round-trip requests, server requirements 4 and 5: a state that we did not seal is refused. What it is good for is found out later. */
function refuseForeignState(state: string, { gaveConfirmation }: Generation["caller"]): void {
  if (gaveConfirmation?.(state) !== true) throw new Error("The state was not given by this server.");
}

// The SDK sends the message of whatever a handler throws.
function protocolError({ code, message }: ToldFault): ProtocolError {
  return new ProtocolError(code, message);
}

// The SDK would check the content of elicitations with it, in ways of asking that we do not use; its own default would load a second ajv.
const acceptAll: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
