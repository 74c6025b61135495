import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type HostState, openState, type StateFact } from "../../../src/host/shared/open-state.ts";
import { haveRedis, type RedisServer, startRedis } from "../../setup/redis.ts";
import { makeCaller, makeServer } from "../make-caller.ts";

describe.skipIf(!haveRedis)("a store that has become the replica of another, as at a failover", () => {
  let redis: RedisServer;
  let state: HostState;
  const facts: StateFact[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    const options = { shared: redis.url, publicUrl: "https://tools.example.com" };
    state = await openState({ ...options, tell: (fact) => void facts.push(fact) });
    await vi.waitFor(() => expect(state.isDegraded()).toBe(false), { timeout: 5_000 });
  });
  afterAll(async () => {
    await state?.close();
    await redis?.stop();
  });

  test("takes nothing: calls go on by this replica's own count, it is told, and all is shared again when it takes writes", async () => {
    const server = makeServer({ rate: { calls: 60, perMs: 60_000 } });
    const admitted = async (id: string): Promise<number> => {
      const calls = Array.from({ length: 100 }, () => state.limiter.call(makeCaller({ id }), server));
      return (await Promise.all(calls)).filter((refusal) => refusal === undefined).length;
    };
    // The log is lines of JSON, so nothing else may be written beside it.
    const warned: Error[] = [];
    const warn = (warning: Error): void => void warned.push(warning);
    process.on("warning", warn);
    redis.ask("REPLICAOF", "127.0.0.1", "1");
    expect(await admitted("ci")).toBe(60);
    await vi.waitFor(() => expect(state.isDegraded()).toBe(true), { timeout: 5_000 });
    expect(facts.map(({ kind }) => kind)).toContain("shared_lost");
    expect(await admitted("other")).toBe(60);
    redis.ask("REPLICAOF", "NO", "ONE");
    await vi.waitFor(() => expect(state.isDegraded()).toBe(false), { timeout: 10_000 });
    expect(await admitted("third")).toBe(60);
    process.off("warning", warn);
    expect(warned).toStrictEqual([]);
  });
});
