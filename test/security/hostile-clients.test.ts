import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyOf } from "../setup/keys.ts";
import { callBody, head, openRaw, rawCall, sendRaw } from "./raw.ts";
import { type RunningHost, startHost } from "./running-host.ts";
import { type Echo, startEcho } from "./start-echo.ts";
import { callThings, thingsFiles } from "./things.ts";

const STREAMS = Number(process.env["VITRINE_STREAMS"] ?? 1_100);
/** One caller may have 16 streams. */
const KEYS = Array.from({ length: Math.ceil(STREAMS / 16) + 1 }, (_, n) => `one-k${n}`);

let api: Echo;
let host: RunningHost;
let slow: { readonly begun: number; readonly closed: Promise<number>[] };
beforeAll(async () => {
  api = await startEcho();
  const { files, env } = thingsFiles({
    upstreams: { one: api.url },
    keys: KEYS,
  });
  host = await startHost(files, env);
  slow = await beSlow();
});
afterAll(async () => {
  await host.end();
  await api.close();
});

/** Hundreds of connections that say nothing, or too little, for as long as they are let. The last test looks how they fared. */
async function beSlow() {
  const begun = performance.now();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openRaw(host.url)));
  for (const [n, socket] of sockets.entries()) {
    const says = ["", "POST /mcp/one HTTP/1.1\r\nhost: 127", "GET"][n % 3] ?? "";
    socket.write(says);
    const timer = setInterval(() => says !== "" && socket.write("1"), 1_000);
    socket.resume().once("close", () => clearInterval(timer));
  }
  return { begun, closed: sockets.map((socket) => once(socket, "close").then(() => performance.now())) };
}

describe("only under its own name, and not for a page of another", () => {
  const KEY = KEYS[0]!;
  const cases: [title: string, host: string, lines: string[], status: number][] = [
    ["its name", "127.0.0.1", [], 200],
    ["its name and a port", "127.0.0.1:3000", [], 200],
    ["its own Origin", "127.0.0.1", ["Origin: http://127.0.0.1"], 200],
    ["another Host", "evil.example", [], 403],
    ["localhost, which is not its name", "localhost", [], 403],
    ["the address of all", "0.0.0.0", [], 403],
    ["a Host that begins like it", "127.0.0.1.evil.example", [], 403],
    ["a Host behind userinfo", "127.0.0.1@evil.example", [], 403],
    ["no Host", "", [], 400],
    ["two Hosts", "127.0.0.1", ["Host: evil.example"], 403],
    ["another Origin", "127.0.0.1", ["Origin: http://evil.example"], 403],
    ["an Origin that begins like it", "127.0.0.1", ["Origin: http://127.0.0.1.evil.example"], 403],
    ["the null Origin", "127.0.0.1", ["Origin: null"], 403],
    ["two Origins", "127.0.0.1", ["Origin: http://127.0.0.1", "Origin: http://evil.example"], 403],
  ];
  test.each(cases)("%s", async (title, name, lines, status) => {
    const answers = await sendRaw(host.url, rawCall(KEY, title, ["Connection: close", ...lines], name));
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(api.heard.includes(title)).toBe(status === 200);
  });
});

