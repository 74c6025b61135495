import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadHost } from "../../src/cli/host/load-host.ts";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  components: { securitySchemes: { deskKey: { type: "apiKey", in: "header", name: "X-Key" } } },
  security: [{ deskKey: [] }],
  paths: { "/items": { get: { operationId: "find", responses: { 200: { description: "Ok." } } } } },
};
const GOOD = { URL: "https://desk.example.com", KEY: "mulberry-72" };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-values-"));
  writeFileSync(join(folder, "spec.json"), JSON.stringify(SPEC));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly env?: object;
  readonly api?: object;
  readonly keys?: object;
  readonly host?: object;
}

async function problems({ env, api, keys = {}, host = {} }: Given): Promise<string[]> {
  const section = { spec: "./spec.json", baseUrl: "${env.URL}", auth: { deskKey: { apiKey: "${env.KEY}" } }, ...api };
  const tools = { find_items: { operation: "find", use: "Find what is there." } };
  writeFileSync(
    join(folder, "desk.yaml"),
    JSON.stringify({ vitrine: 1, api: section, server: { name: "desk" }, tools }),
  );
  const server = { curation: "./desk.yaml", root: ".", env: ["URL", "KEY"] };
  const entries = Object.entries(keys).map(([id, one], at) => {
    return [id, { hash: `sha256:${String(at).repeat(64)}`, server: "desk", ...one }];
  });
  writeFileSync(
    join(folder, "host.yaml"),
    JSON.stringify({
      listen: "127.0.0.1:0",
      publicUrl: "http://127.0.0.1",
      servers: { desk: server },
      keys: Object.fromEntries(entries),
      ...host,
    }),
  );
  const running = { env: { ...GOOD, ...env }, secrets: [], report: () => undefined };
  const loaded = await loadHost(join(folder, "host.yaml"), running);
  const isServed = loaded.served !== undefined;
  for (const one of loaded.served?.servers.values() ?? []) await one.close();
  expect(isServed).toBe(loaded.problems.length === 0);
  return loaded.problems.map(({ code, message }) => `${code}: ${message}`);
}

const BASE = "bad_value: `api.baseUrl` is no absolute http or https URL without user, query and fragment.";
const BREAK = "holds a line break or another control character";
const OAUTH = { oauth: { issuer: "https://id.example.com", claims: { region: "region" } } };
const perRegion = { baseUrl: "https://${key.region}.example.com" };

const cases: [title: string, given: Given, want: RegExp[]][] = [
  ["what can be used is served", {}, []],
  ["a base URL that is none", { env: { URL: "desk.example.com" } }, [new RegExp(`^${BASE}$`)]],
  [
    "one with a password, which is not told",
    { env: { URL: "https://ann:hidden@desk.example.com" } },
    [/^(?!.*hidden)/],
  ],
  ["an API key that was read with its line end", { env: { KEY: "mulberry\n" } }, [new RegExp(`apiKey\` ${BREAK}`)]],
  [
    "the key's own credential of one key, and not that of another",
    {
      keys: {
        ann: { credentials: { deskKey: { apiKey: "fig-1" } } },
        bob: { credentials: { deskKey: { apiKey: "fig\n2" } } },
      },
    },
    [new RegExp(`^bad_value: \`api.auth.deskKey.apiKey\` ${BREAK}`)],
  ],
  [
    "the curation's own is nobody's where every key brings one",
    { env: { KEY: "mulberry\n" }, keys: { ann: { credentials: { deskKey: { apiKey: "fig-1" } } } } },
    [],
  ],
  [
    "what a key's claim makes of the base URL",
    { api: perRegion, keys: { ann: { claims: { region: "e u" } } } },
    [/^bad_value: `api.baseUrl`/],
  ],
  ["what an access token may say is not known yet", { api: perRegion, host: OAUTH }, []],
  [
    "of a base URL that moves, the rest is looked at",
    { api: perRegion, host: OAUTH, env: { KEY: "a\nb" } },
    [/apiKey` holds/],
  ],
  [
    "a bearer token for an API key",
    { keys: { ann: { credentials: { deskKey: { bearer: "fig-1" } } } } },
    [/^scheme_mismatch: The curation's own credential for `deskKey` is an API key, and this is none\.$/],
  ],
];

test.each(cases)("what a host cannot call its API with is told before it serves: %s", async (_, given, want) => {
  const found = await problems(given);
  expect(found).toHaveLength(want.length);
  for (const [at, one] of want.entries()) expect(found[at]).toMatch(one);
});
