import { Transform } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import {
  decodeMessage,
  MAX_MESSAGE_BYTES,
  parseMessage,
  type RefusedMessage,
  refuseNoMessage,
  refuseTooLarge,
} from "./parse-message.ts";

/**
 * Lets whole lines pass that are one JSON-RPC message each. Of any other `refuse` is told, so that whoever sent it is answered: the SDK's own
 * reading drops such lines in silence, and ends the connection at one that is too long. `accept` is told of those that pass, just before they do.
 */
export function filterLines(
  refuse: (refused: RefusedMessage) => void,
  accept: (body: object) => void = () => {},
): Transform {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer): void => {
    bytes += piece.byteLength;
    if (bytes <= MAX_MESSAGE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  const takeLine = (): string | undefined => {
    const line = bytes <= MAX_MESSAGE_BYTES ? decodeMessage(Buffer.concat(pieces)) : undefined;
    [pieces, bytes] = [[], 0];
    return line;
  };
  return new Transform({
    // One message a chunk.
    readableObjectMode: true,
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        const line = takeLine();
        if (line === undefined) refuse(refuseTooLarge());
        else if (line.trim() !== "" && isMessage(line, refuse, accept)) this.push(Buffer.from(`${line}\n`));
      }
      add(chunk.subarray(start));
      done();
    },
  });
}

function isMessage(line: string, refuse: (refused: RefusedMessage) => void, accept: (body: object) => void): boolean {
  const parsed = parseMessage(line);
  if (parsed.kind === "refused") {
    refuse(parsed);
    return false;
  }
  try {
    parseJSONRPCMessage(parsed.body);
  } catch {
    refuse(refuseNoMessage(parsed.body));
    return false;
  }
  accept(parsed.body);
  return true;
}
