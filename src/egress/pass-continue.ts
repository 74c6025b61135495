import type { Socket } from "node:net";
import { buildConnector } from "undici";

/**
 * Connects as undici does, over sockets that keep from it what it does not take: a 100 that nobody asked for, at which it breaks the connection with
 * the answer still on its way. RFC 9110 15.2: a client must be able to parse such, even if it does not expect one.
 */
export function connectPassingContinue(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, callback) =>
    connect(to, (...connected) => {
      const [error, socket] = connected;
      // What it is called with after a failure is one argument, against its type.
      if (error === null) passContinue(socket);
      callback(...connected);
    });
}

const NOTHING = Buffer.alloc(0);
const STATUS_LINE = /^HTTP\/1\.\d 100[ \r]/;
const LONGEST_STATUS = "HTTP/1.1 100 ".length;
const END = "\r\n\r\n";
/** As many as undici takes of a head. */
const LONGEST_HEAD = 16 * 1024;

/** What is read first after something was written begins with a head: each connection carries one request at a time. */
function passContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isAwaited = false;
  let held: Buffer = NOTHING;
  socket.write = ((...given: Parameters<Socket["write"]>) => {
    isAwaited = true;
    return write(...given);
  }) as Socket["write"];
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || !isAwaited) return chunk;
    held = dropContinues(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    if (mayBeContinue(held) && held.length < LONGEST_HEAD) return socket.read();
    isAwaited = false;
    const head = held;
    held = NOTHING;
    return head;
  };
}

function dropContinues(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= LONGEST_STATUS && mayBeContinue(rest)) {
    const end = rest.indexOf(END);
    if (end < 0) break;
    rest = rest.subarray(end + END.length);
  }
  return rest;
}

/** Also of its first bytes, however few. */
function mayBeContinue(bytes: Buffer): boolean {
  const begun = bytes.toString("latin1", 0, LONGEST_STATUS);
  return STATUS_LINE.test(begun) || (begun.length < LONGEST_STATUS && isBeginning(begun));
}

function isBeginning(begun: string): boolean {
  return ["HTTP/1.1 100 ", "HTTP/1.0 100 "].some((line) => line.startsWith(begun));
}
