// What every benchmark shares: a server started over stdio and timed to its answers, servers in turns, medians, Markdown.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A path beside this file. */
export const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// What the curations read; nothing is sent to any of these.
const SETTINGS = Object.fromEntries(
  ["LEDGER", "GITHUB", "GRAPH", "DIGITALOCEAN"].flatMap((name) => [
    [`${name}_URL`, "http://127.0.0.1:9"],
    [`${name}_KEY`, "unused"],
    [`${name}_TOKEN`, "unused"],
  ]),
);

/** The least that the SDK v2 serves, unbundled; it reads and parses a JSON file first where one is given. */
export function bareServer(name, ...file) {
  return { name, args: [here("bare-server.mjs"), ...file], cache: "none" };
}

/** `cache` is "warm", or "cold": then each start compiles, and writes the cache that the next one does not see. */
export function vitrineServer(name, cache, ...args) {
  return { name, args: [here("../dist/vitrine.js"), "serve", ...args], cache };
}

/** Starts the servers in turns, `rounds` times after one round that is not counted. One list of runs for each server. */
export async function measureStarts(servers, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const runs = servers.map(() => []);
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, { args, cache }] of servers.entries()) {
        const home = join(folder, cache === "cold" ? `${at}-${round}` : `${at}`);
        const run = await startOnce(args, { XDG_CACHE_HOME: home });
        const files = cache === "none" ? undefined : filesOf(home);
        if (round > 0) runs[at].push({ ...run, files });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return runs;
}

/** How many files the toolset was made from that a start left in its cache. A start that left none measured something else. */
function filesOf(home) {
  const folder = join(home, "vitrine");
  const entry = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".toolset"));
  if (!entry) throw new Error("A start wrote no toolset to its cache.");
  return JSON.parse(readFileSync(join(folder, entry), "utf8").split("\n")[1]).files.length;
}

/** `ms` from the spawn until tools/list is answered, and the most memory that was resident until then (Linux only), in MB. */
async function startOnce(args, env) {
  const begin = performance.now();
  const server = openServer(args, env);
  await server.list();
  const ms = performance.now() - begin;
  const peak = peakOf(server.pid);
  await server.end();
  return { ms, peak };
}

/** A running server: `list` initializes and lists the tools, `call` calls one, `end` closes stdin and waits. */
export function openServer(args, env) {
  const child = spawn(process.execPath, args, {
    env: { ...SETTINGS, ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answer = (id) => {
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    const failed = exited.then((code) => {
      throw new Error(`${args.join(" ")} exited with ${code}.`);
    });
    return Promise.race([answered, failed]);
  };
  let last = 2;
  return {
    pid: child.pid,
    // All at once, so that no round trip of ours is counted.
    list: () => {
      send({ id: 1, method: "initialize", params: INITIALIZE });
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list" });
      return answer(2);
    },
    call: (name, args_) => {
      last += 1;
      send({ id: last, method: "tools/call", params: { name, arguments: args_ } });
      return answer(last);
    },
    end: () => {
      child.stdin.end();
      return exited;
    },
  };
}

const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

function peakOf(pid) {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1000;
}

/** One row a server. A ratio is the median of those of the single rounds, against the server named by `floors`, else the first. */
export function startTable(servers, runs, floors = servers.map(() => 0)) {
  const rows = servers.map(({ name }, at) => {
    const [own, floor] = [runs[at], runs[floors[at]]];
    const over = (key) => median(own.map((run, round) => run[key] / floor[round][key])).toFixed(2);
    const [ms, peak] = ["ms", "peak"].map((key) => median(own.map((run) => run[key])).toFixed(0));
    const against = floors[at] === at ? "floor" : `row ${floors[at] + 1}`;
    return [name, ms, peak, against, over("ms"), over("peak")];
  });
  return table(["server", "ms", "peak MB", "against", "time", "memory"], rows);
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function quantile(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}

/** Runs a benchmark on its own: node bench/NAME.mjs [ROUNDS] [what it takes]. */
export async function runAlone(url, bench) {
  const [, script, rounds = 9, ...rest] = process.argv;
  if (script === fileURLToPath(url)) console.log(await bench(Number(rounds), ...rest));
}
