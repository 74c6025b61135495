import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, PEERS, type Peer } from "../mcp/peers.ts";
import { keyOf } from "../setup/keys.ts";
import { haveRedis } from "../setup/redis.ts";
import { openReplicas, type Replicas } from "./replicas/open-replicas.ts";
import { ITEMS } from "./replicas/shop.ts";

// Three replicas behind a proxy that asks who is ready; they are restarted one after the other while the official clients of both eras are at work.

const RESTARTS = Number(process.env["VITRINE_RESTARTS"] ?? 3);
/** Of each kind of client. */
const CLIENTS = Number(process.env["VITRINE_ROLLING_CLIENTS"] ?? 1);

let opened: Replicas;

beforeAll(async () => {
  if (haveRedis) opened = await openReplicas({ servers: { shop: undefined }, keys: { ann: "shop" } }, [0, 0, 0]);
}, 60_000);
afterAll(() => opened?.close());

interface Work {
  isOver: boolean;
  walks: number;
  /** Texts of notes that were confirmed, and answered as written. */
  readonly written: string[];
  readonly faults: string[];
}

/** Comes, walks through all pages, writes a note, and goes, again and again. */
async function keepWorking(peer: Peer, number: number, work: Work): Promise<void> {
  const target = { url: `${opened.proxy.url}/mcp/shop`, headers: { authorization: `Bearer ${keyOf("ann")}` } };
  for (let at = 0; !work.isOver; at += 1) {
    try {
      const client = await connect(peer, target);
      const ask = async (name: string, args: object): Promise<Record<string, unknown>> => {
        const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
        if (isError === true) throw new Error(JSON.stringify(content));
        return structuredContent as Record<string, unknown>;
      };
      if ((await client.listTools()).tools.length !== 2) throw new Error("Not all tools were listed.");
      const ids: string[] = [];
      let pageToken: unknown;
      do {
        const page = await ask("list_items", pageToken === undefined ? {} : { pageToken });
        ids.push(...(page["data"] as { id: string }[]).map(({ id }) => id));
        pageToken = page["nextPageToken"];
      } while (pageToken !== undefined);
      if (ids.join() !== ITEMS.join()) throw new Error(`A walk gave ${ids}.`);
      work.walks += 1;
      const text = `${peer} ${number} ${at}`;
      const asking = await ask("add_note", { text });
      const { confirm } = asking["confirmation"] as { confirm: string };
      if ((await ask("add_note", { text, confirm }))["text"] !== text) throw new Error(`${text} was not written.`);
      work.written.push(text);
      await client.close();
    } catch (error) {
      work.faults.push(`${peer}: ${error}`);
    }
  }
}

describe.skipIf(!haveRedis)("replicas that are restarted one after the other", () => {
  test(
    "are noticed by no client of either era: pages go on and confirmations count wherever they are asked for, each once",
    async ({ annotate }) => {
      const work: Work = { isOver: false, walks: 0, written: [], faults: [] };
      const clients = Array.from({ length: CLIENTS }, (_, number) => PEERS.map((peer) => ({ peer, number }))).flat();
      const working = Promise.all(clients.map(({ peer, number }) => keepWorking(peer, number, work)));
      const { proxy, shop, replicas } = opened;
      const calls: number[] = [];
      try {
        for (let at = 0; at < RESTARTS; at += 1) {
          const before = proxy.asked.length;
          const { running } = replicas[0]!;
          running.child.kill("SIGTERM");
          expect(await running.ended()).toBe(0);
          replicas.shift();
          replicas.push(await opened.start());
          calls.push(proxy.asked.length - before);
        }
      } finally {
        work.isOver = true;
        await working;
      }
      await annotate(
        `${RESTARTS} restarts, ${work.walks} walks, ${proxy.asked.length} calls, ${proxy.passedOn.length} of them answered by another than was asked first`,
      );
      expect(work.faults).toStrictEqual([]);
      // Nobody was sent to one that was about to end; busy is what a machine makes them that has much else to do.
      expect(proxy.passedOn.filter((why) => !why.includes("busy"))).toStrictEqual([]);
      // There was always somebody at work.
      expect(Math.min(...calls)).toBeGreaterThan(0);
      expect(work.walks).toBeGreaterThan(0);
      expect(shop.notes.toSorted()).toStrictEqual(work.written.toSorted());
      expect(new Set(shop.notes).size).toBe(shop.notes.length);
    },
    20_000 + RESTARTS * 15_000,
  );
});
