import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RedisServer, startRedis } from "../../setup/redis.ts";
import { openRoundRobin, type RoundRobin } from "./round-robin.ts";
import { openShop, type Shop, type ShopHost, writeShop } from "./shop.ts";
import { type Replica, startReplica } from "./start-replica.ts";

export interface Replicas {
  readonly redis: RedisServer;
  readonly shop: Shop;
  /** Before those that run: whoever is put in or taken out is seen. */
  readonly proxy: RoundRobin;
  readonly replicas: Replica[];
  /** Their host file. */
  readonly file: string;
  /** Writes it anew. */
  write(settings: ShopHost): void;
  /** One more process, which the proxy does not know yet. */
  start(): Promise<Replica>;
  close(): Promise<void>;
}

/** Processes of the built program that serve a shop over one real Redis, behind a proxy; a process for each of `aheadMs`, by which its clock is wrong. */
export async function openReplicas(settings: ShopHost, aheadMs: readonly number[]): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-replicas-"));
  const [redis, shop] = await Promise.all([startRedis(), openShop()]);
  const write = (next: ShopHost): string => writeShop(folder, redis.url, next);
  const file = write(settings);
  const env = { SHOP_URL: shop.url, VITRINE_SECRET: "a secret of all replicas" };
  const replicas: Replica[] = [];
  let proxy: RoundRobin | undefined;
  const close = async (): Promise<void> => {
    for (const { running } of replicas) running.child.kill("SIGKILL");
    await proxy?.close();
    await shop.close();
    redis.thaw();
    await redis.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    replicas.push(...(await Promise.all(aheadMs.map((ms) => startReplica(file, env, ms)))));
    proxy = await openRoundRobin(() => replicas.map(({ port }) => port));
    return { redis, shop, proxy, replicas, file, write, start: () => startReplica(file, env), close };
  } catch (error) {
    await close();
    throw error;
  }
}
