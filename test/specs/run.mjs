// `npm run specs`: bundles the sources for Node, which does not read TypeScript by itself on our floor, and runs them.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const outdir = join(root, "node_modules", ".cache", "vitrine-specs");
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [join(here, "main.ts")],
  outfile: join(outdir, "main.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  define: { "import.meta.dirname": JSON.stringify(here) },
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, [join(outdir, "main.mjs"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
