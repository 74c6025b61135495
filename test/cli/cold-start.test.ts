import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../setup/program.ts";
import { fixture } from "./fake-shell.ts";
import { INITIALIZE, LOADER, start } from "./running.ts";

// What a start with a cached toolset must not pay for.
const HEAVY = [
  /^node_modules\/(yaml|js-yaml|express|gpt-tokenizer|pino|@duckdb|@opentelemetry|@readme|undici|re2js|ajv)\//,
  /^src\/(compile|curation|spec|surface|demo|draft|host|telemetry)\//,
  /^src\/cli\/toolset\/open-event-log\.ts$/,
  /^src\/run\/call-tool\.ts$/,
];
/** What the first call needs, which is there before it comes. */
const OF_CALLS = [
  "src/run/call-tool.ts",
  "src/egress/open-connections.ts",
  "node_modules/undici/lib/dispatcher/client.js",
  "re2js",
];

interface Meta {
  readonly inputs: Record<string, { readonly imports: readonly { readonly path: string }[] }>;
  readonly outputs: Record<
    string,
    {
      readonly inputs: Record<string, { readonly bytesInOutput: number }>;
      readonly imports: readonly { readonly path: string; readonly kind: string }[];
      readonly entryPoint?: string;
    }
  >;
}

const readMeta = (): Meta => JSON.parse(readFileSync(join(repository, "dist", "meta.json"), "utf8"));

test("a start with a cached toolset loads no parser, no compiler, no web framework, no token table and nothing of calls", async () => {
  const cache = mkdtempSync(join(tmpdir(), "vitrine-cold-"));
  const env = { XDG_CACHE_HOME: cache, SHOP_URL: "http://127.0.0.1:9", SHOP_KEY: "k", SHOP_TRACE: "t" };
  const meta = readMeta();
  const loadedInputs = async (): Promise<{ before: string[]; after: string[] }> => {
    const server = start(["serve", fixture("shop.yaml")], env, ["--import", LOADER]);
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    await server.said("err", "load-engines");
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    const answered = server.err.indexOf("answered 2");
    expect(answered).toBeGreaterThan(0);
    const inputsOf = (lines: readonly string[]): string[] => {
      const urls = lines.filter((line) => line.startsWith("loaded file:")).map((line) => line.slice("loaded ".length));
      return urls.flatMap((url) => {
        const [, path] = /\/(node_modules\/.*)$/.exec(url) ?? [];
        const own = meta.outputs[`dist/${basename(url)}`];
        if (path !== undefined || own === undefined) return [path ?? url];
        return Object.entries(own.inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : []));
      });
    };
    return { before: inputsOf(server.err.slice(0, answered)), after: inputsOf(server.err.slice(answered)) };
  };
  const isHeavy = (path: string): boolean => HEAVY.some((pattern) => pattern.test(path));
  // The first start compiles, so this shows that the loader sees what it should.
  expect((await loadedInputs()).before.some((path) => path.startsWith("src/compile/"))).toBe(true);
  expect(readdirSync(join(cache, "vitrine")).filter((name) => name.endsWith(".toolset"))).toHaveLength(1);
  const { before, after } = await loadedInputs();
  expect(before).toContain("src/cli/vitrine.ts");
  expect(before.filter(isHeavy)).toStrictEqual([]);
  // The SDK's own schemas are all that are built.
  const buildsSchemas = (path: string): boolean =>
    path.startsWith("src/") &&
    meta.inputs[path]?.imports.some((one) => one.path.includes("node_modules/zod/")) === true;
  expect(Object.keys(meta.inputs).filter(buildsSchemas).length).toBeGreaterThan(5);
  expect(before.filter(buildsSchemas)).toStrictEqual([]);
  for (const path of OF_CALLS) expect(after).toContainEqual(expect.stringContaining(path));
});

test("a server whose program is taken away goes on answering calls, also those that need most of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-replaced-"));
  cpSync(join(repository, "dist"), join(folder, "dist"), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "any.json"), JSON.stringify(SPEC));
  writeFileSync(join(folder, "any.yaml"), CURATION);
  const args = ["serve", join(folder, "any.yaml"), "--root", folder];
  const server = start(args, {}, ["--import", LOADER], join(folder, "dist", "vitrine.js"));
  await server.ask(1, "initialize", INITIALIZE);
  await server.ask(2, "tools/list");
  const [validator, { imports }] = Object.entries(readMeta().outputs).find(([, one]) =>
    one.entryPoint?.endsWith("ajv/dist/2020.js"),
  )!;
  // It comes last, and once all that it imports was found nothing is looked for any more.
  expect(imports.length).toBeGreaterThan(0);
  for (const _ of imports) await server.said("err", `for file://${join(folder, validator)}`);
  rmSync(folder, { recursive: true });
  const call = (id: number, args: object) => server.ask(id, "tools/call", { name: "find", arguments: args });
  const refused = await call(3, { query: {} });
  expect(JSON.stringify(refused)).toMatch(/invalid_arguments.*of at least one of the forms/);
  expect(JSON.stringify(await call(4, { query: { a: "x" } }))).toMatch(/upstream_unavailable/);
  server.child.stdin.end();
  expect(await server.ended()).toBe(0);
});

const CURATION = `vitrine: 1
api: { spec: any.json, baseUrl: "http://127.0.0.1:9" }
server: { name: any }
tools:
  find:
    operation: find
    effect: read
    use: Finds what fits.
    input: { query: {} }
`;

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Any", version: "1" },
  paths: {
    "/find": {
      post: {
        operationId: "find",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["query"],
                properties: {
                  query: {
                    type: "object",
                    properties: { a: { type: "string" }, b: { type: "string" } },
                    oneOf: [{ required: ["a"] }, { required: ["b"] }],
                  },
                },
              },
            },
          },
        },
        responses: {
          "200": { description: "Found.", content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    },
  },
};

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
