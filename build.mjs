// Bundles the program and the library into dist/. One pass of esbuild; the types are made apart (npm run types:emit), for packing only.
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLED, PAGE, withRequire } from "./bundle.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const result = await build({
  ...BUNDLED,
  entryPoints: {
    vitrine: "src/cli/vitrine.ts",
    index: "src/index.ts",
    "compile-worker": "src/cli/host/compile-worker.ts",
    "page-worker": "src/cli/page/page-worker.ts",
    "measure-worker": "src/cli/page/measure-worker.ts",
  },
  outdir: dist,
  define: { VITRINE_VERSION: JSON.stringify(version), VITRINE_BUILD: JSON.stringify(hashOfSource()) },
  legalComments: "linked",
  metafile: true,
  write: false,
});
const page = await build({ ...PAGE, outdir: join(dist, "page"), metafile: true, write: false });
const written = writeAll(result, page);
removeOthers(written);
chmodSync(join(dist, "vitrine.js"), 0o755);

function hashOfSource() {
  const hash = createHash("sha256");
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const file of [
    ...files,
    join(root, "package-lock.json"),
    join(root, "build.mjs"),
    join(root, "bundle.mjs"),
  ].sort()) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

// Each file appears whole and at once, so that a program that runs from dist meanwhile finds either the old or the new one.
function writeAll(program, page) {
  mkdirSync(join(dist, "page"), { recursive: true });
  const files = program.outputFiles.map(({ path, text }) => ({ path, contents: withRequire(text) }));
  files.push(...page.outputFiles.map(({ path, text }) => ({ path, contents: text })));
  files.push({ path: join(dist, "page", "index.html"), contents: readFileSync(join(root, "src/web/page/index.html")) });
  const inputs = { ...program.metafile.inputs, ...page.metafile.inputs };
  files.push({ path: join(dist, "meta.json"), contents: JSON.stringify({ ...program.metafile, inputs }) });
  for (const { path, contents } of files) {
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  const data = join(root, "src", "demo", "data");
  if (existsSync(data)) cpSync(data, join(dist, "data"), { recursive: true });
  return new Set([...files.map(({ path }) => basename(path)), "data", "page", "types"]);
}

function removeOthers(keep) {
  for (const name of readdirSync(dist)) {
    if (!keep.has(name)) rmSync(join(dist, name), { recursive: true });
  }
}
