import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const ORDER = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };

export const SHOP_API = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "/" }],
  paths: {
    "/orders": {
      post: {
        operationId: "addOrder",
        requestBody: { required: true, content: { "application/json": { schema: ORDER } } },
        responses: { 201: { description: "Ordered." } },
      },
    },
  },
};

/** One tool, which asks before it writes. */
export const SHOP = {
  vitrine: 1,
  api: { spec: "./shop.json", baseUrl: "${env.SHOP_URL}" },
  server: { name: "shop", writes: true },
  tools: { add_order: { operation: "addOrder", use: "Order an item.", input: { item: {} }, confirm: "Order this?" } },
};

/** The API of the shop, on loopback, which keeps what it was sent. */
export async function startShop() {
  const orders: unknown[] = [];
  const server = createServer(async (request, response) => {
    orders.push(JSON.parse(await text(request)));
    response.writeHead(201, { "content-type": "application/json" }).end('{"ordered":true}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
