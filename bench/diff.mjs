// `vitrine diff` over two versions of a published document, under a curation that is shipped: from spawn to exit, nothing cached. The other version is
// made by the overlay of a real changelog, as in test/stories/histories.test.ts.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { build } from "esbuild";
import { here, median, runAlone, table } from "./measure.mjs";

const HISTORIES = [
  {
    title: "Stripe, 2.5 MB, to 2025-03-31.basil",
    curation: "stripe",
    overlay: "stripe-basil",
    spec: "../specs/stripe.json",
  },
  {
    title: "GitHub, 13 MB, to 2026-03-10",
    curation: "github",
    overlay: "github-2026-03-10",
    spec: "../../shared/specs/github-3.0/api.github.com.json",
  },
  {
    title: "GitHub, 13 MB, back to 2020-11",
    curation: "github",
    overlay: "github-2020-11",
    spec: "../../shared/specs/github-3.0/api.github.com.json",
  },
];

const TARGET =
  "Target: under 2,000 ms on a machine that does nothing else. On a busy one see the CPU ms, of all threads, which hardly depend on that.";

export async function diff(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  try {
    const applyOverlays = await bundleOverlays();
    const rows = [];
    for (const [at, history] of HISTORIES.entries()) {
      if (!existsSync(here(history.spec))) {
        console.error(`SKIPPED: ${history.spec} is not here.`);
        continue;
      }
      const sides = await writeSides(join(folder, `${at}`), history, applyOverlays);
      const runs = [];
      for (let round = 0; round <= rounds; round += 1) {
        const run = await diffOnce(sides);
        if (round > 0) runs.push(run);
      }
      const [ms, cpu] = ["ms", "cpu"].map((key) => median(runs.map((run) => run[key])).toFixed(0));
      rows.push([history.title, ms, cpu, runs[0].findings]);
    }
    return `## Diff of two versions\n\n${table(["history", "ms", "CPU ms", "findings"], rows)}\n\n${TARGET}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Our own reader of overlays is TypeScript, which Node does not read by itself on our floor. */
async function bundleOverlays() {
  const outfile = here("../node_modules/.cache/vitrine-bench/apply-overlays.mjs");
  mkdirSync(here("../node_modules/.cache/vitrine-bench"), { recursive: true });
  const entryPoints = [here("../src/spec/overlay/apply-overlays.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  return (await import(outfile)).applyOverlays;
}

/** The curation with either version of its document, in two folders. */
async function writeSides(folder, { curation, overlay, spec }, applyOverlays) {
  const text = readFileSync(here(`../curation/${curation}.yaml`), "utf8");
  const document = JSON.parse(readFileSync(here(spec), "utf8"));
  const overlays = [here(`../test/fixtures/histories/${overlay}.overlay.yaml`)];
  const { root } = await applyOverlays(document, here(spec), overlays, undefined);
  return ["base", "head"].map((side) => {
    for (const name of ["specs", "curation"]) mkdirSync(join(folder, side, name), { recursive: true });
    const file = join(folder, side, "specs/spec.json");
    if (side === "base") cpSync(here(spec), file);
    else writeFileSync(file, JSON.stringify(root, null, 2), { mode: 0o644 });
    const path = join(folder, side, `curation/${curation}.yaml`);
    writeFileSync(path, text.replace(/^ {2}spec: .*$/m, "  spec: ../specs/spec.json"));
    return path;
  });
}

// Of a machine that does other things as well the processor's time says more than the clock's.
const TELL_CPU = `data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(\`\\ncpu \${user+system}\`)})`;

async function diffOnce(sides) {
  const args = ["--import", TELL_CPU, here("../dist/vitrine.js"), "diff", ...sides, "--format", "json"];
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const ms = performance.now() - begin;
  if (code !== 0 && code !== 1) throw new Error(`vitrine diff ${sides.join(" ")} exited with ${code}: ${err}`);
  return { ms, cpu: Number(/cpu (\d+)$/.exec(err)?.[1]) / 1000, findings: JSON.parse(out).length };
}

await runAlone(import.meta.url, diff);
