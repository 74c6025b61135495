import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../setup/program.ts";
import { fixture } from "./fake-shell.ts";
import { INITIALIZE, start } from "./running.ts";

// What a start with a cached toolset must not pay for.
const HEAVY = [
  /^node_modules\/(yaml|js-yaml|express|gpt-tokenizer|pino|@duckdb|@readme|undici|re2js|ajv)\//,
  /^src\/(compile|curation|spec|surface|demo|draft|host)\//,
];

interface Meta {
  readonly outputs: Record<
    string,
    {
      readonly inputs: Record<string, { readonly bytesInOutput: number }>;
      readonly imports: readonly { readonly path: string; readonly kind: string }[];
    }
  >;
}

const readMeta = (): Meta => JSON.parse(readFileSync(join(repository, "dist", "meta.json"), "utf8"));

/** Writes every module that is loaded to stderr: what Node itself says, not what the bundler intends. */
const LOADER = `data:text/javascript,${encodeURIComponent(`
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`
import { writeSync } from "node:fs";
export async function load(url, context, next) { writeSync(2, "loaded " + url + "\\\\n"); return next(url, context); }
\`));`)}`;

test("a start with a cached toolset loads no parser, no compiler, no web framework and no token table", async () => {
  const cache = mkdtempSync(join(tmpdir(), "vitrine-cold-"));
  const env = { XDG_CACHE_HOME: cache, SHOP_URL: "http://127.0.0.1:9", SHOP_KEY: "k", SHOP_TRACE: "t" };
  const meta = readMeta();
  const loadedInputs = async (): Promise<string[]> => {
    const server = start(["serve", fixture("shop.yaml")], env, ["--import", LOADER]);
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    const files = server.err
      .filter((line) => line.startsWith("loaded file:"))
      .map((line) => line.split("/").at(-1) ?? "");
    expect(files).toContain("vitrine.js");
    return files.flatMap((file) => {
      const inputs = Object.entries(meta.outputs[`dist/${file}`]?.inputs ?? { [file]: { bytesInOutput: 1 } });
      return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
    });
  };
  const isHeavy = (path: string): boolean => HEAVY.some((pattern) => pattern.test(path));
  // The first start compiles, so this shows that the loader sees what it should.
  expect((await loadedInputs()).some((path) => path.startsWith("src/compile/"))).toBe(true);
  expect(readdirSync(join(cache, "vitrine")).filter((name) => name.endsWith(".toolset"))).toHaveLength(1);
  expect((await loadedInputs()).filter(isHeavy)).toStrictEqual([]);
});

test("importing the library loads no web framework, no database and no token table", () => {
  const { outputs } = readMeta();
  const reached = new Set<string>(["dist/index.js"]);
  for (const path of reached) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") reached.add(next);
  }
  expect(reached.size).toBeGreaterThan(5);
  expect([...reached].filter((path) => /^(express|@duckdb|gpt-tokenizer|pino|@readme)/.test(path))).toStrictEqual([]);
});

test("of the HTTP client only what the egress uses is in the bundle", () => {
  const inputs = Object.values(readMeta().outputs).flatMap((output) => Object.keys(output.inputs));
  const client = inputs.filter((path) => path.startsWith("node_modules/undici/"));
  expect(client).toContain("node_modules/undici/lib/dispatcher/client.js");
  expect(client.filter((path) => /lib\/(mock|cache|interceptor|web\/websocket)\//.test(path))).toStrictEqual([]);
});
