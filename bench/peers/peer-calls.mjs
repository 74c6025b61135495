// What a call costs a peer, over stdio and HTTP, where it can be called.
import { createServer } from "node:net";
import { callsTable, METHOD } from "../calls/calls-table.mjs";
import { envOf, ITEMS } from "../calls/compare-calls.mjs";
import { connect } from "../calls/connect.mjs";
import { measureBlocks } from "../calls/measure-blocks.mjs";
import { openServer } from "../calls/open-server.mjs";
import { preferAll } from "../measure.mjs";
import { countList, countTokens } from "./count-list.mjs";
import { itemsTool, openSession, waitForPort } from "./open-session.mjs";
import { peerServers } from "./peer-servers.mjs";
import { sayFailure } from "./say-failure.mjs";

const WARM_UP = 10;
const ERA = "2025-11-25";
const SIZES = [
  { atOnce: 1, calls: 64 },
  { atOnce: 32, calls: 192 },
];
const EXPECT = "Item 11 of";

/** `spec` is a document of the API that the upstream is. */
export async function peerCalls(folder, { serversOf, home }, { spec, upstream, rounds }) {
  const env = envOf(upstream.url, home);
  const scenes = [];
  const failed = [];
  const opened = [];
  const add = async (way, server, find) => {
    try {
      const args = typeof server.args === "function" ? server.args() : server.args;
      const one = await openServer({ ...server, args }, way, { env });
      opened.push(one);
      const { name, headers } = await find(one);
      if (headers !== undefined) one.targets = [{ path: new URL(one.url).pathname, headers }];
      const tokens = await weighReply(one, way, name);
      for (const size of SIZES) {
        const params = { name, arguments: {} };
        scenes.push({ ...size, tokens, way, era: ERA, server: one, method: "tools/call", params, expect: EXPECT });
      }
    } catch (error) {
      failed.push(`- ${server.name} over ${way}: ${sayFailure(error)}`);
    }
  };
  try {
    for (const way of ["stdio", "http"]) {
      for (const server of serversOf(way, ITEMS).filter(({ kind }) => ["bare", "vitrine"].includes(kind)))
        await add(way, server, async () => ({ name: "items_list_items" }));
      for (const at of peerServers(folder, {}).keys()) {
        const port = way === "http" ? await freePort() : undefined;
        const peer = peerServers(folder, { spec, url: upstream.url, port })[at];
        // One speaks stdio only.
        if (peer === undefined) continue;
        const listening = (ended) => waitForPort(port, ended).then(() => `http://127.0.0.1:${port}/mcp`);
        if (way === "http") await add(way, { ...peer, listening }, ({ url }) => openSession(url, EXPECT));
        else
          await add(way, peer, async () => ({ name: itemsTool((await countList({ args: peer.args(), env })).text) }));
      }
    }
    scenes.sort((one, other) => other.way.localeCompare(one.way) || one.atOnce - other.atOnce);
    preferAll(process.pid, upstream.pid, ...opened.map(({ pid }) => pid));
    const runs = await measureBlocks(scenes, { warmUp: WARM_UP, rounds });
    const rows = scenes.map(({ way, atOnce, server, tokens }, at) => {
      const floor = scenes.findIndex((scene) => scene.way === way && scene.atOnce === atOnce);
      return { cells: [way, atOnce, server.name, tokens], blocks: runs[at], floor: runs[floor] };
    });
    return `## Peers: calls of 1 kB\n\n${METHOD} All in the way of ${ERA}, which is the peers' newest.\n\n${callsTable(["over", "at once", "server", "tokens of the reply"], rows)}

Not measured, for they do not do it:\n\n${failed.join("\n")}`;
  } finally {
    for (const server of opened) await server.close();
  }
}

/** The tokens (o200k) of the text that a model is shown. */
async function weighReply(server, way, name) {
  const client = await connect(server, way, ERA, 1);
  const reply = await client.ask("tools/call", { name, arguments: {} });
  await client.close();
  const { result } = JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  return countTokens(result.content.map(({ text }) => text).join("\n"));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
