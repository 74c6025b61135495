// What a call and the list cost by how many tools a server has, and a call by how many curations a host serves.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callsTable, METHOD } from "./calls/calls-table.mjs";
import { envOf } from "./calls/compare-calls.mjs";
import { connect } from "./calls/connect.mjs";
import { makeKeys, writeManyServers } from "./calls/many-servers.mjs";
import { toolAt, writeManyTools } from "./calls/many-tools.mjs";
import { measureBlocks } from "./calls/measure-blocks.mjs";
import { ERAS } from "./calls/messages.mjs";
import { openServer, openUpstream } from "./calls/open-server.mjs";
import { withServers } from "./calls/servers.mjs";
import { here, preferAll, runAlone, usageOf } from "./measure.mjs";

const ROUNDS = 2;
const WARM_UP = 8;
const TOOLS = [10, 100, 1000];
const CURATIONS = [1, 4, 16, 64];
/** Lists of a block, by how many tools are on it. */
const LISTS = new Map([
  [10, 256],
  [100, 128],
  [1000, 48],
]);
const CALLED = { calls: 256, atOnce: 32, method: "tools/call" };
const LISTED = { way: "http", atOnce: 8, method: "tools/list", params: {}, expect: "items_list_of_kind_9" };

export function growth(rounds) {
  return withServers({}, async (built) => {
    const upstream = await openUpstream();
    preferAll(process.pid, upstream.pid);
    const opened = [];
    const open = async (server) => {
      const one = await openServer(server, "http", { env: envOf(upstream.url, built.home) });
      opened.push(one);
      preferAll(one.pid);
      return one;
    };
    try {
      const times = { warmUp: WARM_UP, rounds: rounds * ROUNDS };
      return [await byCurations(built, open, times), await byTools(built, open, times)].join("\n\n");
    } finally {
      for (const server of opened) await server.close();
      upstream.close();
    }
  });
}

async function byTools({ serversOf, folder }, open, times) {
  const served = [];
  for (const count of TOOLS) {
    const vitrine = serversOf("http", writeManyTools(folder, count)).find(({ kind }) => kind === "vitrine");
    served.push({ count, server: await open(vitrine) });
  }
  const called = served.flatMap(({ count, server }) =>
    ERAS.map((era) => {
      const params = { name: toolAt(count / 2), arguments: { status: "all" } };
      return { ...CALLED, way: "http", era, server, count, params, expect: "Item 11 of" };
    }),
  );
  const listed = [];
  for (const { count, server } of served) {
    for (const era of ERAS) {
      const list = { ...LISTED, era, count, calls: LISTS.get(count) };
      const sender = await copyList(server, era, join(folder, `list-${count}-${era}`));
      listed.push({ ...list, name: "the bytes from memory", server: await open(sender) });
      listed.push({ ...list, name: "vitrine", server });
    }
  }
  const calls = await measureBlocks(called, times);
  const lists = await measureBlocks(listed, times);
  const callRows = called.map(({ era, count }, at) => ({
    cells: [count, era],
    blocks: calls[at],
    floor: calls[ERAS.indexOf(era)],
  }));
  const listRows = listed.map(({ era, count, name }, at) => ({
    cells: [count, era, name],
    blocks: lists[at],
    // Every second is of the bytes from memory.
    floor: lists[at - (at % 2)],
  }));
  return `## Growth: tools\n\n${METHOD} Over HTTP; calls 32 at once, lists 8.\n\n${callsTable(["tools/call, of tools", "era"], callRows)}

Target: 1,000 tools within 1.1 of 10.\n\n${callsTable(["tools/list, of tools", "era", "server"], listRows)}

Target: within 1.3 of sending the same bytes from memory.`;
}

/** A server that sends the same bytes as this one does for its list. */
async function copyList(server, era, file) {
  const client = await connect(server, "http", era, 1);
  const text = await client.ask("tools/list", {});
  await client.close();
  writeFileSync(file, text);
  const type = text.startsWith("{") ? "application/json" : "text/event-stream";
  return { name: "memory", args: [here("calls/memory-http.mjs"), file, type] };
}

async function byCurations({ dist, folder }, open, times) {
  const keys = makeKeys(dist, Math.max(...CURATIONS));
  const scenes = [];
  for (const count of CURATIONS) {
    const { server, targets } = writeManyServers(folder, dist, keys, count);
    const host = { ...(await open(server)), targets };
    const params = { name: "items_list_items", arguments: {} };
    scenes.push({ ...CALLED, atOnce: 8, way: "http", era: ERAS[1], server: host, count, params, expect: "Item 11 of" });
  }
  const runs = await measureBlocks(scenes, times);
  const rows = scenes.map(({ server, count }, at) => ({
    cells: [count, usageOf(server.pid).resident.toFixed(0)],
    blocks: runs[at],
    floor: runs[0],
  }));
  return `## Growth: hosted curations\n\n${METHOD} One host, 8 calls at once, which go to its curations in turn, each with a key of its own; memory is what is
resident after them.\n\n${callsTable(["curations", "resident, MB"], rows)}`;
}

await runAlone(import.meta.url, growth);
