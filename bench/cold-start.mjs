// Cold start over stdio, from spawn to the first tools/list answered: vitrine beside a bare, unbundled SDK v2 server, in turns.
// node bench/cold-start.mjs [ROUNDS] [CURATION]      prints Markdown; run `npm run build` before.
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const rounds = Number(process.argv[2] ?? 9);
const curation = process.argv[3] ?? here("../curation/ledger.yaml");
const env = {
  LEDGER_URL: "http://127.0.0.1:9",
  LEDGER_KEY: "unused",
  PDNS_URL: "http://127.0.0.1:9",
  PDNS_KEY: "unused",
  ...process.env,
};

const servers = [
  { name: "bare SDK v2, one tool, unbundled", args: [here("bare-server.mjs")], ms: [] },
  { name: "vitrine serve, toolset cached", args: [here("../dist/vitrine.js"), "serve", curation], ms: [] },
];

const MESSAGES = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

// The first run of each fills caches and is not counted.
for (const { args } of servers) await coldStart(args);
for (let round = 0; round < rounds; round += 1)
  for (const server of servers) server.ms.push(await coldStart(server.args));

const [bare] = servers;
console.log(`Cold start, ${rounds} rounds in turns, Node ${process.versions.node}\n`);
console.log("| server | median ms | min ms | ratio of medians |\n|---|---:|---:|---:|");
for (const { name, ms } of servers) {
  const ratio = (median(ms) / median(bare.ms)).toFixed(2);
  console.log(`| ${name} | ${median(ms).toFixed(0)} | ${Math.min(...ms).toFixed(0)} | ${ratio} |`);
}

function coldStart(args) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    let took;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (JSON.parse(line).id !== 2) return;
      took = performance.now() - begin;
      child.stdin.end();
    });
    child.on("exit", (code) =>
      took === undefined ? reject(new Error(`${args[0]} exited with ${code}`)) : resolve(took),
    );
    for (const message of MESSAGES) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  });
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
