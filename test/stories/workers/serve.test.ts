import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { vitrine } from "../../setup/program.ts";
import { openShop, type Shop, writeShop } from "../replicas/shop.ts";
import { ask, callTool, isThere, listTools, startWorkers, until, type Workers } from "./start-workers.ts";

// Two processes serve at one address. Which of them answers is chosen by letting no other run.

let folder: string;
let curation: string;
let shop: Shop;
let workers: Workers;
let url: string;

const serve = (...more: string[]): Workers =>
  startWorkers(["serve", curation, "--http", "127.0.0.1:0", "--workers", "2", ...more], { SHOP_URL: shop.url });
const urlOf = async ({ running }: Workers): Promise<string> =>
  (await running.said("err", "Serving")).replace(/^.* at /, "");
const countOf = async (tool: string): Promise<number> => {
  const { text } = await ask(url.replace(/mcp$/, "metrics"));
  return Number(new RegExp(`^vitrine_calls_total\\{.*tool="${tool}",outcome="ok"\\} (\\d+)$`, "m").exec(text)?.[1]);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-workers-"));
  shop = await openShop();
  writeShop(folder, undefined, { servers: {}, keys: {} });
  curation = join(folder, "shop.yaml");
  workers = serve("--watch");
  url = await urlOf(workers);
}, 60_000);
afterAll(async () => {
  workers?.close();
  await shop?.close();
  rmSync(folder, { recursive: true });
});

test("it is told once that they serve, when both do, at one port", async () => {
  await workers.running.said("err", "2 workers");
  expect(workers.pids()).toHaveLength(2);
  expect(workers.running.err).toStrictEqual([
    `Serving 2 tools of shop at ${url}`,
    `See what an agent sees, and try it, at ${new URL("/", url)}`,
    `Watching ${curation}: what you save is served.`,
    "2 workers serve it.",
  ]);
});

test("a list that one began the other goes on with", async () => {
  const [one, other] = workers.pids() as [number, number];
  workers.only(one);
  const { nextPageToken } = await callTool(url, "list_items");
  workers.only(other);
  expect((await callTool(url, "list_items", { pageToken: nextPageToken })).data).toStrictEqual([
    { id: "item-2" },
    { id: "item-3" },
  ]);
  workers.all();
});

test("what one asked to confirm counts at the other, once over both", async () => {
  const [one, other] = workers.pids() as [number, number];
  workers.only(one);
  const { confirmation } = await callTool(url, "add_note", { text: "once" });
  const confirmed = { text: "once", confirm: confirmation.confirm };
  workers.only(other);
  expect(await callTool(url, "add_note", confirmed)).toStrictEqual({ text: "once" });
  for (const pid of [one, other]) {
    workers.only(pid);
    expect((await callTool(url, "add_note", confirmed)).note).toContain("was used already");
  }
  workers.all();
  expect(shop.notes).toStrictEqual(["once"]);
});

test("/metrics counts the calls of both, whichever is asked", async () => {
  const before = await countOf("list_items");
  for (const pid of workers.pids()) {
    workers.only(pid);
    await callTool(url, "list_items");
  }
  workers.all();
  for (let at = 0; at < 5; at += 1) expect(await countOf("list_items")).toBe(before + 2);
  const { text } = await ask(url.replace(/mcp$/, "metrics"));
  expect(text).toMatch(/^vitrine_workers 2$/m);
  expect(text).toMatch(/^vitrine_build_info\{.*\} 1$/m);
});

test("the page is served by both, and tries a tool", async () => {
  for (const pid of workers.pids()) {
    workers.only(pid);
    expect((await ask(new URL("/", url).href)).text).toContain("<!doctype html>");
    const { text } = await ask(new URL("/page/api/try", url).href, { tool: "list_items", arguments: {} });
    expect(JSON.parse(text)).toMatchObject({ kind: "ran", reply: { isError: false } });
  }
  workers.all();
});

test("while the first process does not answer a confirmation is refused for now, and nothing is done", async () => {
  const { confirmation } = await callTool(url, "add_note", { text: "frozen" });
  const first = workers.running.child.pid!;
  process.kill(first, "SIGSTOP");
  const refused = await callTool(url, "add_note", { text: "frozen", confirm: confirmation.confirm });
  process.kill(first, "SIGCONT");
  expect(refused).toMatchObject({ error: "upstream_unavailable", retryable: true });
  expect(refused.message).toContain("Nothing was done");
  expect(shop.notes).not.toContain("frozen");
});

