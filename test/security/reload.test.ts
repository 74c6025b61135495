import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadHost } from "../../src/cli/host/load-host.ts";
import { openHosted } from "../host/hosted.ts";
import { hashOf } from "../setup/keys.ts";
import { type RunningHost, startHost } from "./running-host.ts";

// The files of a host as they are changed by people and by machines, while it is served.

const ITEM = { type: "object", properties: { id: { type: "string" } } };
const JSON_OBJECT = {
  "application/json": { schema: { type: "object", properties: { items: { type: "array", items: ITEM } } } },
};
const SPEC = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/items": { get: { operationId: "find", responses: { 200: { description: "Ok.", content: JSON_OBJECT } } } },
  },
});
const curationOf = (tool: string): string => `vitrine: 1
api: { spec: ./spec.json, baseUrl: "\${env.API}" }
server: { name: desk }
tools:
  ${tool}: { operation: find, use: Find what is there. }
`;
const HOST = `listen: 127.0.0.1:0
publicUrl: http://127.0.0.1
servers:
  a: { curation: ./a.yaml, root: ., env: [API], allowPrivate: [127.0.0.0/8] }
  b: { curation: ./b.yaml, root: ., env: [API], allowPrivate: [127.0.0.0/8] }
keys:
  ann: { hash: "${hashOf("ann")}", server: a }
  bob: { hash: "${hashOf("bob")}", server: b }
`;
const FILES = {
  "spec.json": SPEC,
  "a.yaml": curationOf("find_one"),
  "b.yaml": curationOf("find_b"),
  "host.yaml": HOST,
};

