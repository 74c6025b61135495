import { ProtocolError } from "@modelcontextprotocol/server";

/** How the SDK begins what it tells of a request that it refused (4xx): of a header, of the envelope, or of what is no message. */
const REFUSALS =
  /^(?:Unsupported Media Type|Not Acceptable|Rejected inbound request|Bad Request|Invalid Request|Parse error)\b/;

/** Whether an error that the SDK tells of is what a client did wrong, and was answered so, and no fault of ours. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof ProtocolError || error.name === "ZodError" || REFUSALS.test(error.message);
}
