import type { Socket } from "node:net";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Egress, type EgressRequest, openEgress } from "../../src/egress/open-egress.ts";
import { listen, type Served, until } from "./serve.ts";

// What an answer has too much must never be taken for the answer to the next request.

let egress: Egress;
let served: Served;
beforeEach(() => {
  egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
});
afterEach(async () => {
  await egress.close();
  await served.close();
});

const answer = (body: string, more = ""): string =>
  `HTTP/1.1 200 OK\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
const EVIL = answer("evil");

/** Answers `/good` with "good" on any connection, and what else is asked by the script. */
async function serveScript(script: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      if (String(chunk).includes(" /good ")) socket.write(answer("good"));
      else script(socket);
    });
  });
  served = await listen(server);
}

async function ask(path: string, more: Partial<EgressRequest> = {}): Promise<string> {
  const reply = await egress.request({
    method: "GET",
    url: `${served.url}${path}`,
    headers: [],
    signal: AbortSignal.timeout(2_000),
    maxBytes: 100_000,
    redirects: [],
    ...more,
  });
  let text = "";
  for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
  return text;
}

const head = "HTTP/1.1 200 OK\r\n";
const cases: [title: string, bytes: string, want: string | "malformed"][] = [
  ["a second answer", answer("ok") + EVIL, "ok"],
  ["more than its Content-Length", `${head}content-length: 2\r\n\r\nokevil`, "ok"],
  [
    "a chunked body, and an answer behind it",
    `${head}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n${EVIL}`,
    "ok",
  ],
  ["a 204 with a body", `HTTP/1.1 204 No Content\r\n\r\n${EVIL}`, ""],
  ["a 304 with a body", `HTTP/1.1 304 Not Modified\r\n\r\n${EVIL}`, ""],
  ["a Content-Length that is negative", `${head}content-length: -1\r\n\r\n${EVIL}`, "malformed"],
  ["a Content-Length in hex", `${head}content-length: 0x2\r\n\r\nok${EVIL}`, "malformed"],
  ["a Content-Length with a sign", `${head}content-length: +2\r\n\r\nok${EVIL}`, "malformed"],
  ["a Content-Length that is two", `${head}content-length: 2, 2\r\n\r\nok${EVIL}`, "malformed"],
  [
    "a length of a chunk that overflows",
    `${head}transfer-encoding: chunked\r\n\r\nfffffffffffffffff2\r\nok\r\n0\r\n\r\n`,
    "malformed",
  ],
  [
    "a chunk that is longer than it says",
    `${head}transfer-encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n${EVIL}`,
    "malformed",
  ],
  ["a space before the colon", `${head}content-length : 2\r\n\r\nok${EVIL}`, "malformed"],
  ["a folded header", `${head}x: a\r\n content-length: 2\r\n\r\nok${EVIL}`, "malformed"],
  ["a header line that ends in CR alone", `${head}x: a\rcontent-length: 2\r\n\r\nok${EVIL}`, "malformed"],
];

describe("the next answer is the next request's after", () => {
  test.each(cases)("%s", async (_title, bytes, want) => {
    await serveScript((socket) => socket.write(bytes, "latin1"));
    const first = await ask("/bad").catch((error: { code?: string }) => error.code);
    expect(first).toBe(want === "malformed" ? "UPSTREAM_MALFORMED" : want);
    for (let times = 0; times < 3; times += 1) expect(await ask("/good")).toBe("good");
  });

  test("an answer that comes while nobody asks", async () => {
    await serveScript((socket) => {
      socket.write(answer("ok"));
      setTimeout(() => socket.write(EVIL), 20);
    });
    expect(await ask("/bad")).toBe("ok");
    await until(() => served.sockets.open === 0);
    expect(await ask("/good")).toBe("good");
  });

  test("an answer to a HEAD that has a body", async () => {
    await serveScript((socket) => socket.write(answer("ok") + EVIL));
    expect(await ask("/bad", { method: "HEAD" })).toBe("");
    expect(await ask("/good")).toBe("good");
  });
});

test("informational answers without an end are ended by the time limit", async () => {
  await serveScript((socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(100)), 1);
    socket.once("close", () => clearInterval(timer));
  });
  const before = process.memoryUsage().rss;
  const reason = new Error("enough");
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), 300);
  await expect(ask("/bad", { signal: stop.signal })).rejects.toBe(reason);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  await until(() => served.sockets.open === 0);
  expect(await ask("/good")).toBe("good");
});
