import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../egress/serve.ts";

export interface RoundRobin {
  readonly url: string;
  /** The ports that answered calls of MCP, in the order in which they were asked. */
  readonly asked: number[];
  /** Why requests were answered by another one than was asked first, one line each. */
  readonly passedOn: readonly string[];
  /** Requests that are on their way at a port now. */
  running(port: number): number;
  close(): Promise<void>;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/**
 * A reverse proxy before replicas, as the usual ones are: the ready ones in turn, over connections that are kept, and another one where the first could
 * not be connected to or said that it takes nothing now (503). What may have been done is never sent again. `members` gives the ports.
 */
export async function openRoundRobin(members: () => readonly number[]): Promise<RoundRobin> {
  const asked: number[] = [];
  const running = new Map<number, number>();
  const ready = new Map<number, boolean>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const passedOn: string[] = [];
  const next = (): number | undefined => {
    const ports = members().filter((port) => ready.get(port) === true);
    turn += 1;
    return ports[turn % ports.length];
  };
  const otherThan = (port: number): number | undefined =>
    members().find((other) => ready.get(other) === true && other !== port);
  const send = (port: number, exchange: Exchange, isFirst = true): void => {
    const { incoming, body, response } = exchange;
    const { method, url: path, headers } = incoming;
    const other = isFirst ? otherThan(port) : undefined;
    const passOn = (to: number, why: string): void => {
      passedOn.push(why);
      send(to, exchange, false);
    };
    const count = (by: number) => running.set(port, (running.get(port) ?? 0) + by);
    const forwarded = { ...headers, "x-forwarded-for": "203.0.113.1" };
    const onward = ask({ host: "127.0.0.1", port, method, path, headers: forwarded, agent });
    count(1);
    onward.once("close", () => count(-1));
    onward.once("response", (answer) => {
      if (answer.statusCode === 503 && other !== undefined) {
        void textOf(answer).then((why) => passOn(other, why));
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    onward.once("error", (error: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else if (error.code === "ECONNREFUSED" && other !== undefined) passOn(other, "ECONNREFUSED");
      else response.writeHead(502).end(`The proxy lost ${port}: ${error.code}`);
    });
    response.once("close", () => onward.destroy());
    onward.end(body);
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const port = next();
    if (port === undefined) {
      response.writeHead(503).end("The proxy knows nobody who is ready.");
      return;
    }
    const body = Buffer.concat(chunks);
    if (body.includes('"tools/call"')) asked.push(port);
    send(port, { incoming, body, response });
  });
  const look = async (): Promise<void> => {
    await Promise.all(members().map(async (port) => ready.set(port, await isReady(port, ready.get(port) ?? false))));
    if (!isClosed) timer = setTimeout(look, LOOK_MS);
  };
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const { url, close } = await listen(server);
  await look();
  return {
    url,
    asked,
    passedOn,
    running: (port) => running.get(port) ?? 0,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      agent.destroy();
      await close();
    },
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Several times within the two seconds that a replica serves on when it is asked to end. */
const LOOK_MS = 200;

/** One that is late with its answer for once stays what it was. */
function isReady(port: number, before: boolean): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status === 200,
    (error: Error) => error.name === "TimeoutError" && before,
  );
}
