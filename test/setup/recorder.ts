import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly answered: IncomingHttpHeaders;
}

/** A plain proxy of the tests that writes down every exchange which passes. */
export async function startRecorder(upstream: string): Promise<{ url: string; exchanges: Recorded[]; stop(): void }> {
  const exchanges: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    const target = new URL(upstream);
    const options = {
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    };
    const onward = request(options, (answer) => {
      const { method = "", url = "", headers } = incoming;
      exchanges.push({ method, url, headers, status: answer.statusCode ?? 0, answered: answer.headers });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
