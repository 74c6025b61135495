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

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");

// Loaded by few commands or with few files, or with files of their own beside their code.
const EXTERNAL = [
  "@duckdb/node-api",
  "@opentelemetry/*",
  "express",
  "@readme/openapi-parser",
  "gpt-tokenizer",
  "ioredis",
  "rate-limiter-flexible",
  "re2js",
  "yaml",
];

/** The SDK builds a validator of its own, with a second ajv in it, whose place `createToolServer` fills: it is never called. */
const withoutSecondAjv = {
  name: "without-second-ajv",
  setup(bundler) {
    bundler.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: "shims",
      namespace: "vitrine",
    }));
    bundler.onLoad({ filter: /^shims$/, namespace: "vitrine" }, () => ({
      contents: `export { default as process } from "node:process";
export class DefaultJsonSchemaValidator { getValidator() { throw new Error("No JSON Schema validator is bundled."); } }`,
    }));
  },
};

/**
 * undici's index loads fetch, WebSocket, mocks and caches; `egress/` uses a `Client` and its `request`, over HTTP/1.1 with bodies of text and bytes, so
 * only that is bundled, a third of the code. What those never come to throws.
 */
const onlyTheClient = {
  name: "only-the-client",
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "vitrine-undici" }));
    bundler.onLoad({ filter: /^undici$/, namespace: "vitrine-undici" }, () => ({
      contents: `import request from "undici/lib/api/api-request.js";
import Client from "undici/lib/dispatcher/client.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
Object.assign(Dispatcher.prototype, { request });
export { Client };`,
      resolveDir: root,
    }));
    bundler.onLoad({ filter: /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error("This part of undici is not bundled."); };
module.exports.extractBody = module.exports;`,
    }));
  },
};

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const result = await build({
  absWorkingDir: root,
  entryPoints: { vitrine: "src/cli/vitrine.ts", index: "src/index.ts" },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: EXTERNAL,
  plugins: [withoutSecondAjv, onlyTheClient],
  define: { VITRINE_VERSION: JSON.stringify(version), VITRINE_BUILD: JSON.stringify(hashOfSource()) },
  legalComments: "linked",
  logLevel: "warning",
  metafile: true,
  write: false,
});
const written = writeAll(result);
removeOthers(written);
chmodSync(join(dist, "vitrine.js"), 0o755);

function hashOfSource() {
  const hash = createHash("sha256");
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const file of [...files, join(root, "package-lock.json"), join(root, "build.mjs")].sort()) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

// Each file appears whole and at once, so that a program that runs from dist meanwhile finds either the old or the new one.
function writeAll({ outputFiles, metafile }) {
  mkdirSync(dist, { recursive: true });
  const files = outputFiles.map(({ path, text }) => ({ path, contents: withRequire(text) }));
  files.push({ path: join(dist, "meta.json"), contents: JSON.stringify(metafile) });
  for (const { path, contents } of files) {
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  const data = join(root, "src", "demo", "data");
  if (existsSync(data)) cpSync(data, join(dist, "data"), { recursive: true });
  return new Set([...files.map(({ path }) => basename(path)), "data", "types"]);
}

/** Dependencies in CommonJS call `require` for Node's own modules; the one chunk through which all of them do needs one made. */
function withRequire(text) {
  if (!text.includes("typeof require")) return text;
  const made =
    'import { createRequire as vitrineRequire } from "node:module"; const require = vitrineRequire(import.meta.url);';
  return `${made}\n${text}`;
}

function removeOthers(keep) {
  for (const name of readdirSync(dist)) {
    if (!keep.has(name)) rmSync(join(dist, name), { recursive: true });
  }
}
