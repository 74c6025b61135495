import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { keyOf } from "../setup/keys.ts";
import { callOf } from "../setup/post-message.ts";

/** A connection that says what it is told to, byte by byte. */
export async function openRaw(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends bytes and gives every answer that comes until the other side closes, or `withinMs` has passed. */
export async function sendRaw(url: string, bytes: string | Uint8Array, withinMs = 3_000): Promise<RawAnswer[]> {
  const socket = await openRaw(url);
  let heard = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    heard += chunk;
  });
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  await Promise.race([once(socket, "close"), once(AbortSignal.timeout(withinMs), "abort")]);
  socket.destroy();
  return heard
    .split(/(?=HTTP\/1\.[01] \d{3} )/)
    .filter((part) => part !== "")
    .map((text) => ({ status: Number(text.split(" ")[1]), text }));
}

export const callBody = (mode: string): string => JSON.stringify(callOf("get_things", { mode }));

/** The head of a POST to a server with a key that is named after it; `lines` behind the others. */
export function head(key: string, lines: readonly string[], host = "127.0.0.1"): string {
  const [server] = key.split("-");
  const first = [`POST /mcp/${server} HTTP/1.1`, ...(host === "" ? [] : [`Host: ${host}`])];
  const own = [`Authorization: Bearer ${keyOf(key)}`, "Content-Type: application/json"];
  return `${[...first, ...own, "Accept: application/json, text/event-stream", ...lines].join("\r\n")}\r\n\r\n`;
}

/** One whole request that calls a tool. */
export function rawCall(key: string, mode: string, lines: readonly string[] = [], host = "127.0.0.1"): string {
  const body = callBody(mode);
  return `${head(key, [...lines, `Content-Length: ${body.length}`], host)}${body}`;
}
