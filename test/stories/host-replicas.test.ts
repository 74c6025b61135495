import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { keyOf } from "../setup/keys.ts";
import { vitrine } from "../setup/program.ts";
import { haveRedis } from "../setup/redis.ts";
import { call } from "./replicas/call.ts";
import { openReplicas, type Replicas } from "./replicas/open-replicas.ts";
import { ITEMS, PUBLIC_URL } from "./replicas/shop.ts";
import type { Replica } from "./replicas/start-replica.ts";

// Three processes of the built program over one real Redis, behind a proxy that asks them in turn. The clocks of two of them are wrong.

const LIMIT = 200;
const AHEAD_MS = [0, 90_000, -90_000];
/** What takes a while, and on a machine that has much else to do a long while. */
const SLOW = { timeout: 30_000 };
const SETTINGS = {
  servers: { shop: undefined, metered: `${LIMIT}/h` },
  keys: { ann: "shop", bob: "shop", cat: "shop", dan: "metered", eve: "metered" },
};

let opened: Replicas;

beforeAll(async () => {
  if (!haveRedis) return;
  opened = await openReplicas(SETTINGS, AHEAD_MS);
  await vi.waitFor(() => expect(replicasSeen()).toBe(3), { timeout: 10_000 });
}, 60_000);
afterAll(() => opened?.close());

const replicasSeen = () => Number(opened.redis.ask("ZCARD", `vitrine:${PUBLIC_URL}:replicas`));
const through = (key: string, name: string, args: object = {}, server = "shop") =>
  call(`${opened.proxy.url}/mcp/${server}`, keyOf(key), name, args);
const at = ({ port }: Replica, key: string, name: string, args: object = {}, server = "shop") =>
  call(`http://127.0.0.1:${port}/mcp/${server}`, keyOf(key), name, args);

describe.skipIf(!haveRedis)("three replicas behind a proxy", { timeout: 90_000 }, () => {
  test("give the pages of one walk, each of them another replica", async () => {
    const from = opened.proxy.asked.length;
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const { status, reply } = await through("ann", "list_items", { ...(pageToken !== undefined && { pageToken }) });
      expect(status).toBe(200);
      ids.push(...(reply.data ?? []).map(({ id }) => id));
      pageToken = reply.nextPageToken;
    } while (pageToken !== undefined);
    expect(ids).toStrictEqual(ITEMS);
    const asked = opened.proxy.asked.slice(from);
    expect(asked).toHaveLength(ITEMS.length / 2);
    for (const [before, port] of asked.slice(1).entries()) expect(port).not.toBe(asked[before]);
  });

  test("count a confirmation once, wherever it was given and however many times it comes at once", async () => {
    for (const [made, giver] of opened.replicas.entries()) {
      const text = `made on ${made}`;
      const asking = await at(giver, "ann", "add_note", { text });
      const args = { text, confirm: asking.reply.confirmation?.confirm };
      // The others first; the one that gave it last.
      const order = [1, 2, 3].map((step) => opened.replicas[(made + step) % opened.replicas.length]!);
      const answers = await Promise.all([...order, ...order].map((one) => at(one, "ann", "add_note", args)));
      expect(answers.filter(({ reply }) => reply["text"] === text)).toHaveLength(1);
      expect(answers.filter(({ reply }) => reply.confirmation !== undefined)).toHaveLength(5);
      expect(opened.shop.notes.filter((one) => one === text)).toHaveLength(1);
    }
  });

  test("admit together what the limit says, within two percent", async () => {
    const statuses: number[] = [];
    const calls = Array.from({ length: LIMIT * 1.5 }).values();
    const work = async (): Promise<void> => {
      for (const _ of calls) statuses.push((await through("dan", "list_items", {}, "metered")).status);
    };
    await Promise.all(Array.from({ length: 12 }, work));
    const admitted = statuses.filter((status) => status === 200).length;
    expect(Math.abs(admitted - LIMIT)).toBeLessThanOrEqual(LIMIT * 0.02);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - admitted);
  });

  test("refuse a key all together, within two seconds where it was revoked, and when one was told that the file is another", async () => {
    const statuses = async (key: string) =>
      Promise.all(opened.replicas.map(async (one) => (await at(one, key, "list_items")).status));
    expect([await statuses("bob"), await statuses("cat")]).toStrictEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    await vi.waitFor(
      async () => expect(await vitrine(["key", "revoke", opened.file, "bob"])).toMatchObject({ code: 0 }),
      SLOW,
    );
    await vi.waitFor(async () => expect(await statuses("bob")).toStrictEqual([401, 401, 401]), { timeout: 2_000 });
    const { cat: _, ...keys } = SETTINGS.keys;
    opened.write({ ...SETTINGS, keys });
    opened.replicas[1]!.running.child.kill("SIGHUP");
    await vi.waitFor(async () => expect(await statuses("cat")).toStrictEqual([401, 401, 401]), SLOW);
    expect(await statuses("ann")).toStrictEqual([200, 200, 200]);
  });

  test("lose with one that is killed only what was on its way there, and write nothing twice", async () => {
    const [victim] = opened.replicas as [Replica];
    const [asked, spare] = [await at(victim, "ann", "add_note", { text: "slow" }), "of the dead"];
    const given = await at(victim, "ann", "add_note", { text: spare });
    const slow = { text: "slow", confirm: asked.reply.confirmation?.confirm };
    let release = (): void => {};
    opened.shop.hold = new Promise((resolve) => {
      release = resolve;
    });
    const lost = at(victim, "ann", "add_note", slow).catch(() => "lost");
    await vi.waitFor(() => expect(opened.shop.notes).toContain("slow"));
    let isOver = false;
    const [good, faults]: [unknown[], unknown[]] = [[], []];
    const work = async (): Promise<void> => {
      while (!isOver) {
        const { status, reply } = await through("ann", "list_items", { limit: 3 });
        (status === 200 && reply.data?.[2]?.id === ITEMS[2] ? good : faults).push(reply["text"]);
      }
    };
    const workers = 6;
    const working = Promise.all(Array.from({ length: workers }, work));
    await vi.waitFor(() => expect(opened.proxy.running(victim.port)).toBeGreaterThan(0), { interval: 1 });
    victim.running.child.kill("SIGKILL");
    expect(await lost).toBe("lost");
    const before = good.length;
    try {
      await vi.waitFor(() => expect(good.length).toBeGreaterThan(before + 50), SLOW);
    } finally {
      isOver = true;
      await working;
    }
    release();
    opened.shop.hold = undefined;
    // Each of them had one call on its way at most.
    expect(faults.length).toBeLessThanOrEqual(workers);
    // What it was asked to write is not written again; what it had only asked about is written by another.
    const again = await through("ann", "add_note", slow);
    expect(again.reply.confirmation).toBeDefined();
    expect(
      (await through("ann", "add_note", { text: spare, confirm: given.reply.confirmation?.confirm })).reply,
    ).toEqual({
      text: spare,
    });
    expect(opened.shop.notes.filter((one) => one === "slow" || one === spare)).toStrictEqual(["slow", spare]);
    await vi.waitFor(() => expect(replicasSeen()).toBe(2), SLOW);
    opened.replicas.splice(0, 1, await opened.start());
  });
});
