// The servers whose calls are measured, each as the arguments of a Node process, floors first; and the builds that some of them need.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../bundle.mjs";
import { here } from "../measure.mjs";

/** Over which a client speaks with a server. */
export const WAYS = ["http", "stdio"];

/**
 * Makes the builds, hands them to `use` and deletes them. `against` is the folder of another build of vitrine, which is measured as well. `serversOf(way, curation)`
 * gives servers as `{ kind, name, args }`, the vitrines among them with a curation as `{ file, root }`; `home` is where they may keep what they cache, `folder` for further files.
 */
export async function withServers({ against }, use) {
  const cache = here("../node_modules/.cache/vitrine-bench");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "calls-"));
  try {
    // The files of a build are modules, wherever it lies.
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const dist = join(folder, "dist");
    execFileSync(process.execPath, [here("../build.mjs"), dist], { stdio: ["ignore", "ignore", "inherit"] });
    const bundled = join(folder, "bare");
    await bundleBare(bundled);
    const other = against && resolve(against);
    const serversOf = (way, curation) => [
      { kind: "hand", name: "by hand: node and undici", args: [here(`calls/hand-${way}.mjs`)] },
      { kind: "bare", name: "bare SDK v2", args: [here(`calls/bare-${way}.mjs`)] },
      { kind: "control", name: "bare SDK v2, again", args: [here(`calls/bare-${way}.mjs`)] },
      { kind: "bare-bundled", name: "bare SDK v2, bundled", args: [join(bundled, `bare-${way}.js`)] },
      { kind: "vitrine", name: "vitrine", args: vitrine(dist, way, curation) },
      ...(other ? [{ kind: "vitrine-other", name: "vitrine, other build", args: vitrine(other, way, curation) }] : []),
    ];
    return await use({ serversOf, dist, folder, home: join(folder, "home") });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function vitrine(dist, way, { file, root }) {
  const http = way === "http" ? ["--http", "127.0.0.1:0"] : [];
  return [join(dist, "vitrine.js"), "serve", file, "--root", root, ...http];
}

/** As vitrine is, but for undici, which the bare server takes whole. */
async function bundleBare(outdir) {
  const plugins = BUNDLED.plugins.filter(({ name }) => name !== "only-the-client");
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };
  const entryPoints = WAYS.map((way) => here(`calls/bare-${way}.mjs`));
  await build({ ...BUNDLED, plugins, entryPoints, outdir, banner });
}
