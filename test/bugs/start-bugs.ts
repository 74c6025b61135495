import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answer } from "./answer.ts";

export const TOKEN = "canary-bugs-token";

export interface Bugs {
  readonly url: string;
  /** Path and query of every request since the last `forget`. */
  readonly asked: readonly string[];
  /** Paths that are answered with this status from now on, in place of what they hold. */
  readonly failing: Map<RegExp, number>;
  forget(): void;
  stop(): Promise<void>;
}

/** A small bug tracker on loopback, as `specs/bugs.yaml` says; always with the same tasks and recordings. */
export async function startBugs(): Promise<Bugs> {
  const asked: string[] = [];
  const failing = new Map<RegExp, number>();
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const url = new URL(request.url ?? "", "http://upstream");
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const broken = [...failing].find(([path]) => path.test(url.pathname))?.[1];
    const { status, body } =
      broken !== undefined
        ? { status: broken, body: { error: { code: "broken", message: "Out of order." } } }
        : isKnown
          ? answer(request.method ?? "", url)
          : { status: 401, body: { error: { code: "unauthenticated", message: "The key is unknown." } } };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    failing,
    forget: () => {
      asked.splice(0);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => {});
    },
  };
}
