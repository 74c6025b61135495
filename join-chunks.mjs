// Joins the chunks that a start comes to into scripts, of which V8's code cache can be kept: of ES modules it can be from Node 22 on only.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { build } from "esbuild";

// By the entry points whose chunks they hold, but for those of the scripts before.
const SCRIPTS = {
  start: ["src/cli/vitrine.ts", "src/cli/commands/serve.ts", "src/mcp/serve-stdio.ts"],
  calls: ["src/run/call-tool.ts"],
  compile: ["src/cli/toolset/compile-curation.ts"],
  draft: ["src/cli/commands/draft.ts"],
};

/**
 * What esbuild made of the program, with those chunks in scripts, and the scripts' names, the one to start with first. A script is a function of `require`,
 * an import, its own URL and a map that it adds its chunks to; `src/cli/start.ts` runs each when it is first asked for. In place of the chunks there are
 * modules that ask for what the scripts hold, so that nothing is there twice.
 */
export async function joinChunks({ outputFiles, metafile }, options) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), { path, text }]));
  const scripts = [];
  for (const [name, entries] of Object.entries(SCRIPTS)) {
    const own = new Set([...reachedFrom(entries, outputs)].filter((one) => !chunks.get(one).window));
    const text = await joinAll(own, chunks, options);
    // By what is in it, as the chunks are named: a program that is replaced while it runs must not load a part of another.
    const script = `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.cjs`;
    scripts.push({ path: `${options.outdir}/${script}`, text });
    for (const one of own) chunks.get(one).window = windowOf(one, script, outputs.get(one));
  }
  const files = [...chunks.values()].map(({ path, text, window = text }) => ({ path, text: window }));
  return { files: [...files, ...scripts], scripts: scripts.map(({ path }) => basename(path)) };
}

/** The chunks that are loaded with those. */
function reachedFrom(entries, outputs) {
  const ofEntry = (entry) => [...outputs].find(([, { entryPoint }]) => entryPoint === entry)[0];
  const reached = new Set(entries.map(ofEntry));
  for (const name of reached)
    for (const { path, kind, external } of outputs.get(name).imports)
      if (kind === "import-statement" && !external) reached.add(basename(path));
  return reached;
}

/** A module with what a script has of a chunk. */
function windowOf(name, script, { exports }) {
  const taken = exports.map((one) => `${one}: ${one}_`);
  const given = exports.map((one) => `${one}_ as ${one}`);
  return `const { ${taken.join(", ")} } = globalThis[Symbol.for("vitrine.part")]("${name}", "${script}");
export { ${given.join(", ")} };
`;
}

async function joinAll(own, chunks, { absWorkingDir, platform, target }) {
  const left = new Set();
  const { outputFiles } = await build({
    absWorkingDir,
    platform,
    target,
    bundle: true,
    format: "cjs",
    write: false,
    logLevel: "warning",
    stdin: {
      contents: [...own].map((name) => `parts.set("${name}", () => require("./${name}"));`).join("\n"),
      resolveDir: absWorkingDir,
    },
    define: { "import.meta.url": "scriptUrl" },
    plugins: [fromChunks(own, chunks, left)],
  });
  const [{ text }] = outputFiles;
  // A script can import nothing by itself.
  const imported = [...left].reduce((all, name) => all.replaceAll(`import("${name}")`, `importFrom("${name}")`), text);
  // Of one byte a character, it is read faster and takes half of the room.
  const ascii = imported.replaceAll(/[^\x00-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `(function (require, importFrom, scriptUrl, parts) {${ascii}\n})`;
}

/** Takes the script's own chunks from memory, and of those of a script before what that has; all else is left to be loaded. */
function fromChunks(own, chunks, left) {
  return {
    name: "from-chunks",
    setup(bundler) {
      bundler.onResolve({ filter: /^[^/]/ }, ({ path, kind }) => {
        const name = path.startsWith("./") ? basename(path) : undefined;
        if (own.has(name) || (chunks.get(name)?.window && kind !== "dynamic-import"))
          return { path: name, namespace: "chunk" };
        if (kind === "dynamic-import") left.add(path);
        return { path, external: true };
      });
      bundler.onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => {
        const { text, window = text } = chunks.get(path);
        return { contents: window };
      });
    },
  };
}
