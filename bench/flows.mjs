// Flows: the calls and bytes that a task takes with vitrine's tools, beside one tool an endpoint of the same spec.
// The upstreams are those of the tests, in TypeScript, which Node does not read by itself on our floor: bundled, then run.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { build } from "esbuild";
import { here, runAlone } from "./measure.mjs";

const READING =
  "One tool an endpoint: every parameter as an argument, the body as it came as the reply, no output schemas in the list; its calls are those of an agent that knows every parameter that helps.";

/** Nothing is timed, so once is enough. */
export async function flows() {
  const outfile = here("../node_modules/.cache/vitrine-bench/flows.mjs");
  mkdirSync(here("../node_modules/.cache/vitrine-bench"), { recursive: true });
  await build({
    entryPoints: [here("flows/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // Where the tests' own files think that they are.
    define: { "import.meta.dirname": JSON.stringify(here("../test/setup")) },
    logLevel: "warning",
  });
  const table = execFileSync(process.execPath, [outfile], {
    cwd: here(".."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return `## Flows: calls and bytes\n\n${table.trim()}\n\n${READING}`;
}

await runAlone(import.meta.url, flows);
