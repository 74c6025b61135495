import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { AppOptions } from "../../src/host/create-app.ts";
import type { Served } from "../../src/host/opened-server.ts";
import { LIST_REPLY, sampleCaller, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { fakeServer, type Hosted, hostFile, keyEntry, keyOf, openHosted, serverEntry } from "./hosted.ts";

// Requests that come on one connection at once (RFC 9112 9.3.2): what is behind a call that waits.

const KEYS = [keyEntry("reader"), keyEntry("other")];
const WAIT = { method: "tools/call", params: { name: "sample_wait", arguments: {} } };
const LIST = { method: "tools/call", params: { name: "sample_list", arguments: {} } };
const LISTEN = {
  method: "subscriptions/listen",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
    notifications: { toolsListChanged: true },
  },
};

let hosted: Hosted;
let socket: Socket;
afterEach(async () => {
  socket.destroy();
  await hosted.end();
});

interface Message {
  readonly method: string;
  readonly params: object;
}

function bodyOf(message: Message): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
}

function headersOf(message: Message, key: string): Record<string, string> {
  return {
    authorization: `Bearer ${keyOf(key)}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(message === LISTEN && { "mcp-protocol-version": "2026-07-28", "mcp-method": message.method }),
  };
}

function write(message: Message, key: string): string {
  const body = bodyOf(message);
  const headers = { host: "127.0.0.1", ...headersOf(message, key), "content-length": body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp/one HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

async function send(requests: readonly string[], more: Partial<AppOptions> = {}) {
  const caller = sampleCaller();
  const { call } = caller;
  const asked: string[] = [];
  Object.assign(caller, {
    call: async (...given: Parameters<typeof call>) => {
      asked.push(given[0]);
      const reply = await call(...given);
      return given[0] === "sample_list" ? { ...LIST_REPLY, text: "x".repeat(100_000) } : reply;
    },
  });
  const servers = new Map([["one", fakeServer(sampleToolset, caller)]]);
  const served: Served = { host: hostFile(KEYS, [serverEntry("one")]), servers };
  hosted = await openHosted(served, more);
  const { port, hostname } = new URL(hosted.url);
  socket = connect(Number(port), hostname, () => socket.write(requests.join("")));
  socket.on("error", () => {});
  return { asked, served };
}

test("calls give their places back when the connection closes, and who waits for one waits no more", async () => {
  let running = 0;
  const signals: AbortSignal[] = [];
  const enter: AppOptions["enter"] = async (_, __, signal) => {
    signals.push(signal);
    running += 1;
    const leave = (): void => {
      running -= 1;
    };
    return { kind: "entered", leave };
  };
  const { asked } = await send([write(WAIT, "reader"), write(LIST, "reader"), write(WAIT, "reader")], { enter });
  await expect.poll(() => asked).toHaveLength(3);
  expect(running).toBe(3);
  socket.destroy();
  await expect.poll(() => running).toBe(0);
  expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true, true, true]);
  const start = performance.now();
  await hosted.app.close(60_000);
  expect(performance.now() - start).toBeLessThan(10_000);
});

/** As many streams as one caller may have, and one more, behind a call of another. */
async function sendStreams() {
  const sent = await send([write(WAIT, "other"), ...Array<string>(17).fill(write(LISTEN, "reader"))]);
  await expect.poll(() => hosted.lines.filter(({ status }) => status === 429)).toHaveLength(1);
  return sent;
}

test("streams give their places back when the connection closes", async () => {
  await sendStreams();
  socket.destroy();
  const url = `${hosted.url}/mcp/one`;
  const ask = async () =>
    (await fetch(url, { method: "POST", headers: headersOf(LISTEN, "reader"), body: bodyOf(LISTEN) })).status;
  await expect.poll(ask).toBe(200);
});

test("streams end with their key", async () => {
  const { served } = await sendStreams();
  const closed = once(socket, "close");
  hosted.serve({ ...served, host: hostFile(KEYS.slice(1), [serverEntry("one")]) });
  await closed;
});