describe("what is one request and what is not", () => {
  const KEY = KEYS[0]!;
  const evil = rawCall(KEY, "smuggled");
  const body = callBody("outer");
  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const cases: [title: string, bytes: string][] = [
    [
      "Content-Length and chunked",
      head(KEY, [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"]) + chunked(body) + evil,
    ],
    [
      "a length that ends before the chunks",
      head(KEY, ["Content-Length: 4", "Transfer-Encoding: chunked"]) + chunked(body) + evil,
    ],
    ["two lengths", head(KEY, ["Content-Length: 2", `Content-Length: ${body.length}`]) + body + evil],
    ["two lengths in one", head(KEY, [`Content-Length: ${body.length}, ${body.length}`]) + body + evil],
    ["a length with a sign", head(KEY, [`Content-Length: +${body.length}`]) + body + evil],
    ["a length in hex", head(KEY, [`Content-Length: 0x${body.length.toString(16)}`]) + body + evil],
    ["a space before the colon", head(KEY, ["Transfer-Encoding : chunked"]) + chunked(body) + evil],
    ["chunked in other words", head(KEY, ["Transfer-Encoding: xchunked"]) + chunked(body) + evil],
    ["chunked that is not last", head(KEY, ["Transfer-Encoding: chunked, identity"]) + chunked(body) + evil],
    ["chunked twice", head(KEY, ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]) + chunked(body) + evil],
    ["a folded header", head(KEY, ["X-A: b", " Transfer-Encoding: chunked"]) + evil],
    ["a line that ends in CR alone", head(KEY, ["X-A: b\rTransfer-Encoding: chunked"]) + evil],
    ["a NUL in a header", head(KEY, ["X-A: \0b"]) + evil],
    [
      "a length of a chunk that is none",
      `${head(KEY, ["Transfer-Encoding: chunked"])}zz\r\n${body}\r\n0\r\n\r\n${evil}`,
    ],
    ["a chunk longer than it says", `${head(KEY, ["Transfer-Encoding: chunked"])}2\r\n${body}\r\n0\r\n\r\n${evil}`],
    ["no HTTP", `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${evil}`],
  ];
  test.each(cases)("%s is refused, and the connection with it", async (_, bytes) => {
    const answers = await sendRaw(host.url, bytes);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(api.heard).not.toContain("smuggled");
    expect(api.heard).not.toContain("outer");
  });

  test("more than the stated length is another request, and no part of the first", async () => {
    const answers = await sendRaw(host.url, `${rawCall(KEY, "first")}outer\r\n\r\n`);
    expect(answers.at(-1)?.status).toBe(400);
    expect(api.heard).not.toContain("outer");
  });

  test("requests that come at once are answered in their order, each as its own key", async () => {
    const last = rawCall(KEYS[2]!, "third", ["Connection: close"]);
    const bytes = rawCall(KEYS[0]!, "first") + rawCall("one-nobody", "second") + last;
    const answers = await sendRaw(host.url, bytes);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(answers.map(({ text }) => /first|second|third/.exec(text)?.[0])).toEqual(["first", undefined, "third"]);
  });

  test.each(["TRACE", "PUT", "PATCH", "PROPFIND"])("%s is not allowed, and says nothing back", async (method) => {
    const [answer] = await sendRaw(host.url, rawCall(KEY, method, ["Connection: close"]).replace("POST", method));
    expect([answer?.status, answer?.text.includes(keyOf(KEY)), api.heard.includes(method)]).toEqual([
      405,
      false,
      false,
    ]);
  });

  test("a tunnel is not opened", async () => {
    expect(await sendRaw(host.url, "CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")).toEqual([]);
  });

  test("a body without an end is not read for long", async () => {
    const socket = await openRaw(host.url);
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    let sent = 0;
    const push = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    socket.on("drain", push).write(head(KEY, ["Transfer-Encoding: chunked"]));
    push();
    let answer = "";
    socket.on("data", (part) => {
      answer += part;
    });
    await expect.poll(() => socket.closed, { timeout: 10_000 }).toBe(true);
    // Whoever still sends when the connection is closed may miss what was said.
    expect(answer).toMatch(/^$|^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

test("clients that number their calls alike get each its own answer", async () => {
  const modes = Array.from({ length: 200 }, (_, n) => `canary-${n}-`);
  const answers = await Promise.all(modes.map((mode, n) => callThings(host, KEYS[n % 16]!, "get_things", { mode })));
  expect(answers.map(({ text }) => [...new Set(text.match(/canary-\d+-/g))])).toEqual(modes.map((mode) => [mode]));
});

test(`${STREAMS} streams: whoever has too many is told so, and calls are answered all the while`, async () => {
  const sockets: Socket[] = [];
  const answered: string[] = [];
  const statusOf = async (n: number): Promise<number> => {
    const socket = await openRaw(host.url);
    sockets.push(socket);
    socket.write(listenRequest(KEYS[Math.floor(n / 16)]!));
    const answer = String((await once(socket, "data"))[0]);
    answered.push(answer);
    return Number(answer.split(" ")[1]);
  };
  const statuses: number[] = [];
  for (let n = 0; n < STREAMS; n += 100)
    statuses.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, STREAMS - n) }, (_, at) => statusOf(n + at)))),
    );
  expect(statuses).toEqual(Array(STREAMS).fill(200));
  expect(answered.filter((answer) => answer.includes('"error"')).length).toBe(Math.max(0, STREAMS - 1_024));
  const refused = await sendRaw(host.url, listenRequest(KEYS[0]!), 500);
  expect(refused.map(({ status }) => status)).toEqual([429]);
  expect((await callThings(host, KEYS.at(-1)!, "get_things", { mode: "beside" })).text).toContain("beside");
  for (const socket of sockets) socket.destroy();
}, 60_000);

function listenRequest(key: string): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
  const lines = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"];
  return head(key, [...lines, `Content-Length: ${body.length}`]) + body;
}

test("those that were slow from the beginning are gone by now, and were waited for", { timeout: 40_000 }, async () => {
  const seconds = (Math.max(...(await Promise.all(slow.closed))) - slow.begun) / 1_000;
  // Headers have ten seconds, and it is looked every five.
  expect(seconds).toBeLessThan(30);
});
