import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Shell } from "../../src/cli/command.ts";
import { host } from "../../src/cli/commands/host.ts";
import { openIssuer } from "../host/callers/open-issuer.ts";
import { run } from "./fake-shell.ts";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "/v1" }],
  security: [{ shopKey: [] }],
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        parameters: [{ name: "tenant", in: "query", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "Ok.", content: { "application/json": { schema: LIST() } } } },
      },
      post: {
        operationId: "addItem",
        parameters: [{ name: "tenant", in: "query", required: true, schema: { type: "string" } }],
        responses: { 201: { description: "Ok.", content: { "application/json": { schema: { type: "object" } } } } },
      },
    },
  },
  components: { securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Shop-Key" } } },
};

function LIST() {
  return {
    type: "object",
    properties: { items: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } } },
  };
}

const CURATION = `vitrine: 1
api: { spec: ./shop.json, baseUrl: "\${env.SHOP_URL}", auth: { shopKey: { apiKey: "\${env.SHOP_KEY}" } } }
server: { name: shop, title: The shop, writes: true }
pins: { tenant: "\${key.tenant}" }
tools:
  list_items: { operation: listItems, use: List the items of the shop., result: { rows: items, fields: { id: id } } }
  add_item: { operation: addItem, use: Add an item to the shop., tags: [internal] }
`;

const keyOf = (name: string): string => `vtr_${name}_secret`;
const lineOf = (name: string, more: string): string =>
  `  ${name}: { hash: "sha256:${createHash("sha256").update(keyOf(name)).digest("hex")}", ${more} }\n`;
const KEYS = `keys:
${lineOf("ann", "server: shop, claims: { tenant: t-ann }")}${lineOf("bob", 'server: shop, claims: { tenant: t-bob }, writes: true, credentials: { shopKey: { apiKey: "${env.BOB_KEY}" } }')}`;
const HOST = `listen: 127.0.0.1:0
publicUrl: http://127.0.0.1
servers:
  shop: { curation: ./shop.yaml, root: ., env: [SHOP_URL, SHOP_KEY], allowPrivate: [127.0.0.0/8] }
${KEYS}`;

interface Upstream {
  readonly url: string;
  readonly seen: { url: string; headers: IncomingHttpHeaders }[];
  /** Answers wait for it. */
  hold: Promise<void>;
  close(): void;
}

