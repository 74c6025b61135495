// What every benchmark shares: a server started over stdio and timed to its answers, servers in turns, medians, Markdown.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A path beside this file. */
export const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// What the curations read; nothing is sent to any of these.
const SETTINGS = Object.fromEntries(
  ["LEDGER", "GITHUB", "GRAPH", "DIGITALOCEAN", "ITEMS"].flatMap((name) => [
    [`${name}_URL`, "http://127.0.0.1:9"],
    [`${name}_KEY`, "unused"],
    [`${name}_TOKEN`, "unused"],
  ]),
);

/** The least that the SDK v2 serves, unbundled; it reads and parses a JSON file first where one is given. */
export function bareServer(name, ...file) {
  return { name, args: [here("bare-server.mjs"), ...file], cache: "none" };
}

/**
 * `cache` is "warm", or "cold": then each start compiles, and writes the cache that the next one does not see; or "edited": then each start compiles, as
 * after an edit of the curation, and finds in the cache what V8 compiled of the program.
 */
export function vitrineServer(name, cache, ...args) {
  return { name, args: [here("../dist/vitrine.js"), "serve", ...args], cache };
}

/** Starts the servers in turns, `rounds` times after one round that is not counted. One list of runs for each server. */
export async function measureStarts(servers, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const runs = servers.map(() => []);
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, server] of servers.entries()) {
        const { cache } = server;
        const home = join(folder, cache === "cold" ? `${at}-${round}` : `${at}`);
        if (cache === "edited") forgetToolsets(join(home, "vitrine"));
        const run = await startOnce(server, { XDG_CACHE_HOME: home });
        const files = cache === "none" ? undefined : filesOf(home);
        if (round > 0) runs[at].push({ ...run, files });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return runs;
}

function forgetToolsets(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.endsWith(".toolset"))) rmSync(join(folder, name));
}

/** How many files the toolset was made from that a start left in its cache. A start that left none measured something else. */
function filesOf(home) {
  const folder = join(home, "vitrine");
  const entry = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".toolset"));
  if (!entry) throw new Error("A start wrote no toolset to its cache.");
  const text = readFileSync(join(folder, entry), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"))).files.length;
}

/** `ms` from the spawn until tools/list is answered; of the processor `spent` until then, in ms, and the most memory that was resident, in MB (Linux only). */
async function startOnce({ args, cache, stderr }, env) {
  const begin = performance.now();
  const server = openServer(args, env, stderr);
  await server.list();
  const ms = performance.now() - begin;
  const { peak, spent } = server.usage();
  // A cache is written before it ends by itself. Some peers never do.
  await (cache === "none" ? server.kill() : server.end());
  return { ms, peak, spent };
}

/** A running server: `list` initializes and lists the tools, `call` calls one, `usage` gives what it used, `end` closes stdin and waits, `kill` waits as well. */
export function openServer(args, env, stderr = "inherit") {
  const child = spawn(process.execPath, args, {
    env: { ...SETTINGS, ...process.env, ...env },
    stdio: ["pipe", "pipe", stderr],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Peers print other lines there.
    const message = line.startsWith("{") ? JSON.parse(line) : {};
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
    usage: () => usageOf(child.pid),
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
    kill: () => {
      child.kill("SIGKILL");
      return exited;
    },
  };
}

const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

function memoryOf(pid) {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? Number.NaN) / 1000;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

const TICKS_A_SECOND = 100;

/** What a process has used until now (Linux only): `spent` milliseconds of the processor; `resident` MB, and at most `peak` of them. */
export function usageOf(pid) {
  const file = `/proc/${pid}/stat`;
  const stat = existsSync(file) ? readFileSync(file, "utf8") : "";
  // The name of the program, in parentheses, may hold blanks.
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return { spent: ((Number(user) + Number(system)) * 1000) / TICKS_A_SECOND, ...memoryOf(pid) };
}

/** One row a server. A ratio is the median of those of the single rounds, against the server named by `floors`, else the first. */
export function startTable(servers, runs, floors = servers.map(() => 0)) {
  const rows = servers.map(({ name }, at) => {
    const [own, floor] = [runs[at], runs[floors[at]]];
    const over = (key) => median(own.map((run, round) => run[key] / floor[round][key])).toFixed(2);
    const [ms, peak] = ["ms", "peak"].map((key) => median(own.map((run) => run[key])).toFixed(0));
    const against = floors[at] === at ? "floor" : `row ${floors[at] + 1}`;
    return [name, ms, peak, against, over("ms"), over("spent"), over("peak")];
  });
  return table(["server", "ms", "peak MB", "against", "time", "CPU", "memory"], rows);
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

const RESAMPLES = 1_000;

/** Between what 95 % of the medians, or of whatever `of` makes, of samples drawn from these lie. */
export function bounds(found, of = median) {
  const drawn = Array.from({ length: RESAMPLES }, () =>
    of(found.map(() => found[Math.floor(Math.random() * found.length)])),
  );
  return [quantile(drawn, 0.025), quantile(drawn, 0.975)];
}

export function shuffle(list) {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
  }
  return mixed;
}

/** Whoever is interrupted finds its caches cold, so what else runs here should wait, where that may be asked for. */
export function preferAll(...pids) {
  try {
    for (const pid of pids) setPriority(pid, -19);
  } catch {}
}

/** Runs a benchmark on its own: node bench/NAME.mjs [ROUNDS] [what it takes]. */
export async function runAlone(url, bench) {
  const [, script, rounds = 9, ...rest] = process.argv;
  if (script === fileURLToPath(url)) console.log(await bench(Number(rounds), ...rest));
}
