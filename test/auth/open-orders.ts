import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { listen, type Served } from "../egress/serve.ts";

/** What a token may do; undefined where it is not known, expired or taken back. */
export type Judge = (token: string) => Promise<{ readonly scope?: string | undefined } | undefined>;

export interface Orders extends Served {
  /** `METHOD path STATUS` of everything that was asked. */
  readonly log: string[];
  /** Every token that was shown. */
  readonly tokens: Set<string>;
  /** Answers with 401 whatever is shown. */
  refuseAll: boolean;
}

/** An API that takes access tokens; `/echo` says back what it was sent, in every way that an API might. */
export async function openOrders(judge: Judge): Promise<Orders> {
  const served = await listen(
    createServer(async (request, response) => {
      const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      if (token !== "") orders.tokens.add(token);
      const [status, body] = await answer(request, token, judge, orders.refuseAll);
      orders.log.push(`${request.method} ${request.url} ${status}`);
      send(response, status, body);
    }),
  );
  const orders: Orders = { ...served, log: [], tokens: new Set(), refuseAll: false };
  return orders;
}

const WANTED: Readonly<Record<string, string>> = { GET: "orders:read", POST: "orders:write" };

async function answer(
  request: IncomingMessage,
  token: string,
  judge: Judge,
  refuseAll: boolean,
): Promise<[status: number, body: object]> {
  if (request.url === "/open") return [200, { credential: request.headers.authorization ?? null }];
  const found = refuseAll ? undefined : await judge(token);
  if (found === undefined)
    return [401, { message: `Your token ${token} is not good: ${request.headers.authorization}` }];
  if (!found.scope?.split(" ").includes(WANTED[request.method ?? ""] ?? "")) return [403, { message: "scope" }];
  const status = Number(/status=(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
  return request.url?.startsWith("/echo") ? [status, echo(request, token)] : [200, { scope: found.scope }];
}

function echo({ headers, rawHeaders, url }: IncomingMessage, token: string): object {
  return {
    message: `${headers.authorization}`,
    headers,
    rawHeaders,
    url,
    [token]: "as a key",
    base64: Buffer.from(headers.authorization ?? "").toString("base64"),
    percent: encodeURIComponent(headers.authorization ?? ""),
    json: JSON.stringify(JSON.stringify(headers)),
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
