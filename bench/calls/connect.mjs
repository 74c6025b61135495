// A client of a server, over HTTP or stdio, that costs as little as may be: it sends prepared text and gives the text that came back.
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { greetingOf, headersOf, messageOf } from "./messages.mjs";

/** `{ ask(method, params), close() }` in the way of an era, with connections for so many requests at a time. */
export function connect(server, way, era, atOnce) {
  return way === "http" ? connectHttp(server, era, atOnce) : connectStdio(server, era);
}

/** Connections are opened anew, and before anything is measured. A server may have several `targets`, `{ path, headers }`, which take turns. */
async function connectHttp({ url, targets }, era, atOnce) {
  const { origin, pathname } = new URL(url);
  const asked = targets ?? [{ path: pathname }];
  let next = 0;
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 });
  const look = async () => (await pool.request({ method: "GET", path: "/healthz" })).body.dump();
  await Promise.all(Array.from({ length: atOnce }, look));
  return {
    ask: async (method, params) => {
      const { path, headers } = asked[next % asked.length];
      next += 1;
      const sent = {
        headers: { ...headersOf(era, method, params), ...headers },
        body: messageOf(era, 1, method, params),
      };
      const { statusCode, body } = await pool.request({ method: "POST", path, ...sent });
      const text = await body.text();
      if (statusCode !== 200)
        throw Object.assign(new Error(`The server answered ${statusCode}: ${text}`), {
          code: statusCode === 503 ? "busy" : "failed",
        });
      return text;
    },
    close: () => pool.close(),
  };
}

/** A connection speaks one era for good, so there is one process an era, and its connection stays. */
async function connectStdio(server, era) {
  server.stdio ??= await openStdio(server.child, era);
  return { ask: server.stdio, close: async () => {} };
}

async function openStdio({ stdin, stdout }, era) {
  const waiting = new Map();
  createInterface({ input: stdout }).on("line", (line) => {
    const key = idOf(line);
    waiting.get(key)?.(line);
    waiting.delete(key);
  });
  const answered = (key) => new Promise((resolve) => waiting.set(key, resolve));
  const greeted = greetingOf(era);
  if (greeted.length > 0) {
    const hello = answered('"hello"');
    for (const line of greeted) stdin.write(`${line}\n`);
    await hello;
  }
  let last = 0;
  return (method, params) => {
    last += 1;
    const text = answered(String(last));
    stdin.write(`${messageOf(era, last, method, params)}\n`);
    return text;
  };
}

/** Servers put the id near the front or the end; a reply of 1 MB is not to be parsed for it. */
function idOf(line) {
  const atFront = /^\{(?:"jsonrpc":"2\.0",)?"id":("?\w+"?)/.exec(line.slice(0, 60));
  const atEnd = atFront ?? /"id":("?\w+"?)(?:,"jsonrpc":"2\.0")?\}$/.exec(line.slice(-60));
  return atEnd?.[1];
}
