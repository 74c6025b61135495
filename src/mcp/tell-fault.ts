import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { UnknownTool } from "../model/errors.ts";
import type { OpenCall } from "./open-call.ts";

/** A JSON-RPC error that a handler ends with. */
export interface ToldFault {
  readonly code: number;
  readonly message: string;
}

/** What is told of whatever a handler threw: nothing but these two may leave. All else is for the operator. */
export function tellFault(error: unknown, report: (error: unknown) => void, watched?: OpenCall): ToldFault {
  if (error instanceof UnknownTool) {
    watched?.fail("protocol", "unknown_tool");
    return { code: ProtocolErrorCode.InvalidParams, message: error.message };
  }
  watched?.fail("crash", "internal");
  report(error);
  return { code: ProtocolErrorCode.InternalError, message: "Internal error" };
}
