import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyOf } from "../../setup/keys.ts";
import { callOf } from "../../setup/post-message.ts";
import { haveRedis, startRedis } from "../../setup/redis.ts";
import { openShop, writeShop } from "../replicas/shop.ts";
import { ask, callTool, startWorkers, until } from "./start-workers.ts";

describe.skipIf(!haveRedis)("workers of a host over a store", () => {
  test("are replicas of each other and of those elsewhere", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-workers-"));
    const [redis, shop] = await Promise.all([startRedis(), openShop()]);
    const file = writeShop(folder, redis.url, { servers: { shop: "4/min" }, keys: { ann: "shop", bob: "shop" } });
    const env = { SHOP_URL: shop.url, VITRINE_SECRET: "a secret of all replicas" };
    const hosts = ["2", "1"].map((count) => startWorkers(["host", file, "--workers", count], env));
    try {
      const origins = await Promise.all(
        hosts.map(
          async ({ running }) => `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`,
        ),
      );
      const [both, elsewhere] = origins.map((origin) => `${origin}/mcp/shop`) as [string, string];
      await until(async () => /^vitrine_replicas 3$/m.test((await ask(`${origins[0]}/metrics`)).text));
      const statuses: number[] = [];
      for (let at = 0; at < 6; at += 1) {
        hosts[0]!.only(hosts[0]!.pids()[at % 2]!);
        const url = at < 4 ? both : elsewhere;
        statuses.push((await ask(url, callOf("list_items"), `Bearer ${keyOf("ann")}`)).status);
      }
      expect(statuses).toStrictEqual([200, 200, 200, 200, 429, 429]);
      const { confirmation } = await callTool(both, "add_note", { text: "once" }, `Bearer ${keyOf("bob")}`);
      const confirmed = { text: "once", confirm: confirmation.confirm };
      hosts[0]!.all();
      expect(await callTool(elsewhere, "add_note", confirmed, `Bearer ${keyOf("bob")}`)).toStrictEqual({
        text: "once",
      });
      expect((await callTool(both, "add_note", confirmed, `Bearer ${keyOf("bob")}`)).note).toContain("used already");
    } finally {
      for (const host of hosts) host.close();
      await shop.close();
      await redis.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
