// The same tools/call of several servers, over each way of a list of them.
import { mkdirSync } from "node:fs";
import { preferAll } from "../measure.mjs";
import { callsTable } from "./calls-table.mjs";
import { measureBlocks } from "./measure-blocks.mjs";
import { openServer, openUpstream } from "./open-server.mjs";
import { withServers } from "./servers.mjs";

/** A server that all others are measured against. */
const FLOOR = "bare";
const EXAMPLES = new URL("./", import.meta.url).pathname;

export const ITEMS = { file: `${EXAMPLES}items.yaml`, root: EXAMPLES };

/**
 * A table of `call`, `{ tool, input, expect, curation }`, in the `groups` `{ way, era, atOnce, calls }`, by servers of these `kinds`. `options` are those of the
 * command line: see calls.mjs.
 */
export function compareCalls(call, { groups, kinds, rounds, warmUp, options = {} }) {
  const { only, against, profile, into } = options;
  if (into !== undefined) mkdirSync(into, { recursive: true });
  const wanted = groups
    .map((group) => ({ ...group, title: `${group.way} ${group.era} ${group.atOnce}` }))
    .filter(({ title }) => only === undefined || only.split(",").some((text) => title.includes(text.trim())));
  const isMeasured = ({ kind }) =>
    profile === undefined ? kinds.includes(kind) || kind === "vitrine-other" : kind.startsWith(profile);
  return withServers({ against }, async ({ serversOf, home }) => {
    const upstream = await openUpstream();
    const env = envOf(upstream.url, home);
    const opened = new Map();
    const open = async (way, era, server) => {
      // Over stdio a process serves one client.
      const key = `${way} ${way === "stdio" ? era : ""} ${server.name}`;
      if (!opened.has(key)) opened.set(key, await openServer(server, way, { env, profile: into }));
      return opened.get(key);
    };
    const params = { name: call.tool, arguments: call.input };
    const scenes = [];
    for (const group of wanted) {
      for (const server of serversOf(group.way, call.curation).filter(isMeasured)) {
        const asked = { method: "tools/call", params, expect: call.expect };
        scenes.push({ ...group, ...asked, kind: server.kind, server: await open(group.way, group.era, server) });
      }
    }
    preferAll(process.pid, upstream.pid, ...[...opened.values()].map(({ pid }) => pid));
    try {
      const runs = await measureBlocks(scenes, { warmUp, rounds });
      return callsTable(["over", "era", "at once", "server"], rowsOf(scenes, runs));
    } finally {
      for (const server of opened.values()) await server.close();
      upstream.close();
    }
  });
}

/** What the curations and the other servers read. */
export function envOf(url, home) {
  const names = ["ITEMS_URL", "LEDGER_URL", "UPSTREAM_URL"];
  const urls = Object.fromEntries(names.map((name) => [name, url]));
  return { ...urls, ITEMS_TOKEN: "unused", LEDGER_KEY: "unused", XDG_CACHE_HOME: home };
}

/** Without the floor, against the first of the same group. */
function rowsOf(scenes, runs) {
  return scenes.map(({ way, era, atOnce, title, server }, at) => {
    const floor = scenes.findIndex((scene) => scene.title === title && scene.kind === FLOOR);
    const first = scenes.findIndex((scene) => scene.title === title);
    return { cells: [way, era, atOnce, server.name], blocks: runs[at], floor: runs[floor < 0 ? first : floor] };
  });
}
