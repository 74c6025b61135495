import type { JsonSchemaValidator, ListToolsResult, ServerContext, ServerOptions } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallWatcher } from "../model/call-watch.ts";
import { UnknownTool } from "../model/errors.ts";
import { type CallOptions, callTool } from "./call-tool.ts";
import type { Generation } from "./make-generation.ts";
import type { OpenCall } from "./open-call.ts";

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
  const { identity, instructions, changes } = current();
  const server = new Server(identity, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions !== "" && { instructions }),
    cacheHints: cacheHints(changes ? 0 : options.listTtlMs, changes || options.isOfCaller === true),
    jsonSchemaValidator: acceptAll,
    requestState: { verify: (state) => refuseForeignState(state, current().caller) },
  });
  server.onerror = options.report;
  server.setRequestHandler("tools/list", async ({ params }) => {
    if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor");
    options.onListed?.();
    return { tools: [...(await current().list(options))] as ListToolsResult["tools"] };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const watched = take(context);
    try {
      return await callTool(params, server, context, current(), { ...options, ...(watched && { watched }) });
    } catch (error) {
      if (error instanceof UnknownTool) watched?.fail("protocol", "unknown_tool");
      else watched?.fail("crash", "internal");
      throw protocolFault(error, options.report);
    }
  });
  return server;
}

/** MCP 2026-07-28, multi round-trip requests, server requirements 4 and 5: a state that we did not seal is refused. What it is good for is found out later. */
function refuseForeignState(state: string, { gaveConfirmation }: Generation["caller"]): void {
  if (gaveConfirmation?.(state) !== true) throw new Error("The state was not given by this server.");
}

// The SDK sends the message of whatever a handler throws, so nothing but these two may leave.
function protocolFault(error: unknown, report: (error: unknown) => void): ProtocolError {
  if (error instanceof UnknownTool) return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  report(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
}

function cacheHints(ttlMs: number, isOfCaller: boolean): NonNullable<ServerOptions["cacheHints"]> {
  const hint = { ttlMs, cacheScope: isOfCaller ? ("private" as const) : ("public" as const) };
  return { "tools/list": hint, "server/discover": hint };
}

// The SDK would check the content of elicitations with it, in ways of asking that we do not use; its own default would load a second ajv.
const acceptAll: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
