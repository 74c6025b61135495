// A client and the upstream behind the server that it calls, as light as they can be: prepared bytes go out, and what comes is looked at for its end only.
// Memory for what they allocate in a block is there from the start, so that no garbage is collected within one. Says its upstream's port to its parent, is
// told of blocks, and answers with the time of each call in milliseconds.
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { headersOf, messageOf } from "../calls/messages.mjs";

const TOOL = "ledger_list_tenants";
const LAST = "Tenant 11";
const END_OF_HEAD = Buffer.from("\r\n\r\n");
const END_OF_CHUNKS = Buffer.from("0\r\n\r\n");

const TENANTS = Array.from({ length: 12 }, (_, at) => ({
  id: `t-${at}`,
  name: `Tenant ${at} of the ledger`,
  currencies: ["USD"],
  hasBillingData: true,
}));
const BODY = JSON.stringify({ tenants: TENANTS });
const REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);

/** A request without a body is one piece. */
const upstream = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on("data", (bytes) => {
    if (bytes.indexOf(END_OF_HEAD) >= 0) socket.write(REPLY);
  });
  socket.on("error", () => {});
});

function requestOf({ host, pathname }, era) {
  const params = { name: TOOL, arguments: {} };
  const body = messageOf(era, 1, "tools/call", params);
  const headers = { host, ...headersOf(era, "tools/call", params), "content-length": body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** A connection that is open: `call` gives how long one took. */
async function openClient(url, era) {
  const { hostname, port } = url;
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const request = requestOf(url, era);
  let [begun, tell, fail, came] = [0, () => {}, () => {}, []];
  socket.on("data", (bytes) => {
    const ms = performance.now() - begun;
    came.push(bytes);
    if (!bytes.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)) return;
    const text = came.join("");
    came = [];
    if (text.startsWith("HTTP/1.1 200") && text.includes(LAST)) tell(ms);
    else fail(new Error(`The call failed: ${text}`));
  });
  return {
    call: () =>
      new Promise((resolve, reject) => {
        [tell, fail] = [resolve, reject];
        begun = performance.now();
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** So many calls, `atOnce` under way. A file that is to be `removed` is so in the midst of them. */
async function callBlock({ url, era, calls, atOnce, removed }) {
  const times = new Float64Array(calls);
  const clients = await Promise.all(Array.from({ length: atOnce }, () => openClient(new URL(url), era)));
  for (const client of clients) await client.call();
  globalThis.gc();
  let at = 0;
  await Promise.all(
    clients.map(async ({ call }) => {
      while (at < calls) {
        const own = at++;
        if (removed !== undefined && own === calls / 2) rmSync(removed, { force: true });
        times[own] = await call();
      }
    }),
  );
  for (const { close } of clients) close();
  return times;
}

process.on("message", async (block) => process.send(await callBlock(block)));
process.on("disconnect", () => process.exit());
upstream.listen(0, "127.0.0.1", () => process.send(upstream.address().port));
