// Time of `vitrine draft` for every published document beside what loading the document takes: whole processes of one build, both with V8's compiled code kept,
// as from the second time on that somebody drafts. Loading is reading the document and listing its operations, and is a command of that build alone.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { here, median, runAlone, table } from "./measure.mjs";

const SPECS = here("../../shared/specs");
const ROUNDS = 3;
/** In place of `vitrine schema`. */
const LOAD = `import { loadApi } from "../../spec/load-api.ts";
import { openLazyEgress } from "../toolset/lazy-egress.ts";
export const schema = {
  help: "",
  async run([spec], shell) {
    const egress = openLazyEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
    const api = await loadApi(spec, { egress });
    shell.print(String(api.index.length));
    await egress.close();
    return 0;
  },
};
`;
const TELL = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeSync(3, String((user + system) / 1000));
});`;

/** `name`: only of documents in whose name it is. */
export async function draft(rounds, name = "") {
  const title = "## Drafting a curation, beside loading its document";
  if (!existsSync(join(SPECS, "SOURCES.md"))) return `${title}\n\nSkipped: the documents were not there.`;
  const folder = openFolder();
  try {
    const measure = openMeasuring(folder);
    const rows = [];
    for (const spec of listSpecs().filter((one) => one.name.includes(name)))
      rows.push(await rowOf(spec, Math.min(rounds, ROUNDS), measure));
    const within = rows.filter((row) => Number(row.at(-1)) <= 2).length;
    return `${title}

${table(["document", "operations", "load ms", "draft ms", "load CPU ms", "draft CPU ms", "time", "CPU"], rows)}

Target: at most 2 (CPU). Within it: ${within} of ${rows.length}. Each number is the median of ${Math.min(rounds, ROUNDS)} whole processes, in turns, after one that is not counted.`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function rowOf({ name, file }, rounds, measure) {
  const runs = [];
  for (let round = 0; round <= rounds; round += 1)
    runs.push({ load: await measure("schema", file), draft: await measure("draft", file) });
  const counted = runs.slice(1);
  const of = (command, key) => median(counted.map((run) => run[command][key])).toFixed(0);
  const over = (key) => median(counted.map(({ load, draft: own }) => own[key] / load[key])).toFixed(2);
  const operations = runs[0].load.out.trim();
  return [
    name,
    operations,
    of("load", "ms"),
    of("draft", "ms"),
    of("load", "cpu"),
    of("draft", "cpu"),
    over("ms"),
    over("cpu"),
  ];
}

/** A build of a copy of the source, whose `schema` loads. */
function openFolder() {
  const cache = here("../node_modules/.cache/vitrine-bench");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "draft-"));
  const scripts = ["build.mjs", "bundle.mjs", "join-chunks.mjs", "make-code.mjs", "package.json", "package-lock.json"];
  for (const name of [...scripts, "src", "curation", "specs"])
    cpSync(here(`../${name}`), join(folder, name), { recursive: true });
  symlinkSync(here("../node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "src", "cli", "commands", "schema.ts"), LOAD);
  writeFileSync(join(folder, "tell.cjs"), TELL);
  execFileSync(process.execPath, [join(folder, "build.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

/** Runs a command in a process of its own: milliseconds until it ends, those of the processor, and what it printed. */
function openMeasuring(folder) {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, "home") };
  const program = ["--require", join(folder, "tell.cjs"), join(folder, "dist", "vitrine.js")];
  return async (command, file) => {
    const begin = performance.now();
    const child = spawn(process.execPath, [...program, command, file], {
      env,
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const texts = [1, 3].map((at) => readAll(child.stdio[at]));
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`${command} ${file} ended with ${code}.`);
    const ms = performance.now() - begin;
    const [out, cpu] = await Promise.all(texts);
    return { ms, cpu: Number(cpu), out };
  };
}

async function readAll(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

function listSpecs() {
  const list = readFileSync(join(SPECS, "SOURCES.md"), "utf8");
  const rows = list.matchAll(/^\| ([\w.-]+) \| (\S+\/\S+\.(?:json|yaml)) \|(?:[^|]*\|){6} \d+ \|/gm);
  return [...rows].map(([, name, file]) => ({ name, file: join(SPECS, file) }));
}

await runAlone(import.meta.url, draft);
