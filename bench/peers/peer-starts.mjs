// How long peers take from start to tools/list, and what their lists weigh.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { envOf, ITEMS } from "../calls/compare-calls.mjs";
import { bareServer, here, measureStarts, median, table } from "../measure.mjs";
import { countList } from "./count-list.mjs";
import { peerServers } from "./peer-servers.mjs";
import { sayFailure } from "./say-failure.mjs";

const GITHUB = here("../../shared/specs/github-3.0/api.github.com.json");
const BOX = here("../../shared/specs/box/openapi.json");

/** Those that are not here are left out. `small` is a document that a peer can serve whole. */
export async function peerStarts(folder, { dist, home }, { small, url, rounds }) {
  const program = join(dist, "vitrine.js");
  const vitrine = (name, ...args) => ({ name, args: [program, "serve", ...args], cache: "warm" });
  // Without a curation it keeps no cache.
  const explore = (spec, title) => {
    const base = title === "small" ? [] : ["--base-url", "https://api.example.com"];
    return { ...vitrine("vitrine, 3 tools that explore", "--spec", spec, ...base), cache: "none" };
  };
  const curated = {
    small: vitrine("vitrine, curated", ITEMS.file, "--root", ITEMS.root),
    GitHub: vitrine("vitrine, curated", here("github.yaml"), "--root", here("../..")),
  };
  const rows = [];
  const documents = Object.entries({ small, Box: BOX, GitHub: GITHUB }).filter(([, spec]) => existsSync(spec));
  for (const [title, spec] of documents) {
    const servers = [
      bareServer("bare SDK v2, one tool"),
      ...(curated[title] ? [curated[title]] : []),
      explore(spec, title),
      ...peerServers(folder, { spec, url }).map((peer) => ({ ...peer, cache: "none", stderr: "ignore" })),
    ];
    rows.push(...(await rowsOfStarts(title, servers, { home, url, rounds })));
  }
  const head = ["document", "server", "tools", "bytes of the list", "tokens", "ms", "ratio", "peak MB", "ratio"];
  return `## Peers: from start to tools/list\n\nOver stdio, as in the tables above; those that keep a cache have it. Ratios are to the bare server. Lists are compact JSON, tokens are o200k.
The documents: small has 4 operations, Box 296 in 1.8 MB, GitHub 1,223 in 13 MB.\n\n${table(head, rows)}`;
}

async function rowsOfStarts(title, servers, { home, url, rounds }) {
  const able = [];
  const rows = [];
  for (const server of servers) {
    try {
      const args = typeof server.args === "function" ? server.args() : server.args;
      const list = await countList({ args, env: envOf(url, home) });
      able.push({ ...server, args, list });
    } catch (error) {
      rows.push([title, server.name, `fails: ${sayFailure(error)}`, ...Array(6).fill("")]);
    }
  }
  const runs = await measureStarts(able, rounds);
  const measured = able.map(({ name, list }, at) => {
    const ratio = (key) => median(runs[at].map((run, round) => run[key] / runs[0][round][key])).toFixed(2);
    const middle = (key) => median(runs[at].map((run) => run[key])).toFixed(0);
    const weight = [list.tools, list.bytes, list.tokens].map((number) => number.toLocaleString("en"));
    return [title, name, ...weight, middle("ms"), ratio("ms"), middle("peak"), ratio("peak")];
  });
  return [...measured, ...rows];
}
