import { afterEach, describe, expect, test, vi } from "vitest";
import { type HostState, openState, type StateFact } from "../../../src/host/shared/open-state.ts";
import { haveRedis } from "../../setup/redis.ts";
import { useRedis } from "./use-redis.ts";

const redis = useRedis();
const open: { readonly state: HostState; readonly heard: string[]; readonly facts: StateFact[] }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ state }) => state.close()));
});

async function openReplicas(count: number) {
  for (let at = 0; at < count; at += 1) {
    const [heard, facts]: [string[], StateFact[]] = [[], []];
    const tell = (fact: StateFact): void => void facts.push(fact);
    const state = await openState({ publicUrl: "https://tools.example.com", shared: redis.url, tell });
    state.writes.onWrite((server) => heard.push(server));
    open.push({ state, heard, facts });
  }
  await within(4_000, () => expect(open.map(({ state }) => state.replicas())).toStrictEqual(open.map(() => count)));
  return open;
}

const within = (ms: number, check: () => unknown) => vi.waitFor(check, { timeout: ms, interval: 5 });
const countsOf = (server: string) => open.map(({ state }) => state.writes.of(server).count());

test("without a store a write is told to those of the process, by its server", async () => {
  const state = await openState({ publicUrl: "https://tools.example.com", tell: () => undefined });
  const heard: string[] = [];
  const stop = state.writes.onWrite((server) => heard.push(server));
  state.writes.of("one").add();
  state.writes.of("one").add();
  stop();
  state.writes.of("two").add();
  expect(heard).toStrictEqual(["one", "one"]);
  expect(["one", "two", "three"].map((name) => state.writes.of(name).count())).toStrictEqual([2, 1, 0]);
});

describe.skipIf(!haveRedis)("replicas", () => {
  test("hear of the others' writes, by the server alone, and of their own once", async () => {
    const [first, second, third] = await openReplicas(3);
    first!.state.writes.of("one").add();
    await within(2_000, () => expect(countsOf("one")).toStrictEqual([1, 1, 1]));
    second!.state.writes.of("two").add();
    third!.state.writes.of("one").add();
    await within(2_000, () => expect([...countsOf("one"), ...countsOf("two")]).toStrictEqual([2, 2, 2, 1, 1, 1]));
    expect(open.map(({ heard }) => heard.toSorted())).toStrictEqual([0, 1, 2].map(() => ["one", "one", "two"]));
  });

  test("are told of a thousand writes a few times, and the last of them is not lost", async () => {
    const [first, second] = await openReplicas(2);
    for (let at = 0; at < 1_000; at += 1) {
      first!.state.writes.of("one").add();
      if (at % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
    await within(2_000, () =>
      expect(Number(redis.ask("HGET", "vitrine:https://tools.example.com:written", "one"))).toBe(2),
    );
    await within(2_000, () => expect(second!.heard.length).toBeGreaterThan(0));
    expect(second!.heard.length).toBeLessThanOrEqual(2);
  });

  test("hear of what another one told just before they told of their own", async () => {
    const [first] = await openReplicas(2);
    redis.ask("HINCRBY", "vitrine:https://tools.example.com:written", "one", "1");
    first!.state.writes.of("one").add();
    await within(2_000, () => expect(first!.heard).toStrictEqual(["one", "one"]));
  });

  test("say when they cannot tell the others, and tell them when the store is back", async () => {
    const [first, second] = await openReplicas(2);
    await redis.kill();
    try {
      first!.state.writes.of("one").add();
      first!.state.writes.of("one").add();
      await within(4_000, () => expect(first!.facts).toContainEqual({ kind: "writes_untold" }));
      expect(countsOf("one")).toStrictEqual([2, 0]);
    } finally {
      await redis.start();
    }
    await within(8_000, () => expect(second!.heard).toContain("one"));
    expect(first!.facts.filter(({ kind }) => kind === "writes_untold")).toHaveLength(1);
  });

  test("take a flushed store for one that may have known of writes", async () => {
    const [first, second] = await openReplicas(2);
    first!.state.writes.of("one").add();
    await within(2_000, () => expect(second!.heard).toStrictEqual(["one"]));
    redis.ask("FLUSHALL");
    await within(3_000, () => expect(second!.heard).toStrictEqual(["one", "one"]));
  });
});