const upstream = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"items":[{"id":"i1"},{"id":"i2"}]}');
});
let env: Record<string, string>;
let host: RunningHost | undefined;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  env = { API: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1` };
});
afterEach(async () => {
  await host?.end();
  host = undefined;
});
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});

const LONG = { timeout: 20_000, interval: 20 };
const toolsOf = async (key = "ann", server = "a"): Promise<string[]> =>
  (await host!.ask(server, key, "tools/list")).json.result.tools.map(({ name }: { name: string }) => name);
const count = (event: string): number => host!.lines.filter((line) => line["event"] === event).length;

describe("what cannot be served changes nothing, and is told at its place", () => {
  const faults: [title: string, spoil: (folder: string) => void][] = [
    ["a host file that is half written", (f) => writeFileSync(join(f, "host.yaml"), HOST.slice(0, HOST.length / 2))],
    ["an empty host file", (f) => writeFileSync(join(f, "host.yaml"), "")],
    ["a host file that is gone", (f) => rmSync(join(f, "host.yaml"))],
    ["a curation that is gone", (f) => rmSync(join(f, "a.yaml"))],
    ["a curation that is half written", (f) => writeFileSync(join(f, "a.yaml"), curationOf("find_two").slice(0, 60))],
    ["a spec that is cut", (f) => writeFileSync(join(f, "spec.json"), SPEC.slice(0, -20))],
    [
      "a key of a server that is not there",
      (f) => writeFileSync(join(f, "host.yaml"), HOST.replace("server: b", "server: c")),
    ],
  ];
  test("whatever it is, and when it is mended it is served", async () => {
    host = await startHost(FILES, env);
    for (const [title, spoil] of faults) {
      const [rejected, reloaded] = [count("reload_rejected"), count("reloaded")];
      spoil(host.folder);
      host.hangUp();
      await expect.poll(() => count("reload_rejected"), { ...LONG, message: title }).toBeGreaterThan(rejected);
      expect([title, await toolsOf()]).toEqual([title, ["find_one"]]);
      expect([title, (await fetch(`${host.url}/readyz`)).status]).toEqual([title, 200]);
      host.write(FILES);
      host.hangUp();
      await expect.poll(() => count("reloaded"), { ...LONG, message: title }).toBeGreaterThan(reloaded);
    }
    const places = host.lines.filter(({ event }) => event === "finding").map(({ at }) => String(at));
    expect(places.filter((at) => !/:\d+:\d+$/.test(at))).toEqual([]);
    expect(places.length).toBeGreaterThan(2);
  }, 120_000);
});

test("a folder that is exchanged behind a link, as Kubernetes does, is seen", async () => {
  host = await startHost({ ...FILES, "v1/a.yaml": curationOf("find_one"), "v2/a.yaml": curationOf("find_two") }, env);
  const [current, next] = [join(host.folder, "current"), join(host.folder, "next")];
  symlinkSync("v1", current);
  host.write({ "host.yaml": HOST.replace("./a.yaml", "./current/a.yaml"), "v1/spec.json": SPEC, "v2/spec.json": SPEC });
  await expect.poll(() => count("reloaded"), LONG).toBeGreaterThan(0);
  expect(await toolsOf()).toEqual(["find_one"]);
  symlinkSync("v2", next);
  renameSync(next, current);
  await expect.poll(toolsOf, LONG).toEqual(["find_two"]);
}, 60_000);

test("while one server is written anew again and again, the callers of another get every answer", async () => {
  host = await startHost(FILES, env);
  let isOver = false;
  const statuses: unknown[] = [];
  const call = async (): Promise<void> => {
    while (!isOver) {
      const { status, json } = await host!.ask("b", "bob", "tools/call", { name: "find_b", arguments: {} });
      statuses.push(status === 200 ? (json.result.isError ?? false) : status);
    }
  };
  const callers = Promise.all([call(), call()]);
  for (let at = 0; at < 40; at += 1) {
    host.write({ "a.yaml": curationOf(`find_${"abcd"[at % 4]}x`) });
    await nextTurn();
  }
  host.write({ "a.yaml": curationOf("find_last") });
  await expect.poll(toolsOf, LONG).toEqual(["find_last"]);
  isOver = true;
  await callers;
  expect(statuses.length).toBeGreaterThan(5);
  expect(new Set(statuses)).toEqual(new Set([false]));
  // What was overwritten before it was looked at was never read.
  expect(count("reloaded")).toBeLessThan(20);
}, 60_000);

test("a page token goes on where another tool was changed meanwhile, as it would on a replica that has read its files already", async () => {
  const list = (more: string) => `vitrine: 1
api: { spec: ./spec.json, baseUrl: "\${env.API}" }
server: { name: desk }
tools:
  find_one:
    operation: find
    use: Find what is there.
    result: { rows: items, fields: { id: id }, limit: { default: 1, max: 3 } }
  ${more}: { operation: find, use: Find more of it. }
`;
  host = await startHost({ ...FILES, "a.yaml": list("find_more") }, env);
  const page = async (args: object) => {
    const { json } = await host!.ask("a", "ann", "tools/call", { name: "find_one", arguments: args });
    return json.result.structuredContent;
  };
  const first = await page({});
  expect(first.data).toEqual([{ id: "i1" }]);
  host.write({ "a.yaml": list("find_other") });
  await expect.poll(toolsOf, LONG).toContain("find_other");
  expect(await page({ pageToken: first.nextPageToken })).toMatchObject({ data: [{ id: "i2" }], hasMore: false });
}, 60_000);

test("what was served before is let go of, however often files are read anew", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-generations-"));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  const running = { env, secrets: [], report: () => {} };
  let loaded = await loadHost(join(folder, "host.yaml"), running);
  const hosted = await openHosted(loaded.served!);
  const before: WeakRef<object>[] = [];
  for (let at = 0; at < 12; at += 1) {
    writeFileSync(join(folder, "a.yaml"), curationOf(`find_n${at}`));
    const next = await loadHost(join(folder, "host.yaml"), running, loaded.parts);
    before.push(new WeakRef(loaded.served!.servers.get("a")!));
    expect(next.served!.servers.get("b")).toBe(loaded.served!.servers.get("b"));
    hosted.serve(next.served!);
    loaded = next;
  }
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const held = async (): Promise<number> => {
    await nextTurn();
    collect();
    return before.filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(held, LONG).toBeLessThan(2);
  await hosted.end();
  rmSync(folder, { recursive: true });
}, 60_000);
