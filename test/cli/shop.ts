import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Shop {
  readonly env: Record<string, string>;
  /** Everything that was asked for. */
  readonly seen: { url: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

export const SHOP_KEY = "canary-shop-key";
export const SHOP_TRACE = "canary-trace";

/** The upstream of the fixtures: three items, and one that answers with what it was sent; with a certificate over TLS. */
export async function openShop(tls?: { readonly key: string; readonly cert: string }): Promise<Shop> {
  const seen: Shop["seen"] = [];
  const listener: RequestListener = (request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    const item = /^\/v1\/items\/(\w+)$/.exec(request.url ?? "")?.[1];
    const items = ["a", "b", "c"].map((id, at) => ({ id, price: at + 0.5, secretNote: "not selected" }));
    const body =
      item === undefined
        ? { items }
        : (items.find(({ id }) => id === item) ?? { message: `No item for ${request.headers["x-shop-key"]}` });
    response.writeHead(item === undefined || items.some(({ id }) => id === item) ? 200 : 404, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(body));
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { SHOP_URL: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/v1`, SHOP_KEY, SHOP_TRACE },
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
