import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { CaseAnswer } from "./read-case.ts";

/** A request as it came off the socket. */
export interface Captured {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface CaptureServer {
  readonly origin: string;
  /** Everything that came in, in order. */
  readonly requests: Captured[];
  answer(next: CaseAnswer): void;
  close(): void;
}

/** A fake API on a bare socket, so that no HTTP library normalises what is looked at. It answers 200 with `{}` until told otherwise. */
export async function startCapture(): Promise<CaptureServer> {
  const requests: Captured[] = [];
  const sockets = new Set<Socket>();
  let answer: CaseAnswer = { headers: { "content-type": "application/json" }, body: "{}" };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    let isDone = false;
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const request = isDone ? undefined : readRequest(received);
      if (request === undefined) return;
      isDone = true;
      requests.push(request);
      socket.end(writeAnswer(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (next) => {
      answer = next;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Undefined until the whole request is there. */
function readRequest(received: Buffer): Captured | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = received.subarray(end + 4);
  const body = headers.has("transfer-encoding")
    ? readChunks(rest)
    : rest.length >= Number(headers.get("content-length") ?? 0)
      ? rest
      : undefined;
  return body && { method, target, headers, body };
}

function readChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf("\r\n", at);
    if (line === -1) return undefined;
    const size = Number.parseInt(rest.subarray(at, line).toString("latin1"), 16);
    if (size === 0) return Buffer.concat(chunks);
    if (rest.length < line + 2 + size + 2) return undefined;
    chunks.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

function writeAnswer(answer: CaseAnswer): Buffer {
  const { status = 200, headers = {} } = answer;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = (more: string) =>
    Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join("")}${more}connection: close\r\n\r\n`);
  if (answer.stream !== undefined) {
    const chunks = answer.stream.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    return Buffer.concat([head("transfer-encoding: chunked\r\n"), Buffer.from(`${chunks.join("")}0\r\n\r\n`)]);
  }
  const body = bodyOf(answer);
  return Buffer.concat([head(status === 204 ? "" : `content-length: ${body.length}\r\n`), body]);
}

function bodyOf(answer: CaseAnswer): Buffer {
  if (answer.body_base64 !== undefined) return Buffer.from(answer.body_base64, "base64");
  if (answer.body_generator === undefined) return Buffer.from(answer.body ?? "");
  const [, count] = /^JSON array of (\d+) objects \{"id":i,"s":"x"\*100\}$/.exec(answer.body_generator) ?? [];
  if (count === undefined) throw new Error(`The runner cannot generate: ${answer.body_generator}`);
  const rows = Array.from({ length: Number(count) }, (_, id) => ({ id, s: "x".repeat(100) }));
  return Buffer.from(JSON.stringify(rows));
}
