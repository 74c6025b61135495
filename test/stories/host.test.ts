import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { vitrine } from "../setup/program.ts";

// One origin, two servers, three keys: from making the keys to the end of the process, with clients that others wrote.

const operation = (operationId: string) => ({
  operationId,
  parameters: [{ name: "tenant", in: "query", required: true, schema: { type: "string" } }],
  responses: { 200: { description: "Ok.", content: { "application/json": { schema: { type: "object" } } } } },
});
const SPEC = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "/v1" }],
  security: [{ shopKey: [] }],
  paths: { "/items": { get: operation("listItems"), post: operation("addItem") } },
  components: { securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Shop-Key" } } },
};
const CURATION = `vitrine: 1
api: { spec: ./shop.json, baseUrl: "\${env.SHOP_URL}", auth: { shopKey: { apiKey: "\${env.SHOP_KEY}" } } }
server: { name: shop, writes: true }
pins: { tenant: "\${key.tenant}" }
tools:
  get_items: { operation: listItems, use: Get the items of the shop. }
  add_item: { operation: addItem, use: Add an item to the shop. }
`;

interface Made {
  readonly key: string;
  readonly name: string;
  readonly entry: object;
}

let folder: string;
let running: Running;
let url: string;
const keys = new Map<string, Made>();
const upstream = createServer((request, response) => {
  const tenant = new URL(request.url ?? "", "http://upstream").searchParams.get("tenant");
  const shown = request.headers["x-shop-key"];
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ tenant, via: shown === "canary-own" ? "own" : "shared" }));
});

async function makeKey(name: string, server: string, claims: object, ...more: string[]): Promise<void> {
  const { stdout, code } = await vitrine(["key", "new", server, "--claims", JSON.stringify(claims), "--json", ...more]);
  expect(code).toBe(0);
  keys.set(name, JSON.parse(stdout));
}

function writeHost(without: readonly string[] = []): void {
  const entries = [...keys].filter(([name]) => !without.includes(name));
  const shop = { curation: "./shop.yaml", root: ".", env: ["SHOP_URL", "SHOP_KEY"], allowPrivate: ["127.0.0.0/8"] };
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: { shop, twin: shop },
    keys: Object.fromEntries(
      entries.map(([name, { entry }]) => [
        name,
        name === "bob" ? { ...entry, credentials: { shopKey: { apiKey: "${env.BOB_KEY}" } } } : entry,
      ]),
    ),
  };
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
}

const target = (name: string, server = "shop") => ({
  url: `${url}/mcp/${server}`,
  headers: { authorization: `Bearer ${keys.get(name)?.key}` },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-host-story-"));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  await makeKey("ann", "shop", { tenant: "t-ann" });
  await makeKey("bob", "shop", { tenant: "t-bob" }, "--writes");
  await makeKey("eve", "twin", { tenant: "t-eve" });
  writeFileSync(join(folder, "shop.json"), JSON.stringify(SPEC));
  writeFileSync(join(folder, "shop.yaml"), CURATION);
  writeHost();
  running = start(["host", join(folder, "host.yaml")], {
    SHOP_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
    SHOP_KEY: "canary-shared",
    BOB_KEY: "canary-own",
  });
  url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
});
afterAll(() => {
  running.child.kill("SIGKILL");
  upstream.close();
  rmSync(folder, { recursive: true });
});

describe.each(PEERS)("a client of the %s", (peer) => {
  test("sees and calls what its key may, as that key", async () => {
    const wanted: [name: string, tools: string[], reply: object][] = [
      ["ann", ["describe_access", "get_items"], { tenant: "t-ann", via: "shared" }],
      ["bob", ["add_item", "describe_access", "get_items"], { tenant: "t-bob", via: "own" }],
    ];
    for (const [name, tools, reply] of wanted) {
      const client = await connect(peer, target(name));
      expect((await client.listTools()).tools.map((tool) => tool.name)).toStrictEqual(tools);
      const { structuredContent } = await client.callTool({ name: "get_items", arguments: {} });
      expect(structuredContent).toStrictEqual(reply);
      await client.close();
    }
  });

  test("is let in at its own server alone", async () => {
    await expect(connect(peer, target("eve"))).rejects.toThrow();
    await expect(connect(peer, target("ann", "twin"))).rejects.toThrow();
    await expect(connect(peer, target("nobody"))).rejects.toThrow();
    const client = await connect(peer, target("eve", "twin"));
    expect((await client.callTool({ name: "get_items", arguments: {} })).structuredContent).toMatchObject({
      tenant: "t-eve",
    });
    await client.close();
  });
});

test("a key that is taken out is good no more, also where the process is told by SIGHUP; the others go on", async () => {
  writeHost(["ann"]);
  running.child.kill("SIGHUP");
  await running.said("err", '"reloaded"');
  await expect(connect("v2 SDK, 2026-07-28", target("ann"))).rejects.toThrow();
  const client = await connect("v2 SDK, 2026-07-28", target("bob"));
  expect((await client.listTools()).tools).toHaveLength(3);
  await client.close();
});

test("at SIGTERM it ends with 0, and has told nothing secret", async () => {
  running.child.kill("SIGTERM");
  expect(await running.ended()).toBe(0);
  expect(running.out).toStrictEqual([]);
  const told = running.err.join("\n");
  expect(told).not.toContain("canary");
  for (const { key } of keys.values()) expect(told).not.toContain(key);
  for (const line of running.err) expect(JSON.parse(line)).toHaveProperty("event");
});
