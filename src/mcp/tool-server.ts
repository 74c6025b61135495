import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject, type Json } from "../model/json.ts";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server, but that params which are not as the protocol has them are invalid, in words: it answers -32603 to some, and dumps its checks. */
export class ToolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw inWords(error, method);
      }
    };
  }
}

const MOST_FAULTS = 5;

/** What was thrown, or where the SDK found params wrong what JSON-RPC 5.1 has for that. Nothing of the params is in it but names. */
function inWords(error: unknown, method: string): unknown {
  if (!(error instanceof Error)) return error;
  const faults = readFaults(error.message);
  if (faults === undefined) return error;
  const more = faults.length > MOST_FAULTS ? "; …" : "";
  const told = `Invalid params of ${method}: ${faults.slice(0, MOST_FAULTS).join("; ")}${more}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, told);
}

/** What a dump of the SDK's checks says, one text a fault. */
function readFaults(text: string): readonly string[] | undefined {
  const [, dump = ""] = /^(?:Invalid tools\/call request: )?(\[.*\])$/s.exec(text) ?? [];
  const list = parse(dump);
  if (!Array.isArray(list)) return undefined;
  const faults = list.map(readFault);
  return faults.every((one) => one !== undefined) ? faults : undefined;
}

function readFault(issue: Json): string | undefined {
  if (!isJsonObject(issue)) return undefined;
  const { path, message } = issue;
  if (!Array.isArray(path) || typeof message !== "string") return undefined;
  return `\`${path.join(".")}\` ${message.replace(/^Invalid input: /, "is wrong, ")}`;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
