import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, serveOverHttp } from "../../src/mcp/serve-http.ts";
import { sampleCaller, sampleSource, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { connect } from "./peers.ts";

let server: HttpServer;
let port: number;
const options = { hostname: "127.0.0.1", port: 0, key: {}, listTtlMs: 0, report: () => {} };

beforeAll(async () => {
  server = await serveOverHttp(sampleSource(sampleCaller()), { ...options, allowHosts: ["Tools.Example.com"] });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close(0));

/** Sends bytes as they are and gives what comes back until the server closes. */
function raw(request: string): Promise<{ status: number; headers: string; body: string }> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = createConnection(port, "127.0.0.1", () => socket.write(request));
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
      // A chunked body stands between lines of lengths.
      resolve({
        status: Number(head.split(" ")[1]),
        headers: head.toLowerCase(),
        body: /\{.*\}/s.exec(body)?.[0] ?? "",
      });
    });
  });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

function post(lines: readonly string[], body = INITIALIZE): string {
  const head = ["POST /mcp HTTP/1.1", ...lines, "Connection: close", "Content-Type: application/json"];
  const accept = "Accept: application/json, text/event-stream";
  return `${[...head, accept, `Content-Length: ${Buffer.byteLength(body)}`].join("\r\n")}\r\n\r\n${body}`;
}

describe("a request is served only under a name of this server", () => {
  const cases: [title: string, lines: string[], status: number][] = [
    ["localhost", ["Host: localhost"], 200],
    ["localhost with a port", ["Host: localhost:9999"], 200],
    ["LOCALHOST in capitals", ["Host: LOCALHOST"], 200],
    ["127.0.0.1", ["Host: 127.0.0.1:80"], 200],
    ["IPv6 loopback", ["Host: [::1]:80"], 200],
    ["an allowed name, in any letter case", ["Host: tools.EXAMPLE.com"], 200],
    ["a foreign name", ["Host: evil.example"], 403],
    ["a foreign name that begins like ours", ["Host: localhost.evil.example"], 403],
    ["a foreign name that ends like ours", ["Host: evil-localhost"], 403],
    ["userinfo before our name", ["Host: evil@localhost"], 403],
    ["a path behind our name", ["Host: localhost/evil.example"], 403],
    ["another loopback address", ["Host: 127.0.0.2"], 403],
    ["an empty Host", ["Host: "], 403],
    ["a port that there is none", ["Host: localhost:99999"], 403],
    ["no Host at all", [], 400],
    ["two Hosts", ["Host: localhost", "Host: evil.example"], 403],
    ["our own Origin", ["Host: localhost", "Origin: http://localhost:3000"], 200],
    ["an allowed Origin", ["Host: localhost", "Origin: https://tools.example.com"], 200],
    ["a foreign Origin", ["Host: localhost", "Origin: https://evil.example"], 403],
    ["the null Origin", ["Host: localhost", "Origin: null"], 403],
    ["an Origin that begins like ours", ["Host: localhost", "Origin: http://localhost.evil.example"], 403],
    ["an Origin with userinfo", ["Host: localhost", "Origin: http://localhost@evil.example"], 403],
    ["an extension's Origin", ["Host: localhost", "Origin: chrome-extension://localhost"], 403],
    ["two Origins", ["Host: localhost", "Origin: http://localhost", "Origin: https://evil.example"], 403],
  ];
  test.each(cases)("%s", async (_, lines, status) => {
    expect((await raw(post(lines))).status).toBe(status);
  });
});

