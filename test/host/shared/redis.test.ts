import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Rate } from "../../../src/host/hosting.ts";
import { type HostState, openState, type StateFact } from "../../../src/host/shared/open-state.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { Once } from "../../../src/model/used-once.ts";
import { haveRedis } from "../../setup/redis.ts";
import { makeCaller, makeServer } from "../make-caller.ts";
import { useRedis } from "./use-redis.ts";

/** So often an address may be refused in a minute (docs/hosting.md). */
const MOST_FAILURES = 20;

const PUBLIC_URL = "https://tools.example.com";
const MINUTE: Rate = { calls: 60, perMs: 60_000 };

const redis = useRedis();
const open: HostState[] = [];
const facts: StateFact[] = [];

beforeEach(() => {
  facts.length = 0;
});
afterEach(async () => {
  if (haveRedis) redis.thaw();
  await Promise.all(open.splice(0).map((state) => state.close()));
});

async function openReplica(given: { publicUrl?: string; shared?: string } = {}): Promise<HostState> {
  const options = { publicUrl: PUBLIC_URL, shared: redis.url, ...given };
  const state = await openState({ ...options, tell: (fact) => void facts.push(fact) });
  open.push(state);
  return state;
}

/** Replicas that know of each other. */
async function openReplicas(count: number): Promise<HostState[]> {
  const states = await Promise.all(Array.from({ length: count }, () => openReplica()));
  await within(4_000, () => {
    expect(states.map((state) => state.replicas())).toStrictEqual(states.map(() => count));
    expect(states.map((state) => state.isDegraded())).toStrictEqual(states.map(() => false));
  });
  return states;
}

function within(ms: number, check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: ms, interval: 5 });
}

/** How many of so many calls, spread over replicas, are let in. */
async function admitted(states: readonly HostState[], calls: number, id = "ci", rate = MINUTE): Promise<number> {
  const server = makeServer({ rate });
  const asked = Array.from({ length: calls }, (_, at) =>
    states[at % states.length]!.limiter.call(makeCaller({ id }), server),
  );
  return (await Promise.all(asked)).filter((refusal) => refusal === undefined).length;
}

/** Milliseconds that something took. */
async function time(what: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await what();
  return performance.now() - start;
}