test("what is saved both serve, and it is told once", async () => {
  writeFileSync(curation, readFileSync(curation, "utf8").replace("  add_note:", "  write_note:"));
  for (const pid of workers.pids()) {
    workers.only(pid);
    await until(async () => (await listTools(url)).includes("write_note"));
  }
  workers.all();
  writeFileSync(curation, readFileSync(curation, "utf8").replace("  write_note:", "  add_note:"));
  for (const pid of workers.pids()) {
    workers.only(pid);
    await until(async () => (await listTools(url)).includes("add_note"));
  }
  workers.all();
  for (const _ of ["write_note", "add_note"]) await workers.running.said("err", "Reloaded: 2 tools.");
  expect(workers.running.err.filter((line) => line.startsWith("Reloaded"))).toHaveLength(2);
});

test("of one that is killed under load only the calls under way fail, and another takes its place", async () => {
  const work = { isOver: false, answered: 0, failed: 0 };
  const began = await countOf("list_items");
  const callers = Array.from({ length: 6 }, async () => {
    while (!work.isOver) {
      await callTool(url, "list_items").then(
        () => {
          work.answered += 1;
        },
        () => {
          work.failed += 1;
        },
      );
    }
  });
  const before = workers.pids();
  await until(() => work.answered > 20);
  const known = await countOf("list_items");
  process.kill(before[0]!, "SIGKILL");
  await workers.running.said("err", "worker 1 has ended (SIGKILL)");
  const afterKill = work.answered;
  await until(() => work.answered > afterKill + 20);
  await workers.running.said("err", "Worker 1 serves again.");
  work.isOver = true;
  await Promise.all(callers);
  expect(work.failed).toBeLessThanOrEqual(callers.length);
  expect(workers.pids()).toHaveLength(2);
  expect(workers.pids()).toContain(before[1]);
  // Counts go on from what was last told of the one that has gone.
  expect(known).toBeGreaterThan(began);
  expect(await countOf("list_items")).toBeGreaterThanOrEqual(known);
  const replaced = workers.pids().find((pid) => !before.includes(pid))!;
  workers.only(replaced);
  expect((await callTool(url, "list_items")).data).toHaveLength(2);
  workers.all();
});

// As a supervisor does that ends whatever a service has started.
test("at SIGTERM, to all of them at once, calls that run are finished, and all of it ends with 0", async () => {
  const pids = workers.pids();
  const asking = await callTool(url, "add_note", { text: "last" });
  const held = openGate();
  shop.hold = held.open;
  const last = callTool(url, "add_note", { text: "last", confirm: asking.confirmation.confirm });
  await until(() => shop.notes.includes("last"));
  for (const pid of [...pids, workers.running.child.pid!]) process.kill(pid, "SIGTERM");
  await until(() =>
    ask(new URL("/healthz", url).href).then(
      () => false,
      () => true,
    ),
  );
  held.let();
  expect(await last).toStrictEqual({ text: "last" });
  expect(await workers.running.ended()).toBe(0);
  expect(workers.running.out).toStrictEqual([]);
  expect(pids.filter(isThere)).toStrictEqual([]);
});

function openGate(): { open: Promise<void>; let(): void } {
  let opened = (): void => {};
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  return { open, let: () => opened() };
}

describe("what keeps them from serving", () => {
  const refusals: [title: string, args: () => string[], code: number, words: RegExp][] = [
    ["a mistake in the curation", () => ["test/fixtures/cli/curation/broken.yaml"], 1, /broken\.yaml:5:3 +error/g],
    ["a variable that is not set", () => ["test/fixtures/cli/curation/shop.yaml"], 2, /SHOP_URL/g],
    ["a curation that is not there", () => ["test/fixtures/cli/curation/nowhere.yaml"], 2, /no such file/g],
  ];
  test.each(refusals)("%s is told once, and ends it", async (_, args, code, words) => {
    const ran = await vitrine(["serve", ...args(), "--http", "127.0.0.1:0", "--workers", "2"]);
    expect([ran.code, ran.stdout]).toStrictEqual([code, ""]);
    expect(ran.stderr.match(words)).toHaveLength(1);
  });

  test("so does a port that is taken", async () => {
    const taken: Server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
    const ran = await vitrine(["serve", curation, "--http", address, "--workers", "2"], {
      env: { SHOP_URL: shop.url },
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr.match(/EADDRINUSE/g)).toHaveLength(1);
    taken.close();
  });
});

test("workers end with the process that started them, however it ends", async () => {
  const others = serve();
  await others.running.said("err", "2 workers");
  const pids = others.pids();
  expect(pids).toHaveLength(2);
  others.running.child.kill("SIGKILL");
  await until(() => !pids.some(isThere));
});
