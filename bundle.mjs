// How the program is bundled: for dist/, and for the servers of the benches, which measure the same code.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));

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
 * undici's index loads fetch, WebSocket, mocks and caches; `egress/` uses a `Client`, its connector and its `dispatch`, over HTTP/1.1 with bodies of
 * text and bytes, so only that is bundled, a third of the code. What those never come to throws.
 */
const onlyTheClient = {
  name: "only-the-client",
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "vitrine-undici" }));
    bundler.onLoad({ filter: /^undici$/, namespace: "vitrine-undici" }, () => ({
      contents: `import Client from "undici/lib/dispatcher/client.js";
import buildConnector from "undici/lib/core/connect.js";
export { Client, buildConnector };`,
      resolveDir: root,
    }));
    bundler.onLoad({ filter: /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error("This part of undici is not bundled."); };
module.exports.extractBody = module.exports;`,
    }));
  },
};

/** Options of esbuild. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: EXTERNAL,
  plugins: [withoutSecondAjv, onlyTheClient],
  logLevel: "warning",
};

/** Options of esbuild for the page that a person reads: one script and one style sheet, whole in themselves. */
export const PAGE = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  entryPoints: [
    { in: "src/web/page/start.tsx", out: "page" },
    { in: "src/web/page/page.css", out: "page" },
  ],
  legalComments: "none",
  logLevel: "warning",
};

/** Dependencies in CommonJS call `require` for Node's own modules; the one chunk through which all of them do needs one made. */
export function withRequire(text) {
  if (!text.includes("typeof require")) return text;
  const made =
    'import { createRequire as vitrineRequire } from "node:module"; const require = vitrineRequire(import.meta.url);';
  return `${made}\n${text}`;
}