describe.skipIf(!haveRedis)("limits that replicas share", () => {
  test("three replicas let in together exactly what one would", async () => {
    const states = await openReplicas(3);
    expect(await admitted(states, 300)).toBe(60);
    expect(await admitted(states, 300)).toBe(0);
    expect(await admitted(states, 3, "another")).toBe(3);
  });

  test("so do they of all callers of a server together, and of one address", async () => {
    const states = await openReplicas(3);
    const rate = { calls: 7, perMs: 60_000 };
    const server = makeServer({ totalRate: rate });
    const at = (index: number) => states[index % 3]!.limiter;
    const calls = Array.from({ length: 50 }, (_, index) => at(index).call(makeCaller({ id: `k${index}` }), server));
    const requests = Array.from({ length: 50 }, (_, index) => at(index).arrive("203.0.113.9", rate));
    for (const answers of [await Promise.all(calls), await Promise.all(requests)])
      expect(answers.filter((one) => one === undefined)).toHaveLength(7);
  });

  test("the refusal says when the window that all share is over", async () => {
    const [first, second] = await openReplicas(2);
    const server = makeServer({ rate: { calls: 1, perMs: 60_000 } });
    await first!.limiter.call(makeCaller(), server);
    const refusal = await second!.limiter.call(makeCaller(), server);
    expect(refusal).toMatchObject({ status: 429, code: 1429 });
    const [[name, seconds]] = refusal!.headers as [[string, string]];
    expect(name).toBe("retry-after");
    expect(Number(seconds)).toBeGreaterThan(50);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  });

  test("a window that is over begins anew", async () => {
    const states = await openReplicas(2);
    const rate = { calls: 2, perMs: 1_000 };
    expect(await admitted(states, 10, "ci", rate)).toBe(2);
    await within(3_000, async () => expect(await admitted(states, 1, "ci", rate)).toBe(1));
  });

  test("hosts of other URLs over the same store count apart", async () => {
    const [one, other] = [await openReplica(), await openReplica({ publicUrl: "https://other.example.com" })];
    await within(2_000, () => expect([one.isDegraded(), other.isDegraded()]).toStrictEqual([false, false]));
    expect([await admitted([one], 100), await admitted([other], 100)]).toStrictEqual([60, 60]);
    expect([one.replicas(), other.replicas()]).toStrictEqual([1, 1]);
  });

  test("cost one round trip a call, and none who has had enough", async () => {
    const [state] = await openReplicas(1);
    await admitted([state!], 1);
    redis.ask("CONFIG", "RESETSTAT");
    const trips = () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(redis.ask("INFO", "commandstats"))?.[1] ?? 0);
    for (let at = 0; at < 40; at += 1) await admitted([state!], 1);
    expect(trips()).toBe(40);
    for (let at = 0; at < 100; at += 1) await admitted([state!], 1);
    expect(trips()).toBe(59);
  });

  test("do not take a stall of this process for one of the store", async () => {
    const [state] = await openReplicas(1);
    await admitted([state!], 1);
    const asked = admitted([state!], 3);
    const until = performance.now() + 400;
    while (performance.now() < until);
    expect(await asked).toBe(3);
    expect(state!.isDegraded()).toBe(false);
    expect(facts).toStrictEqual([]);
  });

  test("an address that others have refused too often is shut out here with its first failure", async () => {
    const [first, second] = await openReplicas(2);
    for (let at = 0; at < MOST_FAILURES; at += 1) first!.limiter.failed("203.0.113.9");
    await within(2_000, async () => expect(await first!.limiter.address("203.0.113.9")).toMatchObject({ status: 429 }));
    expect(await second!.limiter.address("203.0.113.9")).toBeUndefined();
    second!.limiter.failed("203.0.113.9");
    await within(2_000, async () =>
      expect(await second!.limiter.address("203.0.113.9")).toMatchObject({ status: 429 }),
    );
  });

  test("a replica that ends is not counted any more", async () => {
    const [first, second] = await openReplicas(2);
    await second!.close();
    await within(3_000, () => expect(first!.replicas()).toBe(1));
  });
});

describe.skipIf(!haveRedis)("a store that is killed", () => {
  afterEach(async () => {
    await redis.kill();
    await redis.start();
  });

  test("leaves each replica with its share; nobody waits, no call fails, and it is told once", async () => {
    const states = await openReplicas(3);
    await redis.kill();
    expect(await time(() => admitted(states, 30, "first"))).toBeLessThan(500);
    expect(await admitted(states, 300)).toBe(60);
    expect(await admitted(states, 300)).toBe(0);
    expect(states.map((state) => state.isDegraded())).toStrictEqual([true, true, true]);
    expect(facts).toStrictEqual(states.map(() => ({ kind: "shared_lost", why: expect.any(String) })));
  });

  test("does not give anew what was used up in this window: replicas have counted all the while", async () => {
    const states = await openReplicas(3);
    expect(await admitted(states, 60)).toBe(60);
    await redis.kill();
    expect(await admitted(states, 60)).toBe(0);
  });

  test("counts again for all within five seconds of its return", async () => {
    const states = await openReplicas(3);
    await redis.kill();
    await admitted(states, 3);
    await redis.start();
    await within(5_000, () => expect(states.map((state) => state.isDegraded())).toStrictEqual([false, false, false]));
    expect(facts.filter(({ kind }) => kind === "shared_back")).toHaveLength(3);
    expect(await admitted(states, 300, "new")).toBe(60);
  });

  test("is waited for by nobody when it is not there from the start", async () => {
    await redis.kill();
    const state = await openReplica();
    expect(await time(() => admitted([state], 100))).toBeLessThan(500);
    await within(2_000, () => expect(facts).toStrictEqual([{ kind: "shared_lost", why: "ECONNREFUSED" }]));
    await redis.start();
    await within(5_000, () => expect(state.isDegraded()).toBe(false));
  });
});

