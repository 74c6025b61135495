import { isUtf8 } from "node:buffer";
import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { endOfString } from "../model/is-too-deep.ts";

/** The most that one message may take, in bytes. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A tool's arguments may be nested 32 levels deep and made of 10,000 values; what is far beyond that is not worth a handler's time. */
const MOST_DEPTH = 128;
const MOST_VALUES = 50_000;

export interface RefusedMessage {
  readonly kind: "refused";
  /** Over HTTP. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Null where the message has none or it cannot be read (JSON-RPC 2.0, 5). */
  readonly id: string | number | null;
  /** What it is, where that could be read. */
  readonly body?: unknown;
}

export type Message = { readonly kind: "message"; readonly body: object } | RefusedMessage;

/** The JSON object that one message is; batches ended with 2025-03-26. Whether it is a JSON-RPC message is not looked at. */
export function parseMessage(text: string): Message {
  const body = parse(text);
  if (body === undefined)
    return refuseMessage(400, ProtocolErrorCode.ParseError, "Parse error: the message is not JSON.");
  if (Array.isArray(body)) return refuseMessage(400, ProtocolErrorCode.InvalidRequest, "Batches are not supported.");
  if (typeof body !== "object" || body === null) return refuseNoMessage(body);
  const excess = findExcess(text);
  if (excess !== undefined)
    return { ...refuseMessage(400, ProtocolErrorCode.InvalidRequest, excess, idOf(body)), body };
  return { kind: "message", body };
}

/** The bytes of a message, which mostly come in one piece. */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

/** The text of a message. Bytes that are not UTF-8 are no JSON (RFC 8259 8.1), and must not become other text on their way. */
export function decodeMessage(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : "These bytes are no UTF-8.";
}

export function refuseTooLarge(): RefusedMessage {
  return refuseMessage(413, -32000, `A message may take ${MAX_MESSAGE_BYTES} bytes.`);
}

/** The JSON-RPC message that an object is, as the SDK reads it. */
export function readJsonRpc(
  body: unknown,
): { readonly kind: "json-rpc"; readonly message: JSONRPCMessage } | RefusedMessage {
  try {
    return { kind: "json-rpc", message: parseJSONRPCMessage(body) };
  } catch {
    return refuseNoMessage(body);
  }
}

function refuseNoMessage(body: unknown): RefusedMessage {
  const refused = refuseMessage(400, ProtocolErrorCode.InvalidRequest, "This is not a JSON-RPC message.", idOf(body));
  return { ...refused, body };
}

function refuseMessage(status: number, code: number, message: string, id: RefusedMessage["id"] = null): RefusedMessage {
  return { kind: "refused", status, code, message, id };
}

/** What a refused message is answered by. A number that JSON cannot hold exactly is another one than was sent, and nobody would know it again. */
export function idOf(body: unknown): RefusedMessage["id"] {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  if (typeof id === "number") return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null;
  return typeof id === "string" ? id : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Found in the text, without recursion: what handles a message later on walks it with recursion, and looks at every value. */
function findExcess(text: string): string | undefined {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') at = endOfString(text, at);
    else if (mark === ",") values += 1;
    else if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    if (depth > MOST_DEPTH) return `The message is nested more than ${MOST_DEPTH} levels deep.`;
    if (values >= MOST_VALUES) return `The message is made of more than ${MOST_VALUES} values.`;
  }
  return undefined;
}
