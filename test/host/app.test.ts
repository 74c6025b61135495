import { mkdtempSync, rmSync } from "node:fs";
import { connect as openSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import type { Rate, Refusal } from "../../src/host/hosting.ts";
import type { Served } from "../../src/host/opened-server.ts";
import { SEE_PAGE } from "../../src/mcp/answer-fault.ts";
import type { Tool } from "../../src/model/tool.ts";
import { LIST_REPLY, sampleCaller, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { fakeServer, type Hosted, hostFile, keyEntry, keyOf, openHosted, serverEntry } from "./hosted.ts";

const WRITER: Tool = {
  ...sampleToolset.tools[1]!,
  name: "sample_write",
  tags: ["internal"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};
// `describe_access` alone is shown to everybody.
const PLAN = { kind: "steps" as const, steps: [] };
const TOOLSET = {
  ...sampleToolset,
  tools: [...sampleToolset.tools, WRITER].map((one) => ({
    ...one,
    plan: PLAN,
    tags: one.name === "sample_list" ? ["public"] : one.tags,
  })),
};

const KEYS = [
  keyEntry("reader"),
  keyEntry("writer", { writes: true }),
  keyEntry("few", { tags: { any: ["public"] } }),
  keyEntry("other", { server: "two" }),
  keyEntry("old", { expires: new Date(0) }),
];
const ENTRIES = [serverEntry("one"), serverEntry("two")];

let open: Hosted[] = [];
afterEach(async () => {
  await Promise.all(open.map((one) => one.end()));
  open = [];
});

async function start(more: Parameters<typeof openHosted>[1] = {}, keys = KEYS, file = {}) {
  const caller = sampleCaller();
  const servers = { one: fakeServer(TOOLSET, caller), two: fakeServer(TOOLSET, sampleCaller()) };
  const served: Served = { host: hostFile(keys, ENTRIES, file), servers: new Map(Object.entries(servers)) };
  const hosted = await openHosted(served, more);
  open.push(hosted);
  return { ...hosted, caller, servers, served };
}

const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} };
const CALL = { ...LIST, method: "tools/call", params: { name: "sample_list", arguments: {} } };

function post(url: string, key: string | undefined, body: object = LIST, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key !== undefined && { authorization: `Bearer ${keyOf(key)}` }),
      ...headers,
    },
  });
}

/** What was answered, whether as JSON or as an event. */
async function bodyOf(response: Response) {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

/** Opens a stream of what changes (MCP 2026-07-28). */
function listen(url: string, key: string) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  return post(`${url}/mcp/one`, key, { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }, headers);
}

