import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type HostState, openState } from "../../../src/host/shared/open-state.ts";
import { ToolError } from "../../../src/model/errors.ts";
import { haveRedis, type RedisServer, startRedis } from "../../setup/redis.ts";
import { makeCaller, makeServer } from "../make-caller.ts";

const REVOKED = { kind: "key", id: "revoked" } as const;
const REPLICAS = 3;
const RATE = { calls: 30, perMs: 600_000 };

let redis: RedisServer;
let states: HostState[] = [];

beforeAll(async () => {
  if (!haveRedis) return;
  redis = await startRedis();
  const options = { publicUrl: "https://tools.example.com", shared: redis.url, tell: () => undefined };
  states = await Promise.all(Array.from({ length: REPLICAS }, () => openState(options)));
  await vi.waitFor(() => expect(states.map((state) => state.replicas())).toStrictEqual([3, 3, 3]), { timeout: 5_000 });
});
afterAll(async () => {
  redis?.thaw();
  await Promise.all(states.map((state) => state.close()));
  await redis?.stop();
});

/** What happens to the store, one after the other; each leaves it running. */
const FAULTS: readonly [name: string, (redis: RedisServer) => Promise<void>][] = [
  ["flushed", async (it) => void it.ask("FLUSHALL")],
  [
    "frozen",
    async (it) => {
      it.freeze();
      await degraded();
      it.thaw();
    },
  ],
  [
    "killed",
    async (it) => {
      await it.kill();
      await degraded();
      await it.start();
    },
  ],
  ["cut off", async (it) => void it.ask("CLIENT", "KILL", "TYPE", "normal")],
];

async function degraded(): Promise<void> {
  await vi.waitFor(() => expect(states.map((state) => state.isDegraded())).toStrictEqual([true, true, true]), {
    timeout: 5_000,
  });
}

describe.skipIf(!haveRedis)("while the store is flushed, frozen, killed and cut off again and again", () => {
  test("a confirmation counts at most once, a revoked key is never good again, and limits hold by their bounds", async () => {
    await states[0]!.revocations.revoke(REVOKED);
    const isRevoked = () => states.map(({ revocations }) => revocations.check(REVOKED));
    await vi.waitFor(() => expect(isRevoked()).toStrictEqual(["revoked", "revoked", "revoked"]), { timeout: 2_000 });

    let isOver = false;
    const used = new Map<string, number>();
    const slow: number[] = [];
    let [tried, admitted, windows] = [0, 0, 1];
    const work = async (worker: number): Promise<void> => {
      for (let at = 0; !isOver; at += 1) {
        const id = `${worker} ${at}`;
        // Made by one of them, whose clock may be a minute from ours.
        const until = new Date(Date.now() + 5 * 60_000 + ((at % 3) - 1) * 60_000);
        const one = { id, until, mark: states[at % REPLICAS]!.usedOnce!.mark() };
        const start = performance.now();
        // The same confirmation on every replica, and once more afterwards.
        const all = [...states, ...states].map((state) => state.usedOnce!.use(one, new Date()));
        for (const one of await Promise.allSettled(all)) {
          tried += 1;
          if (one.status === "rejected") expect(one.reason).toBeInstanceOf(ToolError);
          else if (one.value) used.set(id, (used.get(id) ?? 0) + 1);
        }
        const answers = states.map(({ limiter }) => limiter.call(makeCaller(), makeServer({ rate: RATE })));
        admitted += (await Promise.all(answers)).filter((refusal) => refusal === undefined).length;
        slow.push(performance.now() - start);
        expect(isRevoked()).toStrictEqual(["revoked", "revoked", "revoked"]);
        // Other work has its turn.
        await wait(2);
      }
    };
    const working = Promise.all([work(1), work(2), work(3)]);
    for (const [name, fault] of [...FAULTS, ...FAULTS]) {
      await fault(redis);
      // What the store counted is lost, so a window begins anew; while it is gone each replica has its share of one.
      windows += name === "flushed" || name === "killed" ? 1 : 0;
      const before = used.size;
      // It is found again, and counts confirmations again that were made since.
      await vi.waitFor(
        () => {
          expect(states.map((state) => state.isDegraded())).toStrictEqual([false, false, false]);
          expect(used.size).toBeGreaterThan(before + 5);
        },
        { timeout: 8_000 },
      );
    }
    isOver = true;
    await working;
    expect([...used.values()].filter((times) => times > 1)).toStrictEqual([]);
    expect(used.size).toBeGreaterThan(50);
    expect(tried).toBeGreaterThan(used.size * 6 - 1);
    expect(Math.max(...slow)).toBeLessThan(2_500);
    expect(admitted).toBeLessThanOrEqual((windows + 1) * RATE.calls);
  });
});
