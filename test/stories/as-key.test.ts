import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INITIALIZE, type Running, start } from "../cli/running.ts";
import { type Served, serve } from "../egress/serve.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { cleanEnv, program, vitrine } from "../setup/program.ts";

// One curation, served to two callers, each with a key of its own: what a key hides is as if it did not exist.

const SPEC = `
openapi: 3.1.0
info: {title: Things, version: '1'}
paths:
  /{team}/things:
    parameters: [{name: team, in: path, required: true, schema: {type: string}}]
    get: {operationId: listThings, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
    post: {operationId: addThing, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
  /{team}/log:
    parameters: [{name: team, in: path, required: true, schema: {type: string}}]
    get: {operationId: readLog, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
`;
const CURATION = `
vitrine: 1
api: {spec: ./spec.yaml, baseUrl: "\${env.THINGS_URL}"}
server: {name: things, writes: true, instructions: "Begin with \`list_things\`. The past is in \`audit_log\`."}
pins: {team: "\${key.team}"}
tools:
  list_things: {operation: listThings, tags: [public], use: "Find things. Their past: \`audit_log\`.", next: {audit_log: see who did it}, result: {rows: "@", fields: {id: id}, limit: {default: 5, max: 9}}}
  add_thing: {operation: addThing, tags: [public], aliases: [make_thing], use: Add a thing., input: {}}
  audit_log: {operation: readLog, tags: [internal], aliases: [old_log], use: Who did what., result: {rows: "@", fields: {id: id}, limit: {default: 5, max: 9}}}
`;
const KEYS = {
  guest: { yaml: "claims: {team: a}\ntags: {any: [public]}\nwrites: false", sees: ["describe_access", "list_things"] },
  staff: {
    yaml: "claims: {team: b}\ntags: {exclude: [internal]}",
    sees: ["add_thing", "describe_access", "list_things"],
  },
} as const;
type Name = keyof typeof KEYS;
const NAMES: readonly Name[] = ["guest", "staff"];
const ALL = ["add_thing", "make_thing", "audit_log", "old_log", "list_things", "describe_access"];
const hiddenFrom = (name: Name) =>
  ALL.filter((tool) => !([...KEYS[name].sees, ...(name === "staff" ? ["make_thing"] : [])] as string[]).includes(tool));

const folder = mkdtempSync(join(tmpdir(), "vitrine-keys-"));
const curation = join(folder, "things.yaml");
const keyOf = (name: Name) => join(folder, `${name}.yaml`);
const heard: string[] = [];
const servers = new Map<Name, { running: Running; url: string }>();
let upstream: Served;
let env: Record<string, string>;

beforeAll(async () => {
  upstream = await serve(({ method, url }, response) => {
    heard.push(`${method} ${url}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(method === "POST" ? '{"id":"t2"}' : '[{"id":"t1"}]');
  });
  env = { THINGS_URL: upstream.url };
  writeFileSync(join(folder, "spec.yaml"), SPEC);
  writeFileSync(curation, CURATION);
  for (const name of NAMES) {
    writeFileSync(keyOf(name), KEYS[name].yaml);
    const running = start(["serve", curation, "--as", keyOf(name), "--http", "127.0.0.1:0"], env);
    servers.set(name, { running, url: (await running.said("err", "Serving")).replace(/^.* at /, "") });
  }
});
afterAll(async () => {
  for (const { running } of servers.values()) running.child.kill("SIGTERM");
  await upstream?.close();
  rmSync(folder, { recursive: true });
});

const stdio = (name: Name) => ({
  command: process.execPath,
  args: [program, "serve", curation, "--as", keyOf(name)],
  env: cleanEnv(env),
});

describe.each(NAMES)("the %s", (name) => {
  describe.each(PEERS)("with a client of the %s", (peer) => {
    test.each(["stdio", "HTTP"])("sees its tools over %s, can call each, and no other", async (transport) => {
      const client = await connect(peer, transport === "stdio" ? stdio(name) : { url: servers.get(name)!.url });
      try {
        const { tools } = await client.listTools();
        expect(tools.map((tool) => tool.name)).toStrictEqual(KEYS[name].sees);
        expect(JSON.stringify(tools) + client.getInstructions()).not.toMatch(/audit_log|old_log/);
        heard.length = 0;
        for (const tool of tools)
          expect(await client.callTool({ name: tool.name, arguments: {} })).not.toHaveProperty("isError");
        expect(heard.every((line) => line.includes(name === "guest" ? " /a/" : " /b/"))).toBe(true);
        heard.length = 0;
        const refusal = (tool: string) =>
          client.callTool({ name: tool, arguments: {} }).then(
            () => "answered",
            ({ code, message }) => `${code} ${String(message).replaceAll(tool, "NAME")}`,
          );
        const unknown = await refusal("no_such_tool");
        expect(unknown).toContain("Unknown tool");
        for (const hidden of hiddenFrom(name)) expect(await refusal(hidden)).toBe(unknown);
        expect(heard).toStrictEqual([]);
      } finally {
        await client.close();
      }
    });
  });

  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const message = (era: string, tool: string) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: tool, arguments: {}, ...(era === "2026-07-28" && { _meta: META }) },
  });

  test.each(["2025-11-25", "2026-07-28"])("is answered over HTTP in the same bytes (%s)", async (era) => {
    const ask = async (tool: string) => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": era,
        ...(era === "2026-07-28" && { "mcp-method": "tools/call", "mcp-name": tool }),
      };
      const body = JSON.stringify(message(era, tool));
      const answer = await fetch(servers.get(name)!.url, { method: "POST", headers, body });
      const kept = [...answer.headers].filter(([header]) => header !== "date");
      return JSON.stringify([answer.status, kept, await answer.text()]).replaceAll(tool, "NAME");
    };
    // Of the same length, as the length is told.
    const unknown = await ask("audit_lag");
    expect(unknown).toContain("Unknown tool: NAME");
    expect(await ask("audit_log")).toBe(unknown);
    expect(await ask("list_things")).not.toContain("Unknown tool");
  });

  test.each(["2025-11-25", "2026-07-28"])("is answered over stdio in the same bytes (%s)", async (era) => {
    const server = start(["serve", curation, "--as", keyOf(name)], env);
    if (era === "2025-11-25") {
      await server.ask(1, "initialize", INITIALIZE);
      server.send({ method: "notifications/initialized" });
    }
    const ask = async (tool: string) => {
      server.send(message(era, tool));
      return (await server.said("out", '"id":7')).replaceAll(tool, "NAME");
    };
    const unknown = await ask("audit_lag");
    expect(unknown).toContain("Unknown tool: NAME");
    expect(await ask("audit_log")).toBe(unknown);
    expect(await ask("list_things")).not.toContain("Unknown tool");
    server.child.stdin.end();
    await server.ended();
  });
});

test("call and tools take the key as serve does", async () => {
  const run = (...args: string[]) => vitrine([...args, "--as", keyOf("guest")], { env });
  expect((await run("call", curation, "list_things")).code).toBe(0);
  for (const tool of ["audit_log", "old_log", "add_thing"]) {
    const { code, stderr } = await run("call", curation, tool);
    expect([code, stderr]).toStrictEqual([2, expect.stringContaining(`Unknown tool: ${tool}.`)]);
  }
  const { stdout } = await run("tools", curation, "--json");
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toStrictEqual(KEYS.guest.sees);
});
