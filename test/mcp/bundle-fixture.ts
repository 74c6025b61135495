import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/** Bundles a server of test/fixtures/mcp into a program that Node runs; gives its path. */
export async function bundleStdioServer(main = "stdio-main", plugins: Plugin[] = []): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "vitrine-mcp-")), `${main}.mjs`);
  await build({
    entryPoints: [new URL(`../fixtures/mcp/${main}.ts`, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    plugins,
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
