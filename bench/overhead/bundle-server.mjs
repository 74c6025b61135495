import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED, withRequire } from "../../bundle.mjs";
import { here } from "../measure.mjs";

/** The server that serves at several addresses, as the program itself is bundled. */
export async function bundleServer() {
  const outdir = here("../node_modules/.cache/vitrine-bench/overhead");
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const define = { VITRINE_VERSION: '"bench"', VITRINE_BUILD: '"bench"' };
  const entryPoints = { server: here("overhead/server.ts") };
  const { outputFiles } = await build({ ...BUNDLED, entryPoints, outdir, define, write: false });
  for (const { path, text } of outputFiles) writeFileSync(path, withRequire(text));
  writeFileSync(join(outdir, "package.json"), '{"type":"module"}');
  return join(outdir, "server.js");
}