async function openUpstream(): Promise<Upstream> {
  const seen: Upstream["seen"] = [];
  const server = createServer(async (request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    await upstream.hold;
    response.writeHead(200, { "content-type": "application/json" }).end('{"items":[{"id":"a"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    hold: Promise.resolve(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return upstream;
}

let folder: string;
let upstream: Upstream;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-host-"));
  mkdirSync(join(folder, "conf"));
  upstream = await openUpstream();
});
afterEach(() => {
  upstream.close();
  rmSync(folder, { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "conf", name), text);
}

interface Running {
  readonly lines: Record<string, unknown>[];
  readonly text: () => string;
  readonly code: Promise<number>;
  url(): string;
  /** Resolves with the first line of this event that was not given yet. */
  said(event: string): Promise<Record<string, unknown>>;
  hangUp(): void;
  end(): void;
}

function start(env: Record<string, string> = {}): Running {
  const notes: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const given = new Set<Record<string, unknown>>();
  const ended = new AbortController();
  const hangups = new Set<() => void>();
  const shell: Shell = {
    print: () => {},
    note: (line) => {
      notes.push(line);
      if (line.startsWith("{")) lines.push(JSON.parse(line));
    },
    colour: false,
    env: { SHOP_URL: upstream.url, SHOP_KEY: "canary-shop-key", BOB_KEY: "canary-bob-key", ...env },
    readStdin: async () => "",
    signal: ended.signal,
    onHangup: (listener) => {
      hangups.add(listener);
      return () => hangups.delete(listener);
    },
  };
  const find = (event: string) => lines.find((line) => line["event"] === event && !given.has(line));
  return {
    lines,
    text: () => notes.join("\n"),
    code: host.run([join(folder, "conf", "host.yaml")], shell),
    url: () => `http://127.0.0.1:${lines.find(({ event }) => event === "listening")?.["port"]}`,
    said: async (event) => {
      await expect.poll(() => find(event), { timeout: 15_000, interval: 20 }).toBeDefined();
      const line = find(event)!;
      given.add(line);
      return line;
    },
    hangUp: () => {
      // The system's own answer to it, where nobody listens.
      if (hangups.size === 0) throw new Error("It was ended by a SIGHUP.");
      for (const listener of hangups) listener();
    },
    end: () => ended.abort(),
  };
}

async function ask(running: Running, key: string, method: string, params: object = {}) {
  return askWith(running, keyOf(key), method, params);
}

async function askWith(running: Running, token: string, method: string, params: object = {}) {
  const answer = await fetch(`${running.url()}/mcp/shop`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  const text = await answer.text();
  return { status: answer.status, ...JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) };
}

async function namesFor(running: Running, key: string): Promise<string[]> {
  const { result } = await ask(running, key, "tools/list");
  return result?.tools.map(({ name }: { name: string }) => name);
}

const call = (running: Running, key: string, name = "list_items") =>
  ask(running, key, "tools/call", { name, arguments: {} });

describe("vitrine host", () => {
  test("serves each key its own view, with its own pins and by what it may do", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    expect(await namesFor(running, "ann")).toStrictEqual(["describe_access", "list_items"]);
    expect(await namesFor(running, "bob")).toStrictEqual(["add_item", "describe_access", "list_items"]);
    expect((await call(running, "ann")).result.structuredContent).toMatchObject({ data: [{ id: "a" }] });
    await call(running, "bob");
    expect(upstream.seen.map(({ url }) => url)).toStrictEqual(["/v1/items?tenant=t-ann", "/v1/items?tenant=t-bob"]);
    expect((await call(running, "ann", "add_item")).error).toMatchObject({
      code: -32602,
      message: "Unknown tool: add_item",
    });
    running.end();
    expect(await running.code).toBe(0);
    expect(running.text()).not.toMatch(/canary|_secret/);
  });

  test("reads its files again when one changes: what is good is served at once, what is not changes nothing", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");

    write({ "shop.yaml": CURATION.replace("list_items:", "show_items:") });
    await running.said("reloaded");
    expect(await namesFor(running, "ann")).toContain("show_items");

    write({ "shop.yaml": CURATION.replace("operation: listItems", "operation: listItemz") });
    expect(await running.said("finding")).toMatchObject({
      code: "unknown_operation",
      at: expect.stringMatching(/shop\.yaml:6:/),
    });
    await running.said("reload_rejected");
    expect(await namesFor(running, "ann")).toContain("show_items");

    write({ "shop.yaml": CURATION, "host.yaml": HOST.replace(/ {2}bob:.*\n/, "") });
    await running.said("reloaded");
    expect((await ask(running, "bob", "tools/list")).status).toBe(401);
    expect(await namesFor(running, "ann")).toContain("list_items");

    write({ "host.yaml": "listen: [" });
    await running.said("reload_rejected");
    expect(await namesFor(running, "ann")).toContain("list_items");

    running.hangUp();
    await running.said("reload_rejected");
    write({ "host.yaml": HOST });
    await running.said("reloaded");
    expect((await ask(running, "bob", "tools/list")).status).toBe(200);
    running.hangUp();
    await running.said("reloaded");

    write({ "host.yaml": HOST.replace("http://127.0.0.1", "https://tools.example.com") });
    expect(await running.said("restart_needed")).toMatchObject({ changed: "publicUrl" });
    await running.said("reloaded");
    expect((await ask(running, "bob", "tools/list")).status).toBe(200);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("tells /metrics how often it was read, whether its files are good, and which upstream gives no answers", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start({ SHOP_URL: "http://127.0.0.1:1/v1" });
    await running.said("listening");
    const read = async (): Promise<string[]> => {
      const text = await (await fetch(`${running.url()}/metrics`)).text();
      return text
        .split("\n")
        .filter((line) => /^vitrine_(generation|files_served|upstreams_resting|shared)/.test(line));
    };
    expect(await read()).toStrictEqual([
      "vitrine_generation 1",
      "vitrine_files_served 1",
      'vitrine_upstreams_resting{server="shop"} 0',
    ]);
    for (let at = 0; at < 5; at += 1) await ask(running, "ann", "tools/call", { name: "list_items", arguments: {} });
    expect((await read()).at(-1)).toBe('vitrine_upstreams_resting{server="shop"} 1');
    write({ "host.yaml": "listen: [" });
    running.hangUp();
    await running.said("reload_rejected");
    expect((await read()).slice(0, 2)).toStrictEqual(["vitrine_generation 1", "vitrine_files_served 0"]);
    write({ "host.yaml": HOST, "shop.yaml": CURATION.replace("list_items:", "show_items:") });
    running.hangUp();
    await running.said("reloaded");
    expect((await read())[1]).toBe("vitrine_files_served 1");
    await expect.poll(async () => (await read())[2]).toBe('vitrine_upstreams_resting{server="shop"} 0');
    running.end();
    expect(await running.code).toBe(0);
  });

  test("asked many times at once to read its files again, it does so once more than it began", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    for (let times = 0; times < 100; times += 1) running.hangUp();
    await running.said("reloaded");
    write({ "host.yaml": HOST.replace(/ {2}bob:.*\n/, "") });
    running.hangUp();
    await expect.poll(async () => (await ask(running, "bob", "tools/list")).status, { timeout: 15_000 }).toBe(401);
    expect(running.lines.filter(({ event }) => event === "reloaded").length).toBeLessThan(6);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("before it takes no more connections, it tells whoever still comes to come again", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    running.end();
    const statuses: number[] = [];
    const untilRefused = async (): Promise<number[]> => {
      const { status } = await ask(running, "ann", "tools/list");
      statuses.push(status);
      return untilRefused();
    };
    await untilRefused().catch(() => statuses);
    expect([...new Set(statuses)]).toStrictEqual([200, 503]);
    expect(await running.code).toBe(0);
  });

  test("a second Authorization header is seen behind any number of others", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    const key = `authorization: Bearer ${keyOf("ann")}\r\n`;
    const { hostname, port } = new URL(running.url());
    const socket = connect(Number(port), hostname);
    socket.end(
      `POST /mcp/shop HTTP/1.1\r\nhost: ${hostname}\r\n${key}${"a:\r\n".repeat(2_100)}${key}content-length: 0\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*There must be one Authorization header/s);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("a call that runs is finished on what it began with, and at the end", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    let release = (): void => {};
    upstream.hold = new Promise((resolve) => {
      release = resolve;
    });
    const first = call(running, "ann");
    await expect.poll(() => upstream.seen.length).toBe(1);
    write({ "shop.yaml": CURATION.replace("list_items:", "show_items:") });
    await running.said("reloaded");
    running.end();
    await running.said("draining");
    expect((await fetch(`${running.url()}/readyz`)).status).toBe(503);
    release();
    expect((await first).result.structuredContent).toMatchObject({ data: [{ id: "a" }] });
    expect(await running.code).toBe(0);
  });

  test("a SIGHUP ends nothing, neither before it serves nor while it lets calls finish", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    running.hangUp();
    await running.said("listening");
    running.end();
    await running.said("draining");
    running.hangUp();
    expect(await running.code).toBe(0);
    expect(running.hangUp).toThrow("ended");
  });

  test("reaches no address that it was not allowed", async () => {
    const closed = HOST.replace(", allowPrivate: [127.0.0.0/8]", "");
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": closed });
    const running = start();
    await running.said("listening");
    const { result } = await call(running, "ann");
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain("destination_blocked");
    expect(upstream.seen).toStrictEqual([]);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("writes an event for each call, with the name of the key", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": `events: ./events.jsonl\n${HOST}` });
    const running = start();
    await running.said("listening");
    await call(running, "ann");
    await call(running, "bob", "nope");
    running.end();
    expect(await running.code).toBe(0);
    const { readFileSync } = await import("node:fs");
    const events = readFileSync(join(folder, "conf", "events.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      {
        server: "shop",
        tool: "list_items",
        key_id: "ann",
        ok: true,
        upstream_calls: 1,
        tools_sha: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { server: "shop", key_id: "bob", ok: false, error: "unknown_tool" },
    ]);
  });

  test("lets in who has an access token for it, as what the token says", async () => {
    const issuer = await openIssuer();
    const oauth = `oauth: { issuer: "${issuer.issuer}", claims: { tenant: tenant_id }, writeScope: "shop:write" }\n`;
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": `${oauth}${HOST}` });
    const running = start();
    await running.said("listening");
    const now = Math.floor(Date.now() / 1000);
    const sign = (claims: Record<string, unknown>) =>
      issuer.sign({
        aud: "http://127.0.0.1/mcp/shop",
        iat: now,
        exp: now + 300,
        tenant_id: "t-alice",
        scope: "",
        ...claims,
      });
    const namesWith = async (token: string) =>
      (await askWith(running, token, "tools/list")).result.tools.map(({ name }: { name: string }) => name);

    const reader = await sign({});
    expect(await namesWith(reader)).toStrictEqual(["describe_access", "list_items"]);
    await askWith(running, reader, "tools/call", { name: "list_items", arguments: {} });
    expect(upstream.seen.at(-1)?.url).toBe("/v1/items?tenant=t-alice");
    expect(JSON.stringify(upstream.seen)).not.toContain(reader);
    expect(await namesWith(await sign({ scope: "shop:write" }))).toContain("add_item");
    expect((await askWith(running, await sign({ aud: "http://127.0.0.1/mcp/other" }), "tools/list")).status).toBe(401);
    const lacking = await askWith(running, await sign({ tenant_id: undefined }), "tools/list");
    expect(lacking).toMatchObject({ status: 403, error: { message: expect.stringContaining("`tenant`") } });
    const resource = await fetch(`${running.url()}/.well-known/oauth-protected-resource/mcp/shop`);
    expect(await resource.json()).toMatchObject({ resource: "http://127.0.0.1/mcp/shop", resource_name: "The shop" });
    running.end();
    expect(await running.code).toBe(0);
    expect(running.text()).not.toContain(reader);
    await issuer.close();
  });

  test("sends a key's own credential in place of the curation's", async () => {
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST });
    const running = start();
    await running.said("listening");
    for (const key of ["ann", "bob", "ann"]) await call(running, key);
    expect(upstream.seen.map(({ headers }) => headers["x-shop-key"])).toStrictEqual([
      "canary-shop-key",
      "canary-bob-key",
      "canary-shop-key",
    ]);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("needs no credential of the curation's own where each key brings one", async () => {
    const own = ', credentials: { shopKey: { apiKey: "${env.BOB_KEY}" } }';
    const file = HOST.replace("[SHOP_URL, SHOP_KEY]", "[SHOP_URL]").replace("tenant: t-ann }", `tenant: t-ann }${own}`);
    write({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": file });
    const running = start();
    await running.said("listening");
    await call(running, "ann");
    expect(upstream.seen.map(({ headers }) => headers["x-shop-key"])).toStrictEqual(["canary-bob-key"]);
    running.end();
    expect(await running.code).toBe(0);
  });

  test.each([false, true])("lets explore where both files allow it (%s)", async (allowed) => {
    const file = HOST.replace("shop: { curation", `shop: { explore: ${allowed}, curation`);
    write({
      "shop.json": JSON.stringify(SPEC),
      "shop.yaml": CURATION.replace("writes: true", "writes: true, explore: true"),
      "host.yaml": file,
    });
    const running = start();
    await running.said("listening");
    const names = await namesFor(running, "ann");
    expect(names.includes("search_operations")).toBe(allowed);
    const args = { name: "call_operation", arguments: { operation: "listItems", arguments: [] } };
    const { result, error } = await ask(running, "ann", "tools/call", args);
    if (allowed) expect(result.structuredContent).toMatchObject({ items: [{ id: "a" }] });
    else expect(error.message).toBe("Unknown tool: call_operation");
    expect(upstream.seen.map(({ url }) => url)).toStrictEqual(allowed ? ["/v1/items?tenant=t-ann"] : []);
    running.end();
    expect(await running.code).toBe(0);
  });

  test("its format is printed", async () => {
    const { code, out } = await run(["schema", "--host"]);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { title: "A vitrine host file", required: ["listen", "publicUrl", "servers"] },
    ]);
  });

  const refusals: [title: string, change: (files: Record<string, string>) => Record<string, string>, says: RegExp][] = [
    [
      "a mistake in the host file",
      (f) => ({ ...f, "host.yaml": HOST.replace("publicUrl", "publicUrI") }),
      /host\.yaml:2:1 .*unknown_key/,
    ],
    [
      "a mistake in a curation",
      (f) => ({ ...f, "shop.yaml": CURATION.replace("listItems", "listItemz") }),
      /shop\.yaml:6:\d+ .*unknown_operation/,
    ],
    [
      "a curation that is not there",
      (f) => ({ ...f, "host.yaml": HOST.replace("./shop.yaml", "./none.yaml") }),
      /host\.yaml:4:\d+ .*unreadable_curation/,
    ],
    [
      "a variable that is not granted",
      (f) => ({ ...f, "host.yaml": HOST.replace("[SHOP_URL, SHOP_KEY]", "[SHOP_URL]") }),
      /host\.yaml:4:\d+ .*env_not_granted.*SHOP_KEY/,
    ],
    [
      "a credential that is not granted, where callers with tokens bring none of their own",
      (f) => {
        const own = ', credentials: { shopKey: { apiKey: "${env.BOB_KEY}" } }';
        const each = HOST.replace("tenant: t-ann }", `tenant: t-ann }${own}`);
        const file = each.replace("[SHOP_URL, SHOP_KEY]", "[SHOP_URL]");
        return { ...f, "host.yaml": `${file}oauth: { issuer: "https://id.example.com" }\n` };
      },
      /host\.yaml:4:\d+ .*env_not_granted.*SHOP_KEY/,
    ],
    [
      "a key without a claim",
      (f) => ({ ...f, "host.yaml": HOST.replace(", claims: { tenant: t-ann }", "") }),
      /host\.yaml:6:\d+ .*missing_claim.*`tenant`/,
    ],
    [
      "a misspelt tag, which would show what was to be hidden",
      (f) => ({ ...f, "host.yaml": HOST.replace("tenant: t-ann }", "tenant: t-ann }, tags: { exclude: [intern] }") }),
      /host\.yaml:6:\d+ .*unknown_tag.*`internal`/s,
    ],
    [
      "events that would be written nowhere",
      (f) => ({ ...f, "host.yaml": `events: ./none/events.jsonl\n${HOST}` }),
      /host\.yaml:1:1 .*no_folder/,
    ],
    [
      "a credential for no scheme",
      (f) => ({ ...f, "host.yaml": HOST.replace("{ shopKey: { apiKey", "{ shopKy: { apiKey") }),
      /host\.yaml:7:\d+ .*unknown_scheme/,
    ],
  ];
  test.each(refusals)("does not start with %s", async (_, change, says) => {
    write(change({ "shop.json": JSON.stringify(SPEC), "shop.yaml": CURATION, "host.yaml": HOST }));
    const running = start();
    expect(await running.code).toBe(1);
    expect(running.text()).toMatch(says);
    expect(running.text()).not.toContain("canary");
  });
});
