import { ProtocolError } from "@modelcontextprotocol/server";
import { ClientRefused } from "./is-refusal.ts";

/**
 * How the SDK begins what it tells of a message that it does not take, and what is told of it here: mostly it goes on with the message itself, which
 * may be what a person answered.
 */
const REFUSALS: readonly (readonly [begins: RegExp, why: string])[] = [
  [/^Received a response for an unknown message ID\b/, "A response came to nothing that was asked."],
  [/^Received a progress notification for an unknown token\b/, "Progress was told of nothing that was asked."],
  [/^Unknown message type\b/, "A message came that is of no type of JSON-RPC."],
  [/^Dropped inbound request\b/, "A request came that the revision of the connection does not have."],
  [/^Era mismatch on inbound\b/, "A message came of another revision than the connection."],
  [/^Uncaught error in notification handler\b/, "A notification came that is not as the protocol has it."],
  [/^requestState verification rejected\b/, "A state came back that was not given by this server."],
  [/^(?:Rejected inbound request \([\w-]{1,64}\)|Bad Request: Unsupported protocol version)/, "$&"],
  [
    /^(?:Unsupported Media Type|Not Acceptable|Rejected inbound request|Bad Request|Invalid Request|Parse error)\b/,
    "$&",
  ],
];

/** Hears of what the SDK tells beside the calls, and tells it on: what a client did wrong as a `ClientRefused`, without a word of the client's. */
export function hearSdk(report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    const why = whyRefused(error);
    report(why === undefined ? error : new ClientRefused(why));
  };
}

function whyRefused(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Also what a client answers where it was asked something.
  if (error instanceof ProtocolError) return `A message ended with the error ${error.code} of JSON-RPC.`;
  if (error.name === "ZodError") return "A message came that is not as the protocol has it.";
  for (const [begins, why] of REFUSALS) {
    const [begun] = begins.exec(error.message) ?? [];
    if (begun !== undefined) return why === "$&" ? begun : why;
  }
  return undefined;
}