describe("who may come in", () => {
  const METHODS = ["initialize", "server/discover", "tools/list", "tools/call", "ping", "subscriptions/listen", "nope"];

  test.each(METHODS)("without a key no %s is answered", async (method) => {
    const { url, caller } = await start();
    const answer = await post(`${url}/mcp/one`, undefined, { ...LIST, method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(caller.calls).toStrictEqual([]);
  });

  test("a server that does not exist is like one for which nobody has a key, byte for byte", async () => {
    const { url } = await start();
    const answers = await Promise.all(
      [
        ["one", "other"],
        ["two", "reader"],
        ["nope", "reader"],
        ["one", "nobody"],
        ["one", "old"],
      ].map(async ([server, key]) => {
        const answer = await post(`${url}/mcp/${server}`, key);
        return { status: answer.status, challenge: answer.headers.get("www-authenticate"), body: await answer.text() };
      }),
    );
    expect(answers[0]?.status).toBe(401);
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(JSON.stringify(answers)).not.toMatch(/two|nope|reader/);
  });

  test("a key in the URL, or two of them, let nobody in", async () => {
    const { url } = await start();
    expect((await post(`${url}/mcp/one?access_token=${keyOf("reader")}`, undefined)).status).toBe(401);
    const two = await fetch(`${url}/mcp/one`, {
      method: "POST",
      headers: [
        ["authorization", `Bearer ${keyOf("reader")}`],
        ["authorization", "Basic x"],
      ],
    });
    expect(two.status).not.toBe(200);
  });

  test.each(PEERS)("%s lists and calls with a key, and without one it cannot connect", async (peer) => {
    const { url } = await start();
    const client = await connect(peer, {
      url: `${url}/mcp/one`,
      headers: { authorization: `Bearer ${keyOf("reader")}` },
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("sample_list");
    expect((await client.callTool({ name: "sample_list", arguments: {} })).structuredContent).toStrictEqual(
      LIST_REPLY.isError ? undefined : LIST_REPLY.structured,
    );
    await client.close();
    await expect(connect(peer, { url: `${url}/mcp/one` })).rejects.toThrow();
  });
});

describe("what a caller sees", () => {
  const cases: [key: string, names: string[]][] = [
    ["reader", ["sample_boom", "sample_fail", "sample_image", "sample_list", "sample_wait"]],
    ["writer", ["sample_boom", "sample_fail", "sample_image", "sample_list", "sample_wait", "sample_write"]],
    ["few", ["sample_list"]],
  ];
  test.each(cases)("the key %s", async (key, names) => {
    const { url } = await start();
    const { result } = await bodyOf(await post(`${url}/mcp/one`, key));
    expect(result.tools.map(({ name }: { name: string }) => name)).toStrictEqual(names);
  });

  test("a hidden tool is answered as one that does not exist", async () => {
    const { url } = await start();
    const ask = async (name: string) => {
      const answer = await post(`${url}/mcp/one`, "reader", { ...CALL, params: { name, arguments: {} } });
      return (await bodyOf(answer)).error;
    };
    const hidden = JSON.stringify(await ask("sample_write"));
    const absent = JSON.stringify(await ask("sample_wrote"));
    expect(hidden.replaceAll("sample_write", "X")).toBe(absent.replaceAll("sample_wrote", "X"));
    expect(hidden).toContain("-32602");
  });

  test("it is made once for those who may see the same, and calls are made with the caller's own claims", async () => {
    const { url, servers, caller } = await start();
    for (let at = 0; at < 3; at += 1) await (await post(`${url}/mcp/one`, "reader", CALL)).text();
    await (await post(`${url}/mcp/one`, "writer", CALL)).text();
    expect(servers.one.seen).toHaveLength(2);
    expect(caller.calls.map((one) => one.caller.key)).toStrictEqual([
      { who: "reader" },
      { who: "reader" },
      { who: "reader" },
      { who: "writer" },
    ]);
    expect(caller.calls[0]?.caller.key).toBe(caller.calls[2]?.caller.key);
  });

  test("nobody between may keep a list", async () => {
    const { url } = await start();
    const client = await connect("v2 SDK, 2026-07-28", {
      url: `${url}/mcp/one`,
      headers: { authorization: `Bearer ${keyOf("reader")}` },
    });
    expect(await client.listTools()).toMatchObject({ cacheScope: "private", ttlMs: 0 });
    await client.close();
  });
});

describe("limits", () => {
  const BUSY: Refusal = {
    kind: "refused",
    status: 429,
    headers: [["retry-after", "9"]],
    code: 1429,
    message: "Too many calls.",
  };
  const limiter = {
    address: async () => undefined,
    arrive: async (): Promise<Refusal | undefined> => undefined,
    failed: () => {},
    call: async () => BUSY,
  };

  test("a caller over its rate is told under the id of its call when to come again, and may still list", async () => {
    const { url, caller } = await start({ limiter });
    const answer = await post(`${url}/mcp/one`, "reader", CALL);
    expect([answer.status, answer.headers.get("retry-after")]).toStrictEqual([429, "9"]);
    expect(await answer.json()).toStrictEqual({ jsonrpc: "2.0", id: 7, error: { code: 1429, message: BUSY.message } });
    expect(caller.calls).toStrictEqual([]);
    expect((await post(`${url}/mcp/one`, "reader")).status).toBe(200);
  });

  test("an address is shut out for what is wrong alone: whose key is good, or who shows none yet, is answered as ever", async () => {
    const failed: string[] = [];
    let isShut = false;
    const own = {
      address: async () => (isShut ? BUSY : undefined),
      arrive: async () => undefined,
      failed: (one: string) => failed.push(one),
      call: async () => undefined,
    };
    const { url } = await start({ limiter: own });
    const statusOf = async (key: string | undefined, server = "one") =>
      (await post(`${url}/mcp/${server}`, key)).status;
    expect([await statusOf(undefined), failed.length]).toStrictEqual([401, 0]);
    expect([await statusOf("nobody"), failed]).toStrictEqual([401, ["127.0.0.1"]]);
    isShut = true;
    expect(await statusOf("reader")).toBe(200);
    expect(await statusOf(undefined)).toBe(401);
    expect(failed).toHaveLength(1);
  });

  test("of an address that is shut out all guesses are answered alike, and need not be counted", async () => {
    const failed: string[] = [];
    const own = { ...limiter, address: async () => BUSY, failed: (one: string) => failed.push(one) };
    const { url } = await start({ limiter: own });
    const guesses = [
      ["nobody", "one"],
      ["reader", "other"],
      ["nobody", "no-such"],
    ] as const;
    const answers = await Promise.all(
      guesses.map(async ([key, server]) => {
        const answer = await post(`${url}/mcp/${server}`, key);
        return [answer.status, answer.headers.get("www-authenticate"), await answer.text()];
      }),
    );
    const shut = { jsonrpc: "2.0", error: { code: 1429, message: BUSY.message }, id: null };
    expect(answers).toStrictEqual(guesses.map(() => [429, null, JSON.stringify(shut)]));
    expect(failed).toStrictEqual([]);
  });

  test("an address over the rate of the file is answered before it is looked at what it shows; without a rate none is counted", async () => {
    const arrived: [string, Rate][] = [];
    const own = {
      ...limiter,
      arrive: async (address: string, rate: Rate) => {
        arrived.push([address, rate]);
        return arrived.length > 1 ? BUSY : undefined;
      },
    };
    const addressRate = { calls: 1, perMs: 1_000 };
    const { url } = await start({ limiter: own }, KEYS, { addressRate, proxies: 1 });
    const ask = async (key?: string) =>
      (await post(`${url}/mcp/one`, key, LIST, { "x-forwarded-for": "9.9.9.9" })).status;
    expect([await ask("reader"), await ask("reader"), await ask("nobody"), await ask()]).toStrictEqual([
      200, 429, 429, 429,
    ]);
    expect(arrived).toStrictEqual(Array(4).fill(["9.9.9.9", addressRate]));
    const { url: free } = await start({ limiter: own });
    expect((await post(`${free}/mcp/one`, "reader")).status).toBe(200);
    expect(arrived).toHaveLength(4);
  });

  test.each([
    [0, "9.9.9.9", "127.0.0.1"],
    [1, "6.6.6.6, 9.9.9.9", "9.9.9.9"],
    [2, "6.6.6.6, 9.9.9.9, 10.0.0.1", "9.9.9.9"],
    [1, "no address", "127.0.0.1"],
    [3, "9.9.9.9", "127.0.0.1"],
  ])("behind %i proxies %s comes from %s", async (proxies, forwarded, want) => {
    const failed: string[] = [];
    const own = { ...limiter, failed: (one: string) => failed.push(one) };
    const { url } = await start({ limiter: own }, KEYS, { proxies });
    await post(`${url}/mcp/one`, "nobody", LIST, { "x-forwarded-for": forwarded });
    expect(failed).toStrictEqual([want]);
  });

  test("a call holds its place until it has ended", async () => {
    let running = 0;
    const enter = async () => {
      running += 1;
      const leave = (): void => {
        running -= 1;
      };
      return { kind: "entered" as const, leave };
    };
    const { url, caller } = await start({ enter });
    const waiting = post(`${url}/mcp/one`, "reader", { ...CALL, params: { name: "sample_wait", arguments: {} } });
    await caller.entered;
    expect(running).toBe(1);
    caller.release();
    await (await waiting).text();
    await (await post(`${url}/mcp/one`, "reader", { ...CALL, params: { name: "sample_boom", arguments: {} } })).text();
    await expect.poll(() => running).toBe(0);
  });
});

describe("a reload", () => {
  test("is seen by the next call, while one that runs ends on what it began with", async () => {
    const { url, caller, servers, served, serve } = await start();
    const waiting = post(`${url}/mcp/one`, "reader", { ...CALL, params: { name: "sample_wait", arguments: {} } });
    await caller.entered;
    const next = fakeServer({ ...TOOLSET, tools: TOOLSET.tools.slice(0, 1) }, sampleCaller());
    serve({
      ...served,
      servers: new Map([
        ["one", next],
        ["two", servers.two],
      ]),
    });
    expect((await bodyOf(await post(`${url}/mcp/one`, "reader"))).result.tools).toHaveLength(1);
    expect(servers.one.isClosed()).toBe(false);
    caller.release();
    expect((await bodyOf(await waiting)).result.isError).toBeFalsy();
    await servers.one.closed;
    expect(servers.two.isClosed()).toBe(false);
  });

  test("takes away what is gone, and closes it", async () => {
    const { url, servers, served, serve } = await start();
    serve({ host: hostFile(KEYS, [ENTRIES[0]!]), servers: new Map([["one", servers.one]]) });
    expect((await post(`${url}/mcp/two`, "other")).status).toBe(404);
    await servers.two.closed;
    expect(served.servers.size).toBe(2);
  });

  test("tells those who listen, and ends the streams of keys that are gone", async () => {
    const { url, served, serve } = await start();
    const told: string[] = [];
    const follow = async (key: string) => {
      const answer = await listen(url, key);
      expect(answer.status).toBe(200);
      const ended = (async () => {
        for await (const chunk of answer.body!) if (Buffer.from(chunk).includes("list_changed")) told.push(key);
      })().catch(() => {});
      return { ended };
    };
    const reader = await follow("reader");
    await follow("writer");
    serve({
      ...served,
      host: hostFile(
        KEYS.filter(({ id }) => id !== "reader"),
        ENTRIES,
      ),
    });
    await reader.ended;
    await expect.poll(() => told).toContain("writer");
    expect((await post(`${url}/mcp/one`, "reader")).status).toBe(401);
  });
});

test("who listens is told when what they see is another list, and nobody else is", async () => {
  const { url, servers, app } = await start();
  const told: string[] = [];
  const follow = async (key: string) => {
    const answer = await listen(url, key);
    const ended = (async () => {
      for await (const chunk of answer.body!) if (Buffer.from(chunk).includes("list_changed")) told.push(key);
    })();
    return { ended };
  };
  const followed = await Promise.all(["reader", "reader", "writer", "few"].map(follow));
  servers.one.change("reader");
  await expect.poll(() => told).toHaveLength(2);
  // Those that come soon after are told together.
  servers.one.change("writer");
  servers.one.change("gone");
  servers.one.change("few");
  await expect.poll(() => told).toHaveLength(4);
  await app.close(1_000);
  await Promise.all(followed.map(({ ended }) => ended));
  expect(told.slice(0, 2)).toStrictEqual(["reader", "reader"]);
  expect(told.slice(2).toSorted()).toStrictEqual(["few", "writer"]);
});

describe("the end", () => {
  test("is told to whoever asks before it is felt by callers", async () => {
    const { url, app } = await start();
    const ready = async () => (await fetch(`${url}/readyz`)).status;
    expect(await ready()).toBe(200);
    app.drain("leaving");
    expect(await ready()).toBe(503);
    const served = await post(`${url}/mcp/one`, "reader");
    expect([served.status, served.headers.get("connection")]).toStrictEqual([200, "close"]);
    app.drain("left");
    const refused = await post(`${url}/mcp/one`, "reader");
    expect([refused.status, refused.headers.get("retry-after")]).toStrictEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ error: { code: 1503 } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe("streams", () => {
  test("one caller may have so many, and others theirs; the end ends them", async () => {
    const { url, app } = await start();
    const opened = await Promise.all(Array.from({ length: 16 }, () => listen(url, "reader")));
    expect(opened.map(({ status }) => status)).toStrictEqual(Array(16).fill(200));
    const refused = await listen(url, "reader");
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 1429 } }]);
    const other = await listen(url, "writer");
    expect(other.status).toBe(200);
    await opened[0]?.body?.cancel();
    await expect.poll(async () => (await listen(url, "reader")).status).toBe(200);
    await app.close(1_000);
    await other.text();
  });
});

describe("other paths", () => {
  test.each([
    ["GET", "/mcp/one", 401],
    ["DELETE", "/mcp/one", 401],
    ["OPTIONS", "/mcp/one", 401],
    ["GET", "/mcp", 404],
    ["POST", "/mcp/", 404],
    ["POST", "/mcp/one/", 404],
    ["POST", "/mcp/One", 404],
    ["POST", "/mcp/%6fne", 404],
    ["POST", "/mcp/one/../two", 401],
    ["POST", "/mcp/__proto__", 404],
    ["GET", "/", 404],
    ["GET", "/metrics", 404],
    ["GET", "/.well-known/oauth-protected-resource", 404],
    ["GET", "/.well-known/oauth-protected-resource/mcp/one", 404],
    ["POST", "/healthz", 405],
    ["GET", "/healthz", 200],
  ])("%s %s is %i", async (method, path, status) => {
    const { url } = await start();
    const answer = await fetch(url + path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(["GET", "DELETE", "PUT"])(
    "%s is refused to whoever is let in, and to others like a POST",
    async (method) => {
      const { url } = await start();
      const ask = (key: string) =>
        fetch(`${url}/mcp/one`, {
          method,
          headers: { authorization: `Bearer ${keyOf(key)}`, accept: "text/event-stream" },
        });
      const [known, stranger] = [await ask("reader"), await ask("nobody")];
      expect([known.status, known.headers.get("allow")]).toStrictEqual([405, "POST"]);
      expect([stranger.status, stranger.headers.get("allow")]).toStrictEqual([401, null]);
      const challenge = (await post(`${url}/mcp/one`, "nobody")).headers.get("www-authenticate");
      expect(challenge).not.toBeNull();
      expect(stranger.headers.get("www-authenticate")).toBe(challenge);
    },
  );

  test("whoever is let in and came with a browser is told where the page is, where there is one", async () => {
    const pageFolder = mkdtempSync(join(tmpdir(), "vitrine-page-"));
    const says = async (more: Parameters<typeof openHosted>[1]) => {
      const { url } = await start(more);
      const answer = await fetch(`${url}/mcp/one`, { headers: { authorization: `Bearer ${keyOf("reader")}` } });
      return ((await answer.json()) as { error: { message: string } }).error.message;
    };
    expect(await says({ pageFolder })).toBe(`Method not allowed.${SEE_PAGE}`);
    expect(await says({})).toBe("Method not allowed.");
    rmSync(pageFolder, { recursive: true });
  });

  test("what was counted is told to whoever is near, and to nobody who comes through a proxy", async () => {
    const { url } = await start({ metrics: { type: "text/plain; version=0.0.4", text: () => "calls 1\n" } });
    const answer = await fetch(`${url}/metrics`);
    expect([answer.headers.get("content-type"), await answer.text()]).toStrictEqual([
      "text/plain; version=0.0.4",
      "calls 1\n",
    ]);
    const strange = await fetch(`${url}/metrics`, { headers: { "x-forwarded-for": "127.0.0.1" } });
    expect([strange.status, await strange.text()]).toStrictEqual([404, '{"error":"not_found"}']);
  });

  test("with tokens the resource of each server is described, for pages too", async () => {
    const oauth = { issuer: "https://id.example.com", claims: new Map(), scopes: [] };
    const { url } = await start({}, KEYS, { oauth });
    const path = `${url}/.well-known/oauth-protected-resource/mcp`;
    const answer = await fetch(`${path}/one`);
    expect(await answer.json()).toMatchObject({
      resource: "http://127.0.0.1/mcp/one",
      authorization_servers: [oauth.issuer],
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await fetch(`${path}/nope`)).status).toBe(404);
  });

  test("who is refused while a body is still coming is answered, and then no more of it is taken", async () => {
    const { url } = await start();
    const { hostname, port } = new URL(url);
    const socket = openSocket(Number(port), hostname);
    socket.write(`POST /mcp/one HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000\r\n\r\n{`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("a message that is not UTF-8 is not taken for another text", async () => {
    const { url } = await start();
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${keyOf("reader")}`,
    };
    const body = Buffer.from(JSON.stringify({ ...LIST, params: { cursor: "\u00ff" } }), "latin1");
    const answer = await fetch(`${url}/mcp/one`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  test("a web page under another name gets nothing", async () => {
    const { url } = await start();
    const evil = await post(`${url}/mcp/one`, "reader", LIST, { origin: "https://evil.example" });
    expect(evil.status).toBe(403);
    const own = await post(`${url}/mcp/one`, "reader", LIST, { origin: "http://127.0.0.1" });
    expect(own.status).toBe(200);
  });
});

describe("the log", () => {
  test("has a line for each request, with what it may be found by, and no secret", async () => {
    const { url, lines } = await start();
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const answer = await post(`${url}/mcp/one`, "reader", CALL, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
    await answer.text();
    await (await post(`${url}/mcp/nope`, "nobody", { ...LIST, method: "evil\n{}" })).text();
    await expect.poll(() => lines.filter(({ event }) => event === "request").length).toBe(2);
    const [first, second] = lines.filter(({ event }) => event === "request");
    expect(first).toMatchObject({
      level: "info",
      request_id: answer.headers.get("x-request-id"),
      trace_id: trace,
      server: "one",
      key_id: "reader",
      method: "tools/call",
      status: 200,
    });
    expect(second).toMatchObject({ server: null, status: 401 });
    expect(JSON.stringify(lines)).not.toMatch(/secret-of|evil|nope/);
  });

  const META = (version: string) => ({ "io.modelcontextprotocol/protocolVersion": version });
  test.each<[string, object | string, Record<string, string>, number]>([
    ["another media type", LIST, { "content-type": "text/plain" }, 415],
    ["an answer that it would not take", LIST, { accept: "text/html" }, 406],
    ["a version that there is not", LIST, { "mcp-protocol-version": "1999-01-01" }, 400],
    [
      "headers that say another method than the body",
      { ...LIST, params: { _meta: META("2026-07-28") } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
      400,
    ],
    [
      "a version of the envelope that there is not",
      { ...LIST, params: { _meta: META("2029-01-01") } },
      { "mcp-protocol-version": "2029-01-01", "mcp-method": "tools/list" },
      400,
    ],
    ["a response to nothing", { jsonrpc: "2.0", id: 1, result: { content: { iban: "CONTENT" } } }, {}, 202],
    [
      "an error in answer to nothing",
      { jsonrpc: "2.0", id: "CONTENT", error: { code: 1, message: "CONTENT" } },
      {},
      202,
    ],
    [
      "progress of nothing",
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 9, progress: 1, message: "CONTENT" },
      },
      {},
      202,
    ],
    [
      "a notification that is not as it must be",
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: { CONTENT: 1 }, reason: ["CONTENT"] } },
      {},
      202,
    ],
    [
      "a name in a header that is not the body's",
      { ...CALL, params: { name: "CONTENT", arguments: {}, _meta: META("2026-07-28") } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "CONTENTtoo" },
      400,
    ],
    ["a version that holds words", LIST, { "mcp-protocol-version": "CONTENT" }, 400],
    ["what is no message", { jsonrpc: "2.0", id: 1, method: 7 }, {}, 400],
  ])(
    "what a caller does wrong is told as refused, without what was sent, and is no fault: %s",
    async (_, message, headers, status) => {
      const { url, lines } = await start();
      const answer = await post(`${url}/mcp/one`, "reader", message as object, headers);
      await answer.text();
      expect(answer.status).toBe(status);
      await expect.poll(() => lines.map(({ event }) => event)).toContain("request");
      expect(lines.filter(({ event }) => event === "fault")).toStrictEqual([]);
      expect(JSON.stringify(lines)).not.toContain("CONTENT");
    },
  );

  test("a response to nothing that was asked is told as that", async () => {
    const { url, lines } = await start();
    await post(`${url}/mcp/one`, "reader", { jsonrpc: "2.0", id: 1, result: {} });
    await expect
      .poll(() => lines)
      .toContainEqual(
        expect.objectContaining({
          event: "refused",
          why: expect.stringContaining("A response came to nothing that was asked."),
        }),
      );
  });

  test("why the protocol refused a request is told, with what it may be found by", async () => {
    const { url, lines } = await start();
    const answer = await post(`${url}/mcp/one`, "reader", LIST, { "content-type": "text/plain" });
    await expect
      .poll(() => lines)
      .toContainEqual(
        expect.objectContaining({
          level: "warn",
          event: "refused",
          why: expect.stringContaining("Unsupported Media Type"),
          request_id: answer.headers.get("x-request-id"),
        }),
      );
  });

  test("a fault of ours is told there and not to the caller", async () => {
    const { url, lines } = await start();
    const body = await (
      await post(`${url}/mcp/one`, "reader", { ...CALL, params: { name: "sample_boom", arguments: {} } })
    ).text();
    expect(body).not.toContain("hunter2");
    expect(lines.find(({ event }) => event === "fault")).toMatchObject({
      level: "error",
      request_id: expect.any(String),
    });
  });
});