describe("what is not one JSON-RPC message is refused", () => {
  const cases: [title: string, body: string, status: number, code: number][] = [
    ["a batch", `[${INITIALIZE}]`, 400, -32600],
    ["an empty batch", "[]", 400, -32600],
    ["malformed JSON", '{"jsonrpc":', 400, -32700],
    ["no body", "", 400, -32700],
    ["a number", "7", 400, -32600],
    ["null", "null", 400, -32600],
    ["an object that is no request", '{"hello":1}', 400, -32600],
    ["more than 4 MiB", JSON.stringify({ pad: "x".repeat(4 * 1024 * 1024) }), 413, -32000],
  ];
  test.each(cases)("%s", async (_, body, status, code) => {
    const answer = await raw(post(["Host: localhost"], body));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });

  test("what is nested too deep is refused under its id", async () => {
    const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`;
    const answer = await raw(post(["Host: localhost"], body));
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { id: 9, error: { code: -32600 } }]);
  });

  test("a body of unknown length over the bound", async () => {
    const chunk = "x".repeat(5 * 1024 * 1024);
    const head =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = await raw(`${head}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  test("another media type", async () => {
    const answer = await raw(post(["Host: localhost"]).replace("application/json\r\nAccept", "text/plain\r\nAccept"));
    expect(answer.status).toBe(415);
  });
});

describe("other methods and paths", () => {
  test.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s /mcp is 405 and says what is allowed", async (method) => {
    const answer = await raw(`${method} /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(405);
    expect(answer.headers).toContain("allow: post");
  });

  test.each(["/", "/mcp/", "/mcp/x", "/MCP", "/healthz/", "//mcp"])("%s is 404 with JSON", async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([answer.status, answer.body]).toStrictEqual([404, '{"error":"not_found"}']);
  });

  test("/healthz says what is served", async () => {
    const answer = await fetch(new URL("/healthz", server.url));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toStrictEqual({ status: "ok", server: "sample", version: "1.2.3", tools: 5 });
  });

  test("an error carries no trace of the program", async () => {
    for (const body of ['{"jsonrpc":', '{"jsonrpc":"2.0","id":1,"method":"nope"}']) {
      const answer = await raw(post(["Host: localhost"], body));
      expect(answer.body).not.toMatch(/node_modules|\.ts|\.m?js|at \w+ \(/);
      expect(answer.headers).not.toContain("x-powered-by");
    }
  });
});

describe("the end of things", () => {
  test("a client that goes away aborts its call", async () => {
    const caller = sampleCaller();
    const own = await serveOverHttp(sampleSource(caller), { ...options, allowHosts: [] });
    const gone = new AbortController();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sample_wait" } });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = fetch(own.url, { method: "POST", body, headers, signal: gone.signal });
    // A legacy answer begins before its result is there, a modern one does not: either way the reading ends here.
    const read = answer.then((response) => response.text());
    read.catch(() => {});
    await caller.entered;
    gone.abort();
    await caller.aborted;
    expect(caller.calls[0]?.caller.signal.aborted).toBe(true);
    await own.close(0);
  });

  test("a modern client that cancels aborts its call", async () => {
    const caller = sampleCaller();
    const own = await serveOverHttp(sampleSource(caller), { ...options, allowHosts: [] });
    const client = await connect("v2 SDK, 2026-07-28", { url: own.url });
    const cancel = new AbortController();
    const call = client.callTool({ name: "sample_wait", arguments: {} }, { signal: cancel.signal });
    call.catch(() => {});
    await caller.entered;
    cancel.abort();
    await caller.aborted;
    await expect(call).rejects.toThrow();
    await client.close();
    await own.close(0);
  });

  test("closing lets a running call finish and takes no new one", async () => {
    const caller = sampleCaller();
    const own = await serveOverHttp(sampleSource(caller), { ...options, allowHosts: [] });
    const client = await connect("v1 SDK", { url: own.url });
    const call = client.callTool({ name: "sample_wait", arguments: {} });
    await caller.entered;
    const closing = own.close(10_000);
    caller.release();
    expect((await call).content).toHaveLength(1);
    await closing;
    await expect(fetch(own.url)).rejects.toThrow();
  });

  test("closing does not wait for a call longer than it is told to", async () => {
    const caller = sampleCaller();
    const own = await serveOverHttp(sampleSource(caller), { ...options, allowHosts: [] });
    const client = await connect("v1 SDK", { url: own.url });
    client.callTool({ name: "sample_wait", arguments: {} }).catch(() => {});
    await caller.entered;
    await own.close(10);
    await caller.aborted;
    expect(caller.calls[0]?.caller.signal.aborted).toBe(true);
  });
});

test("a listening client hears of a new toolset and then sees it", async () => {
  const source = sampleSource(sampleCaller());
  const own = await serveOverHttp(source, { ...options, allowHosts: [] });
  const client = await connect("v2 SDK, 2026-07-28", { url: own.url });
  const heard = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
  });
  const subscription = await client.listen({ toolsListChanged: true });
  source.replace({ ...sampleToolset, tools: sampleToolset.tools.slice(0, 1) });
  await heard;
  expect((await client.listTools()).tools.map((tool) => tool.name)).toStrictEqual(["sample_wait"]);
  await subscription.close();
  await client.close();
  await own.close(0);
});

test("a modern client is told how long the list is good, and that it is the same for everybody", async () => {
  const own = await serveOverHttp(sampleSource(sampleCaller()), { ...options, allowHosts: [], listTtlMs: 60_000 });
  const client = await connect("v2 SDK, 2026-07-28", { url: own.url });
  expect(await client.listTools()).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
  await client.close();
  await own.close(0);
});

test("without `structured` there is neither outputSchema nor structuredContent", async () => {
  const plain = { ...sampleToolset, server: { ...sampleToolset.server, structured: false } };
  const own = await serveOverHttp(sampleSource(sampleCaller(), plain), { ...options, allowHosts: [] });
  const client = await connect("v1 SDK", { url: own.url });
  for (const tool of (await client.listTools()).tools) expect(tool).not.toHaveProperty("outputSchema");
  expect(await client.callTool({ name: "sample_list", arguments: {} })).toStrictEqual({
    content: [{ type: "text", text: '{"rowCount":1,"data":[{"cell":null}]}' }],
  });
  await client.close();
  await own.close(0);
});

test("a cursor that nobody gave is refused", async () => {
  const client = await connect("v1 SDK", { url: server.url });
  await expect(client.listTools({ cursor: "x" })).rejects.toMatchObject({ code: -32602 });
  await client.close();
});
