import { createConnection } from "node:net";

export interface RawAnswer {
  /** Status line and header lines as they came, but for the date. */
  readonly head: readonly string[];
  /** Without the lengths of its chunks. */
  readonly body: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** Sends bytes as they are on a connection of their own and reads one answer to its end. */
export function rawExchange(port: number, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = createConnection(port, "127.0.0.1", () => socket.write(request, "latin1"));
    const finish = (closed: boolean): void => {
      const answer = readAnswer(text, closed);
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
      finish(false);
    });
    socket.on("end", () => finish(true));
    socket.on("error", reject);
  });
}

/** Undefined where more must come. */
function readAnswer(text: string, closed: boolean): RawAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return closed ? { head: [], body: "", closed } : undefined;
  const head = text
    .slice(0, end)
    .split("\r\n")
    .filter((line) => !/^date:/i.test(line));
  const rest = text.slice(end + 4);
  const isChunked = head.some((line) => /^transfer-encoding: chunked$/i.test(line));
  const length = Number(/^content-length: (\d+)$/im.exec(head.join("\n"))?.[1] ?? Number.NaN);
  if (isChunked) {
    const body = readChunks(rest);
    return body === undefined && !closed ? undefined : { head, body: body ?? rest, closed };
  }
  if (rest.length >= length) return { head, body: rest, closed };
  return closed ? { head, body: rest, closed } : undefined;
}

function readChunks(rest: string): string | undefined {
  let body = "";
  for (let at = 0; ; ) {
    const line = rest.indexOf("\r\n", at);
    if (line === -1) return undefined;
    const length = Number.parseInt(rest.slice(at, line), 16);
    if (rest.length < line + 2 + length + 2) return undefined;
    if (length === 0) return body;
    body += rest.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}
