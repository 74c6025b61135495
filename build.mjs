// Bundles the program and the library into dist/. The types are made apart (npm run types:emit), for packing only.
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
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLED, PAGE, withRequire } from "./bundle.mjs";
import { joinChunks } from "./join-chunks.mjs";
import { makeCode } from "./make-code.mjs";

const root = dirname(fileURLToPath(import.meta.url));
/** Another folder may be named, as the benches do. */
const dist = resolve(process.argv[2] ?? join(root, "dist"));

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const options = {
  ...BUNDLED,
  outdir: dist,
  define: { VITRINE_VERSION: JSON.stringify(version), VITRINE_BUILD: JSON.stringify(hashOfSource()) },
  legalComments: "linked",
  metafile: true,
  write: false,
};
const program = await build({ ...options, entryPoints: { program: "src/cli/vitrine.ts" } });
const joined = await joinChunks(program, options);
const start = await build({
  ...options,
  entryPoints: { vitrine: "src/cli/start.ts" },
  define: { ...options.define, VITRINE_START: JSON.stringify(joined.scripts[0]) },
});
// Threads and whoever imports the library have code of their own: that of the program is partly in its start, which they do not run.
const library = await build({
  ...options,
  chunkNames: "library-[name]-[hash]",
  entryPoints: {
    index: "src/index.ts",
    "compile-worker": "src/cli/host/compile-worker.ts",
    "explore-worker": "src/cli/toolset/explore-worker.ts",
    "page-worker": "src/cli/page/page-worker.ts",
    "calls-worker": "src/cli/page/calls-worker.ts",
    "measure-worker": "src/cli/page/measure-worker.ts",
  },
});
const page = await build({ ...PAGE, outdir: join(dist, "page"), metafile: true, write: false });
const files = [joined.files, start.outputFiles, library.outputFiles].flat();
removeOthers(writeAll(files, [program, start, library], page));
chmodSync(join(dist, "vitrine.js"), 0o755);
makeCode(dist, joined.scripts);

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
    join(root, "join-chunks.mjs"),
  ].sort()) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

// Each file appears whole and at once, so that a program that runs from dist meanwhile finds either the old or the new one.
function writeAll(program, made, page) {
  mkdirSync(join(dist, "page"), { recursive: true });
  const files = program.map(({ path, text }) => ({ path, contents: path.endsWith(".js") ? withRequire(text) : text }));
  files.push(...page.outputFiles.map(({ path, text }) => ({ path, contents: text })));
  files.push({ path: join(dist, "page", "index.html"), contents: readFileSync(join(root, "src/web/page/index.html")) });
  const all = (part) => Object.assign({}, ...[...made, page].map(({ metafile }) => metafile[part]));
  const outputs = Object.assign({}, ...made.map(({ metafile }) => metafile.outputs));
  files.push({ path: join(dist, "meta.json"), contents: JSON.stringify({ inputs: all("inputs"), outputs }) });
  for (const { path, contents } of files) {
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  const data = join(root, "src", "demo", "data");
  if (existsSync(data)) cpSync(data, join(dist, "data"), { recursive: true });
  return new Set([...files.map(({ path }) => basename(path)), "code", "data", "page", "types"]);
}

function removeOthers(keep) {
  for (const name of readdirSync(dist)) {
    if (!keep.has(name)) rmSync(join(dist, name), { recursive: true });
  }
}