describe.skipIf(!haveRedis)("a store that hangs", () => {
  test("costs the calls that meet it a tenth of a second, and those after them nothing", async () => {
    const states = await openReplicas(3);
    redis.freeze();
    const first = await time(async () => expect(await admitted(states, 30)).toBe(30));
    expect(first).toBeLessThan(2_000);
    const rest: number[] = [];
    for (let at = 0; at < 21; at += 1) rest.push(await time(() => admitted(states, 30, "other")));
    expect(rest.toSorted((a, b) => a - b)[10]).toBeLessThan(90);
    redis.thaw();
    await within(5_000, () => expect(states.map((state) => state.isDegraded())).toStrictEqual([false, false, false]));
    expect(await admitted(states, 300, "new")).toBe(60);
  });

  test("is found again also when it hung for so long that its connections were given up", async () => {
    const [state] = await openReplicas(1);
    redis.freeze();
    await admitted([state!], 1);
    expect(state!.isDegraded()).toBe(true);
    const until = performance.now() + 4_500;
    await within(6_000, () => expect(performance.now()).toBeGreaterThan(until));
    redis.thaw();
    await within(5_000, () => expect(state!.isDegraded()).toBe(false));
  });
});

describe.skipIf(!haveRedis)("a store that refuses", () => {
  test("for a password: its name for it is told, and neither the password nor the address", async () => {
    const state = await openReplica({ shared: redis.url.replace("redis://", "redis://:canary-password@") });
    redis.ask("CONFIG", "SET", "requirepass", "another");
    try {
      const locked = await openReplica({ shared: redis.url.replace("redis://", "redis://:canary-password@") });
      await within(3_000, () => expect(facts.length).toBeGreaterThan(0));
      expect(locked.isDegraded()).toBe(true);
      expect(await admitted([locked], 100)).toBe(60);
      expect(JSON.stringify(facts)).toMatch(/WRONGPASS|NOAUTH/);
      expect(JSON.stringify(facts)).not.toMatch(/canary|127\.0\.0\.1/);
    } finally {
      redis.ask("-a", "another", "--no-auth-warning", "CONFIG", "SET", "requirepass", "");
    }
    await within(5_000, () => expect(state.isDegraded()).toBe(false));
  });

  test("because it is full: limits go on by replica, and a confirmation is not counted", async () => {
    const [state] = await openReplicas(1);
    redis.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.ask("CONFIG", "SET", "maxmemory", "1");
    try {
      expect(await admitted([state!], 100)).toBe(60);
      await expect(useNow(state!, "full")).rejects.toBeInstanceOf(ToolError);
    } finally {
      redis.ask("CONFIG", "SET", "maxmemory", "0");
    }
    await within(5_000, () => expect(state!.isDegraded()).toBe(false));
    expect(await useNow(state!, "full")).toBe(true);
  });
});

/** A confirmation that a replica makes now, its clock so many milliseconds ahead. */
function makeOnce(state: HostState, id: string, aheadMs = 0): Once {
  return { id, until: new Date(Date.now() + aheadMs + 5 * 60_000), mark: state.usedOnce!.mark() };
}

function useNow(state: HostState, id: string, one = makeOnce(state, id)): Promise<boolean> {
  return state.usedOnce!.use(one, new Date());
}

