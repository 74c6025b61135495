// Other servers that make tools of an OpenAPI document: how long they take to list them, what the list weighs, and what a call costs.
// node bench/peers.mjs [ROUNDS] [starts|calls]
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { ITEMS } from "./calls/compare-calls.mjs";
import { openUpstream } from "./calls/open-server.mjs";
import { withServers } from "./calls/servers.mjs";
import { runAlone } from "./measure.mjs";
import { installPeers } from "./peers/install-peers.mjs";
import { peerCalls } from "./peers/peer-calls.mjs";
import { peerStarts } from "./peers/peer-starts.mjs";

/** A start takes up to five seconds. */
const MOST_STARTS = 5;
/** Of each round of a bench so many are made of calls. */
const ROUNDS = 2;

/** `part`: only "starts" or "calls". */
export function peers(rounds, part = "") {
  const folder = installPeers();
  return withServers({}, async (built) => {
    const upstream = await openUpstream();
    const spec = writeSmall(built.folder, upstream.url);
    const starting = { small: spec, url: upstream.url, rounds: Math.min(rounds, MOST_STARTS) };
    const calling = { spec, upstream, rounds: rounds * ROUNDS };
    try {
      return [
        ...(part === "calls" ? [] : [await peerStarts(folder, built, starting)]),
        ...(part === "starts" ? [] : [await peerCalls(folder, built, calling)]),
      ].join("\n\n");
    } finally {
      upstream.close();
      for (const name of readdirSync(folder).filter((name) => name.startsWith("generated-")))
        rmSync(join(folder, name), { recursive: true });
    }
  });
}

/** The API of the benches as JSON, without a scheme, and with `servers` wherever a peer looks for them. */
function writeSmall(folder, url) {
  const { security: _, ...spec } = load(readFileSync(join(ITEMS.root, "items.openapi.yaml"), "utf8"));
  const servers = [{ url }];
  const paths = Object.fromEntries(Object.entries(spec.paths).map(([path, item]) => [path, { ...item, servers }]));
  const file = join(folder, "items.json");
  writeFileSync(file, JSON.stringify({ ...spec, servers, paths }));
  return file;
}

await runAlone(import.meta.url, peers);
