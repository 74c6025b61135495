import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyOf } from "../../setup/keys.ts";
import { callOf, LIST } from "../../setup/post-message.ts";
import { openShop, type Shop, type ShopHost, writeShop } from "../replicas/shop.ts";
import { ask, callTool, isThere, startWorkers, until, type Workers } from "./start-workers.ts";

// A host of two processes over no store: what one process counts and remembers, they count and remember together.

const PER_MINUTE = 4;
const HOST: ShopHost = {
  servers: { shop: undefined, slow: `${PER_MINUTE}/min` },
  keys: { ann: "shop", bob: "shop", eve: "slow" },
};

/** Has an error in it that nothing catches, when it is told to. */
const FAULTY = `data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { throw new Error("a fault"); });`)}`;

let folder: string;
let shop: Shop;
let workers: Workers;
let origin: string;

const bearer = (name: string): string => `Bearer ${keyOf(name)}`;
const statusOf = async (server: string, key: string, message: object): Promise<number> =>
  (await ask(`${origin}/mcp/${server}`, message, bearer(key))).status;
const linesOf = (event: string): { worker?: number }[] =>
  workers.running.err.map((line) => JSON.parse(line)).filter((line) => line.event === event);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-workers-"));
  shop = await openShop();
  const file = writeShop(folder, undefined, HOST);
  workers = startWorkers(["host", file, "--workers", "2"], { SHOP_URL: shop.url }, ["--import", FAULTY]);
  const listening = JSON.parse(await workers.running.said("err", '"listening"'));
  expect(listening).toMatchObject({ workers: 2, servers: 2, keys: 3 });
  origin = `http://127.0.0.1:${listening.port}`;
}, 60_000);
afterAll(async () => {
  workers?.close();
  await shop?.close();
  rmSync(folder, { recursive: true });
});

test("each is ready when it is told that all serve", async () => {
  for (const pid of workers.pids()) {
    workers.only(pid);
    expect((await ask(`${origin}/readyz`)).status).toBe(200);
  }
  workers.all();
  expect(linesOf("listening")).toHaveLength(1);
});

test("a confirmation that one gave counts at the other, once over both", async () => {
  const [one, other] = workers.pids() as [number, number];
  const url = `${origin}/mcp/shop`;
  workers.only(one);
  const { confirmation } = await callTool(url, "add_note", { text: "once" }, bearer("ann"));
  const confirmed = { text: "once", confirm: confirmation.confirm };
  workers.only(other);
  expect(await callTool(url, "add_note", confirmed, bearer("ann"))).toStrictEqual({ text: "once" });
  workers.only(one);
  expect((await callTool(url, "add_note", confirmed, bearer("ann"))).note).toContain("was used already");
  workers.all();
  expect(shop.notes).toStrictEqual(["once"]);
});

test("the rate of a caller is over both", async () => {
  const statuses: number[] = [];
  for (let at = 0; at < PER_MINUTE + 2; at += 1) {
    workers.only(workers.pids()[at % 2]!);
    statuses.push(await statusOf("slow", "eve", callOf("list_items")));
  }
  workers.all();
  expect(statuses).toStrictEqual([200, 200, 200, 200, 429, 429]);
});

test("at SIGHUP both read the files again, and nobody notices who calls meanwhile", async () => {
  const work = { isOver: false, answered: 0, others: [] as unknown[] };
  const callers = Array.from({ length: 4 }, async () => {
    while (!work.isOver) {
      const status = await statusOf("shop", "ann", callOf("list_items")).catch(String);
      if (status === 200) work.answered += 1;
      else work.others.push(status);
    }
  });
  await until(() => work.answered > 5);
  writeShop(folder, undefined, { ...HOST, keys: { ann: "shop", eve: "slow" } });
  workers.running.child.kill("SIGHUP");
  await until(() => new Set(linesOf("reloaded").map(({ worker }) => worker)).size === 2);
  const then = work.answered;
  await until(() => work.answered > then + 5);
  work.isOver = true;
  await Promise.all(callers);
  expect(work.others).toStrictEqual([]);
  for (const pid of workers.pids()) {
    workers.only(pid);
    expect(await statusOf("shop", "bob", LIST)).toBe(401);
    expect(await statusOf("shop", "ann", LIST)).toBe(200);
  }
  workers.all();
});

test("one that ends is replaced, and the log says so", async () => {
  const [one, other] = workers.pids() as [number, number];
  process.kill(other, "SIGTERM");
  const ended = JSON.parse(await workers.running.said("err", '"worker_ended"'));
  expect(ended).toMatchObject({ level: "error", code: 0, signal: null, worker: 2 });
  await workers.running.said("err", '"worker_back"');
  expect(workers.pids()).toHaveLength(2);
  expect(workers.pids()).toContain(one);
  expect(workers.pids()).not.toContain(other);
  expect(await statusOf("shop", "ann", LIST)).toBe(200);
});

test("one in which nothing caught an error is replaced while its calls end, and then ends", async () => {
  const [one] = workers.pids() as [number];
  process.kill(one, "SIGUSR2");
  expect(JSON.parse(await workers.running.said("err", '"uncaught":true'))).toMatchObject({
    message: expect.stringContaining("a fault"),
  });
  expect(JSON.parse(await workers.running.said("err", '"worker_ended"'))).toMatchObject({ code: 70 });
  await workers.running.said("err", '"worker_back"');
  await until(() => !isThere(one));
  expect(workers.pids()).toHaveLength(2);
  expect(await statusOf("shop", "ann", LIST)).toBe(200);
});

test("at SIGTERM all of it ends with 0, and has said nothing but lines of JSON", async () => {
  const pids = workers.pids();
  workers.running.child.kill("SIGTERM");
  expect(await workers.running.ended()).toBe(0);
  expect(pids.filter(isThere)).toStrictEqual([]);
  expect(workers.running.out).toStrictEqual([]);
  for (const event of ["draining", "ended"]) expect(linesOf(event)).toHaveLength(1);
});
