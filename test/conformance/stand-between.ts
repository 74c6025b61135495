import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Between {
  /** Where `url` is found behind it. */
  readonly url: string;
  stop(): void;
}

export interface Changes {
  /** The suite cannot show a key: it is shown on each request. */
  readonly key?: string;
  /** The suite calls a tool by the first name, and the server has it under the second. */
  readonly rename?: readonly [from: string, to: string];
}

/** Stands before a server for the suite. What it is not to change passes as it came. */
export async function standBetween(url: string, { key, rename: [from, to] = ["", ""] }: Changes): Promise<Between> {
  const { hostname, port, pathname } = new URL(url);
  const rename = (text: string): string => (from === "" ? text : text.replaceAll(from, to));
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.from(rename((await buffer(incoming)).toString("latin1")), "latin1");
    const headers = incoming.rawHeaders.map((text, at, raw) =>
      raw[at - 1]?.toLowerCase() === "content-length" && at % 2 === 1 ? `${body.byteLength}` : rename(text),
    );
    if (key !== undefined) headers.push("authorization", `Bearer ${key}`);
    const { method, url: path } = incoming;
    const onward = request({ hostname, port, path, method, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    onward.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