describe.skipIf(!haveRedis)("confirmations that replicas share", () => {
  test("count once, on whichever replica, however many come at once", async () => {
    const states = await openReplicas(3);
    const used = await Promise.all(Array.from({ length: 60 }, (_, at) => useNow(states[at % 3]!, "one")));
    expect(used.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await useNow(states[0]!, "other")).toBe(true);
  });

  test("count once over hosts of different URLs too: they may share the secret that confirmations are sealed with", async () => {
    const [one, other] = [await openReplica(), await openReplica({ publicUrl: "https://other.example.com" })];
    await within(2_000, () => expect([one.isDegraded(), other.isDegraded()]).toStrictEqual([false, false]));
    const confirmation = makeOnce(one, "one");
    expect([await useNow(one, "one", confirmation), await useNow(other, "one", confirmation)]).toStrictEqual([
      true,
      false,
    ]);
  });

  const lost: readonly [what: string, lose: (state: HostState) => Promise<unknown>][] = [
    ["has forgotten since when it remembers", async () => redis.ask("DEL", "vitrine:epoch")],
    ["was flushed", async () => redis.ask("FLUSHALL")],
    [
      "was restarted, also where it had saved what it knew",
      async (state) => {
        const epoch = redis.ask("GET", "vitrine:epoch");
        await redis.kill();
        await redis.start();
        redis.ask("SET", "vitrine:epoch", epoch);
        await within(5_000, () => expect(state.isDegraded()).toBe(false));
      },
    ],
  ];
  test.each(lost)(
    "that were made before the store %s are not counted, whatever clocks say; later ones are",
    async (_, lose) => {
      const [first, second] = await openReplicas(2);
      const [used, unused] = [0, 2 * 60_000].map((aheadMs) => makeOnce(first!, `ahead ${aheadMs}`, aheadMs));
      expect(await useNow(first!, "", used)).toBe(true);
      await lose(first!);
      expect([await useNow(first!, "", used), await useNow(first!, "", unused)]).toStrictEqual([false, false]);
      // Whoever is refused is asked again, and that question counts.
      expect(await useNow(first!, "again")).toBe(true);
      await within(3_000, async () => expect(await useNow(second!, `second ${Date.now()}`)).toBe(true));
    },
  );

  test("are not counted while the store hangs or is gone, and that is said; afterwards the same one counts", async () => {
    const [state] = await openReplicas(1);
    const [met, one] = [makeOnce(state!, "met"), makeOnce(state!, "one")];
    redis.freeze();
    const refusal = { code: "upstream_unavailable", detail: { retryable: true } };
    expect(await time(() => expect(useNow(state!, "met", met)).rejects.toMatchObject(refusal))).toBeLessThan(3_000);
    expect(await time(() => expect(useNow(state!, "one", one)).rejects.toMatchObject(refusal))).toBeLessThan(2_000);
    redis.thaw();
    await within(5_000, () => expect(state!.isDegraded()).toBe(false));
    expect([await useNow(state!, "one", one), await useNow(state!, "one", one)]).toStrictEqual([true, false]);
    // This one reached the store though its answer did not come: nobody can tell, so it stays used.
    expect(await useNow(state!, "met", met)).toBe(false);
  });

  test("are kept for as long as a replica whose clock is late may believe in them", async () => {
    const [state] = await openReplicas(1);
    await useNow(state!, "one");
    const ms = Number(redis.ask("PTTL", "vitrine:used:one"));
    expect(ms).toBeGreaterThan(14 * 60_000);
    expect(ms).toBeLessThanOrEqual(15 * 60_000);
  });
});

describe.skipIf(!haveRedis)("reload notices", () => {
  test("are heard by all replicas within two seconds, the one that gave it among them", async () => {
    const states = await openReplicas(3);
    const heard = states.map(() => 0);
    states.forEach((state, at) => {
      state.notices.onReload(() => {
        heard[at]! += 1;
      });
    });
    await states[1]!.notices.announceReload();
    await within(2_000, () => expect(heard).toStrictEqual([1, 1, 1]));
  });

  test("are heard late by a replica that the store could not reach, and by nobody who has stopped listening", async () => {
    const [first, second] = await openReplicas(2);
    let heard = 0;
    const stop = first!.notices.onReload(() => {
      heard += 1;
    });
    redis.ask("CLIENT", "KILL", "TYPE", "pubsub");
    await second!.notices.announceReload();
    await within(2_000, () => expect(heard).toBe(1));
    stop();
    let other = 0;
    first!.notices.onReload(() => {
      other += 1;
    });
    await second!.notices.announceReload();
    await within(2_000, () => expect(other).toBe(1));
    expect(heard).toBe(1);
  });
});
