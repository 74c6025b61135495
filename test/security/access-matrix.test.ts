import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadHost } from "../../src/cli/host/load-host.ts";
import { openIssuer, type TestIssuer } from "../host/callers/open-issuer.ts";
import { type Hosted, openHosted } from "../host/hosted.ts";
import { keyOf } from "../setup/keys.ts";
import { callOf, LIST, postMessage, readAnswer } from "../setup/post-message.ts";
import {
  ALL,
  CALLERS,
  EXPLORE,
  type MadeCaller,
  type MadeTool,
  makeCuration,
  makeHostFile,
  makeSpec,
  mayCall,
  mayExplore,
  SERVERS,
  tokenName,
} from "./access-matrix.ts";

// Every key and token × every tool of every server × list, call, call by a former name, explore: allowed exactly where it was granted.

let folder: string;
let host: Hosted;
const reports: string[] = [];
let issuer: TestIssuer;
/** The operations of the requests that came, by tenant. */
const seen = new Map<string, string[]>();
const upstream = createServer((request: IncomingMessage, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://upstream");
  const tenant = searchParams.get("tenant") ?? "none";
  seen.set(tenant, [...(seen.get(tenant) ?? []), pathname.slice("/v1/".length)]);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});

async function authorizationOf({ name, server, scope }: MadeCaller): Promise<string> {
  return scope === undefined ? `Bearer ${keyOf(name)}` : tokenFor(server, scope);
}

async function tokenFor(server: string, scope: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: `${server} ${scope}`, tenant_id: tokenName(server, scope), scope };
  return `Bearer ${await issuer.sign({ ...claims, aud: `http://127.0.0.1/mcp/${server}`, iat: now, exp: now + 300 })}`;
}

beforeAll(async () => {
  issuer = await openIssuer();
  folder = mkdtempSync(join(tmpdir(), "vitrine-matrix-"));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const files = {
    "spec.json": makeSpec(),
    "flat.yaml": makeCuration(false),
    "grouped.yaml": makeCuration(true),
    "host.yaml": makeHostFile(issuer.issuer),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  const env = { API: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1` };
  const running = { env, secrets: [], report: (line: string) => reports.push(line) };
  const { served, problems } = await loadHost(join(folder, "host.yaml"), running);
  if (served === undefined) throw new Error(JSON.stringify(problems));
  host = await openHosted(served);
}, 60_000);
afterAll(async () => {
  await host?.end();
  await issuer?.close();
  rmSync(folder, { recursive: true });
  upstream.close();
  upstream.closeAllConnections();
});

beforeEach(() => seen.clear());

async function post(server: string, authorization: string | undefined, body: object) {
  const response = await postMessage(`${host.url}/mcp/${server}`, authorization, body);
  const text = await response.text();
  return { status: response.status, text, json: readAnswer(text) };
}

/** Tools by the names under which the curation has them: of a group its actions. */
async function listFor(caller: MadeCaller): Promise<string[]> {
  const { json } = await post(caller.server, await authorizationOf(caller), LIST);
  const tools: { name: string; inputSchema: { properties?: { action?: { enum: string[] } } } }[] = json.result.tools;
  return tools.flatMap(({ name, inputSchema }) => inputSchema.properties?.action?.enum ?? [name]).toSorted();
}

/** Whether a call was run; else there is no such tool, in the very same words. */
async function isRun(caller: MadeCaller, name: string): Promise<boolean> {
  const { json, text } = await post(caller.server, await authorizationOf(caller), callOf(name));
  if (json.error === undefined) expect(json.result.isError, text).not.toBe(true);
  else expect(json.error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
  return json.error === undefined;
}

/** The same of an action, through any tool that could hold it: one that is hidden is no value of any. */
async function isRunInGroup(caller: MadeCaller, action: string): Promise<boolean> {
  const runs = await Promise.all(
    ["desk", "desk_write"].map(async (name) => {
      const { json } = await post(caller.server, await authorizationOf(caller), callOf(name, { action }));
      if (json.error !== undefined) expect(json.error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
      else if (json.result.isError === true)
        expect(JSON.parse(json.result.content[0].text)).toMatchObject({ error: "invalid_arguments", path: "action" });
      else return true;
      return false;
    }),
  );
  return runs.includes(true);
}

const operationsOf = ({ name }: MadeTool): readonly string[] =>
  name === "walk_reading" ? ["get", "get_public"] : name === "walk_writing" ? ["get", "drop"] : [name];

describe.each(CALLERS.map((caller) => [caller.name, caller] as const))("%s", (tenant, caller) => {
  test("is listed exactly what it may call, and calls exactly that, by any name", async () => {
    const allowed = ALL.filter((tool) => mayCall(caller, tool));
    const explore = mayExplore(caller) ? EXPLORE : [];
    expect(await listFor(caller)).toEqual(
      [...allowed.map(({ name }) => name), ...explore, "describe_access"].toSorted(),
    );
    const { isGrouped } = SERVERS[caller.server]!;
    const tries = await Promise.all(
      ALL.map(async ({ name }) =>
        isGrouped
          ? [name, await isRunInGroup(caller, name)]
          : [name, await isRun(caller, name), await isRun(caller, `old_${name}`)],
      ),
    );
    for (const [name, ...ran] of tries) {
      const isAllowed = allowed.some((tool) => tool.name === name);
      expect([name, ...ran]).toEqual([name, ...ran.map(() => isAllowed)]);
    }
    const times = isGrouped ? 1 : 2;
    const wanted = allowed.flatMap((tool) => Array.from({ length: times }, () => operationsOf(tool)).flat());
    const came = Object.fromEntries([...seen].map(([who, operations]) => [who, operations.toSorted()]));
    expect(came).toEqual(wanted.length === 0 ? {} : { [tenant]: wanted.toSorted() });
  });

  test("explores only where nothing is hidden from it, and then only reads", async () => {
    for (const operation of ["get_internal", "query", "add", "drop_public"]) {
      const body = callOf("call_operation", { operation, arguments: [] });
      const { json } = await post(caller.server, await authorizationOf(caller), body);
      if (!mayExplore(caller)) expect(json.error?.message).toBe("Unknown tool: call_operation");
    }
    expect([...seen]).toEqual(mayExplore(caller) ? [[tenant, ["get_internal"]]] : []);
  });

  test("is nobody at another server", async () => {
    for (const server of Object.keys(SERVERS).filter((one) => one !== caller.server))
      for (const body of [LIST, callOf("get")])
        expect((await post(server, await authorizationOf(caller), body)).status).toBe(401);
    expect(seen.size).toBe(0);
  });
});

const strangers: [title: string, authorization: () => Promise<string | undefined>, status: number][] = [
  ["a key whose time is over", async () => `Bearer ${keyOf("over")}`, 401],
  ["a key that nobody has", async () => `Bearer ${keyOf("nobody")}`, 401],
  ["a token without the scope that all need", () => tokenFor("flat", "change"), 403],
  ["a token with another scope", () => tokenFor("flat", "user"), 403],
  ["a token for another server", () => tokenFor("group", "use"), 401],
  ["nothing", async () => undefined, 401],
];
test.each(strangers)("%s lists and calls nothing", async (_, authorization, status) => {
  for (const body of [LIST, ...ALL.map(({ name }) => callOf(name)), callOf("describe_access")])
    expect((await post("flat", await authorization(), body)).status).toBe(status);
  expect(seen.size).toBe(0);
});
