// A host of many curations, each with a key of its own.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ITEMS } from "./compare-calls.mjs";

const SERVED = {
  curation: "./items.yaml",
  root: ".",
  env: ["ITEMS_URL", "ITEMS_TOKEN"],
  allowPrivate: ["127.0.0.0/8"],
};

/** So many keys, as `{ key, entry }`, the entry as a line of a host file. */
export function makeKeys(dist, count) {
  return Array.from({ length: count }, (_, at) => {
    const args = [join(dist, "vitrine.js"), "key", "new", nameAt(at)];
    const lines = execFileSync(process.execPath, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trimEnd();
    return { key: lines.slice(0, lines.indexOf("\n")), entry: lines.slice(lines.lastIndexOf("\n") + 1) };
  });
}

/** Writes a host of so many curations into a folder of its own. Gives the server, and its targets with a key each. */
export function writeManyServers(folder, dist, keys, count) {
  const home = join(folder, `host-${count}`);
  mkdirSync(home);
  for (const name of ["items.yaml", "items.openapi.yaml"]) copyFileSync(join(ITEMS.root, name), join(home, name));
  const names = Array.from({ length: count }, (_, at) => nameAt(at));
  const servers = names.map((name) => `  ${name}: ${JSON.stringify(SERVED)}\n`);
  const entries = keys.slice(0, count).map(({ entry }) => `${entry}\n`);
  const file = join(home, "host.yaml");
  writeFileSync(
    file,
    `listen: 127.0.0.1:0\npublicUrl: http://127.0.0.1\nservers:\n${servers.join("")}keys:\n${entries.join("")}`,
  );
  return {
    server: { kind: "host", name: `${count}`, args: [join(dist, "vitrine.js"), "host", file] },
    targets: names.map((name, at) => ({ path: `/mcp/${name}`, headers: { authorization: `Bearer ${keys[at].key}` } })),
  };
}

function nameAt(at) {
  return `items-${at}`;
}
