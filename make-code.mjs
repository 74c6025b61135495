// Lets the built program serve and draft, and keeps what V8 compiled of its scripts beside them: a first start on the same Node compiles nothing.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));

// Of YAML and of JSON, with most of what a curation can say.
const SERVED = ["ledger", "stripe"];
const SETTINGS = ["LEDGER_URL", "LEDGER_KEY", "STRIPE_URL", "STRIPE_KEY"].map((name) => [name, "http://127.0.0.1:9"]);

const DRAFTED = ["powerdns.yaml", "stripe.json"];

const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1" } };
const ASKED = [
  { id: 1, method: "initialize", params: CLIENT },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];
const INPUT = ASKED.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");

/** One run takes half a second on an idle machine. */
const LATEST_MS = 60_000;

/** `scripts` are the names of those in the folder `dist`. src/cli/start/shipped-code.ts finds what was made of them. */
export function makeCode(dist, scripts) {
  const node = [process.version, process.versions.v8, process.platform, process.arch].join("-");
  const folder = join(dist, "code", node);
  rmSync(join(dist, "code"), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const keep = (made) => copyCode(made, folder, scripts);
  for (const name of DRAFTED) runOnce(dist, ["draft", join(root, "specs", name)], "\ntools:", keep);
  for (const name of SERVED) runOnce(dist, ["serve", join(root, "curation", `${name}.yaml`)], '"tools":[', keep);
}

/** With caches of its own, so that it finds what was made before, and keeps that and what it has compiled itself. */
function runOnce(dist, args, said, use) {
  const home = mkdtempSync(join(tmpdir(), "vitrine-build-"));
  try {
    // Neither flags nor coverage of whoever builds: V8 takes code under the same flags alone.
    const env = { ...Object.fromEntries(SETTINGS), PATH: process.env.PATH, XDG_CACHE_HOME: home };
    const options = { env, input: INPUT, encoding: "utf8", timeout: LATEST_MS };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, "vitrine.js"), ...args], options);
    if (status !== 0 || !stdout.includes(said))
      throw new Error(`The built program does not run ${args.join(" ")}:\n${stderr}`);
    use(join(home, "vitrine"));
  } finally {
    rmSync(home, { recursive: true });
  }
}

function copyCode(from, to, scripts) {
  for (const name of readdirSync(from).filter((one) => one.endsWith(".code"))) {
    const path = join(to, `${scripts.find((one) => name.startsWith(one))}.code`);
    copyFileSync(join(from, name), path);
    // In the cache it is its owner's alone.
    chmodSync(path, 0o644);
  }
}
