import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";

// Three replicas behind a proxy that asks who is ready, as load balancers do; they are restarted one after the other while callers walk through pages.

const RESTARTS = Number(process.env["VITRINE_RESTARTS"] ?? 4);
const IDS = ["a", "b", "c"];
const KEY = "vtr_rolling_secret";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        responses: {
          200: {
            description: "Ok.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    items: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
const CURATION = `vitrine: 1
api: { spec: ./shop.json, baseUrl: "\${env.SHOP_URL}" }
server: { name: shop }
tools:
  list_items:
    operation: listItems
    use: List the items of the shop.
    result: { rows: items, fields: { id: id }, limit: { default: 1, max: 3 } }
`;

let folder: string;
let env: Record<string, string>;
const replicas: { running: Running; port: number; ready: boolean }[] = [];
let turn = 0;

const upstream = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ items: IDS.map((id) => ({ id })) }));
});
const proxy = createServer((incoming, response) => {
  const ready = replicas.filter((one) => one.ready);
  turn += 1;
  const { port } = ready[turn % ready.length]!;
  const { method, url: path, headers } = incoming;
  const onward = ask(
    { host: "127.0.0.1", port, method, path, headers: { ...headers, connection: "close" } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on("error", () => response.writeHead(502).end());
  incoming.pipe(onward);
});

async function startReplica(): Promise<(typeof replicas)[number]> {
  const running = start(["host", join(folder, "host.yaml")], env);
  const { port } = JSON.parse(await running.said("err", '"listening"'));
  return { running, port, ready: true };
}

async function askReady(): Promise<void> {
  for (const one of replicas) {
    one.ready = await fetch(`http://127.0.0.1:${one.port}/readyz`, { headers: { connection: "close" } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-rolling-"));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  env = {
    SHOP_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
    VITRINE_SECRET: "a secret of all replicas",
  };
  const hash = `sha256:${createHash("sha256").update(KEY).digest("hex")}`;
  const shop = { curation: "./shop.yaml", root: ".", env: ["SHOP_URL"], allowPrivate: ["127.0.0.0/8"] };
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    proxies: 1,
    servers: { shop },
    keys: { ann: { hash, server: "shop" } },
  };
  writeFileSync(join(folder, "shop.json"), JSON.stringify(SPEC));
  writeFileSync(join(folder, "shop.yaml"), CURATION);
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
  replicas.push(...(await Promise.all([startReplica(), startReplica(), startReplica()])));
}, 30_000);
afterAll(() => {
  for (const { running } of replicas) running.child.kill("SIGKILL");
  for (const server of [upstream, proxy]) server.closeAllConnections();
  upstream.close();
  proxy.close();
  rmSync(folder, { recursive: true });
});

/** One page, and the token of the next. */
async function readPage(pageToken: string | undefined): Promise<{ ids: string[]; next: string | undefined }> {
  const params = { name: "list_items", arguments: pageToken === undefined ? {} : { pageToken } };
  const answer = await fetch(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp/shop`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    headers: {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (result.isError) throw new Error(result.content[0].text);
  const { data, nextPageToken } = result.structuredContent;
  return { ids: data.map(({ id }: { id: string }) => id), next: nextPageToken };
}

test(
  "no caller notices that replicas are restarted, and pages go on wherever they are asked for",
  async () => {
    let isOver = false;
    const [walks, faults]: [string[][], string[]] = [[], []];
    const walk = async (): Promise<void> => {
      while (!isOver) {
        const ids: string[] = [];
        try {
          let next: string | undefined;
          do {
            const page = await readPage(next);
            ids.push(...page.ids);
            next = page.next;
          } while (next !== undefined);
          walks.push(ids);
        } catch (error) {
          faults.push(String(error));
        }
      }
    };
    const watch = async (): Promise<void> => {
      while (!isOver) await askReady();
    };
    const work = Promise.all([walk(), walk(), watch()]);
    for (let at = 0; at < RESTARTS; at += 1) {
      const old = replicas[0]!;
      old.running.child.kill("SIGTERM");
      expect(await old.running.ended()).toBe(0);
      replicas.push(await startReplica());
      replicas.shift();
    }
    isOver = true;
    await work;
    expect(faults).toStrictEqual([]);
    expect(walks.length).toBeGreaterThan(RESTARTS);
    for (const ids of walks) expect(ids).toStrictEqual(IDS);
  },
  20_000 + RESTARTS * 10_000,
);
