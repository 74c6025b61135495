import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { start } from "../../cli/running.ts";
import { keyOf } from "../../setup/keys.ts";
import { openShop, type Shop, writeShop } from "../replicas/shop.ts";
import { ask, callTool, isThere, listTools, startWorkers, until, type Workers } from "./start-workers.ts";

// Whatever has become of the files, all workers serve the same, and what they serve changes for all of them.

let folder: string;
let curation: string;
let file: string;
let shop: Shop;
let workers: Workers;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-workers-"));
  shop = await openShop();
  file = writeShop(folder, undefined, { servers: { shop: undefined }, keys: { ann: "shop" } });
  curation = join(folder, "shop.yaml");
});
afterEach(async () => {
  workers?.close();
  await shop?.close();
  rmSync(folder, { recursive: true });
});

const openServe = async (...more: string[]): Promise<void> => {
  workers = startWorkers(["serve", curation, "--http", "127.0.0.1:0", "--workers", "2", ...more], {
    SHOP_URL: shop.url,
  });
  url = (await workers.running.said("err", "Serving")).replace(/^.* at /, "");
  await workers.running.said("err", "2 workers");
};
const openHost = async (): Promise<void> => {
  workers = startWorkers(["host", file, "--workers", "2"], { SHOP_URL: shop.url });
  const { port } = JSON.parse(await workers.running.said("err", '"listening"')) as { port: number };
  url = `http://127.0.0.1:${port}/mcp/shop`;
};
const edit = (from: string, to: string): void =>
  writeFileSync(curation, readFileSync(curation, "utf8").replace(from, to));
const rename = (): void => edit("  add_note:", "  write_note:");
const breakIt = (): void => writeFileSync(curation, "tools: [");
const replace = async (pid: number, back: string): Promise<number> => {
  const before = workers.pids();
  process.kill(pid, "SIGKILL");
  await workers.running.said("err", back);
  return workers.pids().find((one) => !before.includes(one))!;
};
const listsOf = async (authorization?: string): Promise<string[]> => {
  const lists: string[] = [];
  for (const pid of workers.pids()) {
    workers.only(pid);
    lists.push((await listTools(url, authorization)).join());
  }
  workers.all();
  return lists;
};
const OLD = "add_note,list_items";
const NEW = "list_items,write_note";

test.each([
  ["others", rename],
  ["broken", breakIt],
  ["gone", () => rmSync(curation)],
])("whoever takes the place of another serves what the others do, where the files are %s by now", async (_, change) => {
  const key = join(folder, "key.yaml");
  writeFileSync(key, "claims: { who: ann }\n");
  await openServe("--as", key);
  change();
  writeFileSync(key, "claims: [");
  for (const pid of workers.pids()) await replace(pid, "serves again");
  expect(await listsOf()).toStrictEqual([OLD, OLD]);
  expect((await callTool(url, "list_items")).data).toHaveLength(2);
});

test("with --watch it goes on from there as the others do", async () => {
  await openServe("--watch");
  breakIt();
  await workers.running.said("err", "last good");
  for (const pid of workers.pids()) await replace(pid, "serves again");
  expect(await listsOf()).toStrictEqual([OLD, OLD]);
  writeShop(folder, undefined, { servers: { shop: undefined }, keys: { ann: "shop" } });
  rename();
  await until(async () => (await listsOf()).every((list) => list === NEW));
});

test("at SIGHUP one reads the files for all, and says it", async () => {
  await openServe();
  rename();
  workers.running.child.kill("SIGHUP");
  await workers.running.said("err", "Reloaded: 2 tools.");
  await until(async () => (await listsOf()).join(" ") === `${NEW} ${NEW}`);
  breakIt();
  workers.running.child.kill("SIGHUP");
  await workers.running.said("err", "Still serving the last good toolset.");
  // The other one: whoever has read the files may have told nobody yet that it has.
  await replace(workers.pids()[1]!, "serves again");
  expect(await listsOf()).toStrictEqual([NEW, NEW]);
  const told = workers.running.err.filter((line) => /^Reloaded|^Still serving/.test(line));
  expect(told).toStrictEqual(["Reloaded: 2 tools.", "Still serving the last good toolset."]);
});

test("a SIGHUP to all of them is one to the first", async () => {
  await openServe();
  const pids = workers.pids();
  rename();
  for (const pid of [...pids, workers.running.child.pid!]) process.kill(pid, "SIGHUP");
  await until(async () => (await listsOf()).join(" ") === `${NEW} ${NEW}`);
  expect(workers.pids()).toStrictEqual(pids);
});

test("one process reads its files at SIGHUP too", async () => {
  const running = start(["serve", curation, "--http", "127.0.0.1:0"], { SHOP_URL: shop.url });
  url = (await running.said("err", "Serving")).replace(/^.* at /, "");
  rename();
  running.child.kill("SIGHUP");
  await running.said("err", "Reloaded: 2 tools.");
  expect((await listTools(url)).join()).toBe(NEW);
  running.child.kill("SIGTERM");
  expect(await running.ended()).toBe(0);
});

test("while the first process is stopped the others answer, and what they can only know by it they refuse", async () => {
  await openServe();
  const first = workers.running.child.pid!;
  const asked = await callTool(url, "add_note", { text: "once" });
  process.kill(first, "SIGSTOP");
  const confirmed = { text: "once", confirm: asked.confirmation.confirm };
  const [metrics, note] = await Promise.all([
    ask(url.replace(/mcp$/, "metrics")),
    callTool(url, "add_note", confirmed),
  ]);
  expect(metrics.status).toBe(503);
  expect(JSON.stringify(note)).not.toContain('"once"');
  expect(shop.notes).toStrictEqual([]);
  expect((await callTool(url, "list_items")).data).toHaveLength(2);
  process.kill(first, "SIGCONT");
  await until(async () => (await ask(url.replace(/mcp$/, "metrics"))).status === 200);
  expect(workers.pids().every(isThere)).toBe(true);
});

test.each([
  ["the curation is broken", breakIt],
  ["the host file is broken", () => writeFileSync(file, "listen: [")],
  ["the curation is gone", () => rmSync(curation)],
])("a worker of a host is replaced while %s, and the log says why nothing newer is served", async (_, change) => {
  await openHost();
  const authorization = `Bearer ${keyOf("ann")}`;
  change();
  await workers.running.said("err", '"reload_rejected"');
  for (const pid of workers.pids()) await replace(pid, '"worker_back"');
  expect(await listsOf(authorization)).toStrictEqual([OLD, OLD]);
  await workers.running.said("err", '"reload_rejected"');
  expect((await ask(url.replace(/mcp.*$/, "readyz"))).status).toBe(200);
  writeShop(folder, undefined, { servers: { shop: undefined }, keys: { ann: "shop" } });
  rename();
  await until(async () => (await listsOf(authorization)).every((list) => list === NEW));
});
