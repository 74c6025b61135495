import { Writable } from "node:stream";
import {
  decodeMessage,
  joinPieces,
  MAX_MESSAGE_BYTES,
  parseMessage,
  type RefusedMessage,
  refuseTooLarge,
} from "./parse-message.ts";

/** Who hears of the lines. */
export interface LineReader {
  /** One JSON object; whether it is a JSON-RPC message was not looked at. */
  accept(body: object): void;
  refuse(refused: RefusedMessage): void;
}

/**
 * Reads whole lines that are one JSON object each. Of any other it is told, so that whoever sent it is answered: the SDK's own reading drops such lines
 * in silence, and ends the connection at one that is too long.
 */
export function readLines({ accept, refuse }: LineReader): Writable {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer): void => {
    bytes += piece.byteLength;
    if (bytes <= MAX_MESSAGE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  const takeLine = (): string | undefined => {
    const line = bytes <= MAX_MESSAGE_BYTES ? decodeMessage(joinPieces(pieces)) : undefined;
    [pieces, bytes] = [[], 0];
    return line;
  };
  const readLine = (line: string | undefined): void => {
    if (line?.trim() === "") return;
    const message = line === undefined ? refuseTooLarge() : parseMessage(line);
    if (message.kind === "refused") refuse(message);
    else accept(message.body);
  };
  return new Writable({
    write(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        readLine(takeLine());
      }
      if (start < chunk.byteLength) add(chunk.subarray(start));
      done();
    },
  });
}
