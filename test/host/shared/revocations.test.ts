import { afterEach, describe, expect, test, vi } from "vitest";
import { type HostState, openState } from "../../../src/host/shared/open-state.ts";
import { revokeEverywhere } from "../../../src/host/shared/revoke-everywhere.ts";
import { haveRedis } from "../../setup/redis.ts";
import { useRedis } from "./use-redis.ts";

const PUBLIC_URL = "https://tools.example.com";
const CI = { kind: "key", id: "ci" } as const;
const SUBJECT = { kind: "token", id: "ci" } as const;

const redis = useRedis();
const open: HostState[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((state) => state.close()));
});

async function openReplica(shared: string | undefined = redis.url): Promise<HostState> {
  const state = await openState({ publicUrl: PUBLIC_URL, ...(shared && { shared }), tell: () => undefined });
  open.push(state);
  return state;
}

async function openReplicas(count: number): Promise<HostState[]> {
  const states = await Promise.all(Array.from({ length: count }, () => openReplica()));
  await within(3_000, () =>
    expect(states.map((one) => one.revocations.check(CI))).toStrictEqual(states.map(() => "good")),
  );
  return states;
}

function within(ms: number, check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: ms, interval: 5 });
}

const seenBy = (states: readonly HostState[], caller: typeof CI | typeof SUBJECT = CI) =>
  states.map((state) => state.revocations.check(caller));

describe.skipIf(!haveRedis)("a key that is revoked on one replica", () => {
  test("is refused on all within two seconds; a token of the same name is not", async () => {
    const states = await openReplicas(3);
    await states[0]!.revocations.revoke(CI);
    expect(seenBy(states)[0]).toBe("revoked");
    await within(2_000, () => expect(seenBy(states)).toStrictEqual(["revoked", "revoked", "revoked"]));
    expect(seenBy(states, SUBJECT)).toStrictEqual(["good", "good", "good"]);
  });

  test("is refused within two seconds also by a replica that hears no news", async () => {
    const states = await openReplicas(3);
    redis.ask("ACL", "SETUSER", "default", "-subscribe");
    redis.ask("CLIENT", "KILL", "TYPE", "pubsub");
    try {
      await states[0]!.revocations.revoke(CI);
      await within(2_000, () => expect(seenBy(states)).toStrictEqual(["revoked", "revoked", "revoked"]));
    } finally {
      redis.ask("ACL", "SETUSER", "default", "+subscribe");
    }
  });

  test("is refused on all when it was revoked from elsewhere, by a process that serves nobody and is no replica", async () => {
    const states = await openReplicas(2);
    await revokeEverywhere({ shared: redis.url, publicUrl: PUBLIC_URL }, CI);
    await within(2_000, () => expect(seenBy(states)).toStrictEqual(["revoked", "revoked"]));
    await within(2_000, () => expect(states.map((state) => state.replicas())).toStrictEqual([2, 2]));
  });

  test("is not said to be refused where the store cannot be told, and why is", async () => {
    await redis.kill();
    try {
      const revoking = revokeEverywhere({ shared: redis.url, publicUrl: PUBLIC_URL }, CI);
      await expect(revoking).rejects.toThrow("The shared store cannot be told: ECONNREFUSED.");
    } finally {
      await redis.start();
    }
  });

  test("is refused by a replica that starts later", async () => {
    const [first] = await openReplicas(1);
    await first!.revocations.revoke(CI);
    const later = await openReplica();
    await within(2_000, () => expect(later.revocations.check(CI)).not.toBe("unknown"));
    expect(later.revocations.check(CI)).toBe("revoked");
  });

  test("is refused until its time is over, and a later date counts", async () => {
    const states = await openReplicas(2);
    await states[0]!.revocations.revoke(CI, new Date(Date.now() + 60_000));
    await states[1]!.revocations.revoke(CI, new Date(Date.now() + 300));
    await states[1]!.revocations.revoke(SUBJECT, new Date(Date.now() + 300));
    await within(2_000, () => expect(seenBy(states, SUBJECT)).toStrictEqual(["good", "good"]));
    expect(seenBy(states)).toStrictEqual(["revoked", "revoked"]);
  });

  test("stays refused when the store was flushed: those who know tell it again, and it tells whoever comes", async () => {
    const states = await openReplicas(2);
    await states[0]!.revocations.revoke(CI);
    await within(2_000, () => expect(seenBy(states)).toStrictEqual(["revoked", "revoked"]));
    redis.ask("FLUSHALL");
    await within(3_000, () => expect(redis.ask("ZSCORE", `vitrine:${PUBLIC_URL}:revoked`, "key:ci")).not.toBe(""));
    const [later] = [await openReplica()];
    await within(2_000, () => expect(seenBy([...states, later])).toStrictEqual(["revoked", "revoked", "revoked"]));
  });

  test("stays refused while the store is gone; one that is revoked then counts here at once, and everywhere when it is back", async () => {
    const states = await openReplicas(2);
    await states[0]!.revocations.revoke(CI);
    await within(2_000, () => expect(seenBy(states)).toStrictEqual(["revoked", "revoked"]));
    await redis.kill();
    await expect(states[1]!.revocations.revoke(SUBJECT)).rejects.toMatchObject({ code: "STORE_GONE" });
    expect(seenBy(states)).toStrictEqual(["revoked", "revoked"]);
    expect(seenBy(states, SUBJECT)).toStrictEqual(["good", "revoked"]);
    await redis.start();
    await within(6_000, () => expect(seenBy(states, SUBJECT)).toStrictEqual(["revoked", "revoked"]));
  });

  test("cannot be told from others before the list was read: nobody is let in until then", async () => {
    const [first] = await openReplicas(1);
    await first!.revocations.revoke(CI);
    await redis.kill();
    const cold = await openReplica();
    expect(cold.revocations.check(CI)).toBe("unknown");
    expect(cold.revocations.check(SUBJECT)).toBe("unknown");
    expect([cold.isReady(), first!.isReady()]).toStrictEqual([false, true]);
    await redis.start();
    await within(6_000, () => expect(cold.revocations.check(SUBJECT)).toBe("good"));
    expect(cold.isReady()).toBe(true);
    await within(3_000, () => expect(cold.revocations.check(CI)).toBe("revoked"));
  });
});

test("what is revoked counts without a store too, in this process and until its time is over", async () => {
  let now = new Date("2026-11-30T12:00:00Z");
  const { revocations } = await openState({ publicUrl: PUBLIC_URL, tell: () => undefined, now: () => now });
  expect(revocations.check(CI)).toBe("good");
  await revocations.revoke(CI, new Date("2026-11-30T13:00:00Z"));
  await revocations.revoke(CI, new Date("2026-11-30T12:30:00Z"));
  await revocations.revoke({ kind: "key", id: "old" });
  now = new Date("2026-11-30T12:59:59Z");
  expect([revocations.check(CI), revocations.check(SUBJECT)]).toStrictEqual(["revoked", "good"]);
  now = new Date("2100-01-01T00:00:00Z");
  expect([revocations.check(CI), revocations.check({ kind: "key", id: "old" })]).toStrictEqual(["good", "revoked"]);
});
