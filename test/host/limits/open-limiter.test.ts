import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rate } from "../../../src/host/hosting.ts";
import { countHere } from "../../../src/host/limits/count-here.ts";
import { openState, type StateFact } from "../../../src/host/shared/open-state.ts";
import { makeCaller, makeServer } from "../make-caller.ts";

/** So often an address may be refused in a minute (docs/hosting.md). */
const MOST_FAILURES = 20;

async function openAlone() {
  let time = 0;
  const facts: StateFact[] = [];
  const state = await openState({
    publicUrl: "https://tools.example.com",
    tell: (fact) => void facts.push(fact),
    clock: () => time,
  });
  return { ...state, facts, pass: (ms: number) => (time += ms) };
}

const MINUTE: Rate = { calls: 3, perMs: 60_000 };

describe("calls of a caller", () => {
  test("are admitted up to the rate, and again when the window is over", async () => {
    const { limiter, pass } = await openAlone();
    const server = makeServer({ rate: MINUTE });
    const call = () => limiter.call(makeCaller(), server);
    expect([await call(), await call(), await call()]).toStrictEqual([undefined, undefined, undefined]);
    pass(20_500);
    expect(await call()).toStrictEqual({
      kind: "refused",
      status: 429,
      headers: [["retry-after", "40"]],
      code: 1429,
      message: "Too many calls: call again in 40 s.",
    });
    pass(39_499);
    expect(await call()).toMatchObject({ status: 429, headers: [["retry-after", "1"]] });
    pass(1);
    expect(await call()).toBeUndefined();
  });

  test("count apart by caller, by kind of caller and by server", async () => {
    const { limiter } = await openAlone();
    const one: Rate = { calls: 1, perMs: 60_000 };
    const call = (caller: Parameters<typeof makeCaller>[0], name = "ledger") =>
      limiter.call(makeCaller({ ...caller, server: name }), makeServer({ name, rate: one }));
    expect(await call({ id: "a" })).toBeUndefined();
    expect(await call({ id: "a" })).toMatchObject({ status: 429 });
    expect(await call({ id: "b" })).toBeUndefined();
    expect(await call({ id: "a", kind: "token" })).toBeUndefined();
    expect(await call({ id: "a" }, "dns")).toBeUndefined();
  });

  test.each([
    ["neither has a rate: any number", undefined, undefined, 50],
    ["the server's", undefined, { calls: 2, perMs: 1000 }, 2],
    [
      "the key's own in place of the server's, where it is more",
      { calls: 5, perMs: 1000 },
      { calls: 2, perMs: 1000 },
      5,
    ],
    ["and where it is less", { calls: 1, perMs: 1000 }, { calls: 2, perMs: 1000 }, 1],
  ])("%s", async (_, own, rate, want) => {
    const { limiter } = await openAlone();
    const caller = makeCaller(own && { rate: own });
    const server = makeServer(rate && { rate });
    let admitted = 0;
    for (let at = 0; at < 50; at += 1) if ((await limiter.call(caller, server)) === undefined) admitted += 1;
    expect(admitted).toBe(want);
  });
});

describe("calls of all callers of a server together", () => {
  const TOTAL: Rate = { calls: 4, perMs: 60_000 };

  test("are admitted up to the server's total rate, and who made too many is not the one that is told so", async () => {
    const { limiter, pass } = await openAlone();
    const server = makeServer({ totalRate: TOTAL });
    const call = (id: string) => limiter.call(makeCaller({ id }), server);
    for (const id of ["a", "b", "c", "a"]) expect(await call(id)).toBeUndefined();
    expect(await call("d")).toMatchObject({ status: 503, code: 1503, headers: [["retry-after", "60"]] });
    expect(await limiter.call(makeCaller({ id: "d" }), makeServer({ name: "dns", totalRate: TOTAL }))).toBeUndefined();
    pass(60_000);
    expect(await call("d")).toBeUndefined();
  });

  test("that are over a caller's own rate take nothing from the others", async () => {
    const { limiter } = await openAlone();
    const server = makeServer({ rate: { calls: 2, perMs: 60_000 }, totalRate: TOTAL });
    const call = (id: string) => limiter.call(makeCaller({ id }), server);
    for (let at = 0; at < 50; at += 1) await call("greedy");
    expect([await call("a"), await call("b")]).toStrictEqual([undefined, undefined]);
    expect(await call("c")).toMatchObject({ status: 503 });
  });
});

describe("an address", () => {
  test("has so many requests in a time, of IPv6 with its whole network, and apart from what the door refuses it", async () => {
    const { limiter, pass } = await openAlone();
    const rate: Rate = { calls: 2, perMs: 10_000 };
    const arrive = (address: string) => limiter.arrive(address, rate);
    expect([await arrive("2001:db8::1"), await arrive("2001:db8::2")]).toStrictEqual([undefined, undefined]);
    expect(await arrive("2001:db8::3")).toMatchObject({ status: 429, code: 1429, headers: [["retry-after", "10"]] });
    expect(await arrive("203.0.113.9")).toBeUndefined();
    expect(await limiter.address("2001:db8::3")).toBeUndefined();
    pass(10_000);
    expect(await arrive("2001:db8::3")).toBeUndefined();
  });

  test("is shut out for the rest of the minute when the door has refused it too often, and that is told once", async () => {
    const { limiter, facts, pass } = await openAlone();
    for (let at = 0; at < MOST_FAILURES; at += 1) {
      expect(await limiter.address("203.0.113.9")).toBeUndefined();
      limiter.failed("203.0.113.9");
      await Promise.resolve();
    }
    expect(await limiter.address("203.0.113.9")).toMatchObject({
      status: 429,
      code: 1429,
      headers: [["retry-after", "60"]],
    });
    expect(await limiter.address("::ffff:203.0.113.9")).toMatchObject({ status: 429 });
    expect(await limiter.address("203.0.113.10")).toBeUndefined();
    limiter.failed("203.0.113.9");
    await Promise.resolve();
    expect(facts).toStrictEqual([{ kind: "address_blocked", network: "203.0.113.9", ms: 60_000 }]);
    pass(60_000);
    expect(await limiter.address("203.0.113.9")).toBeUndefined();
  });

  test("of IPv6 is the network of a subscriber, in which they may choose at will", async () => {
    const { limiter } = await openAlone();
    for (let at = 0; at < MOST_FAILURES; at += 1) limiter.failed(`2001:db8:1:2::${at.toString(16)}`);
    await Promise.resolve();
    expect(await limiter.address("2001:db8:1:2:ffff::1")).toMatchObject({ status: 429 });
    expect(await limiter.address("2001:db8:1:3::1")).toBeUndefined();
  });

  test("that is asked about and never refused is never shut out", async () => {
    const { limiter } = await openAlone();
    for (let at = 0; at < 1000; at += 1) expect(await limiter.address("203.0.113.9")).toBeUndefined();
  });
});

describe("a counter of this process", () => {
  test("admits in every window that it opens exactly the share of the rate, and at least one", () => {
    const given = { calls: fc.integer({ min: 1, max: 20 }), replicas: fc.integer({ min: 1, max: 6 }) };
    const steps = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.record(given), steps, ({ calls, replicas }, gaps) => {
        let time = 0;
        const counter = countHere(10, () => time);
        let [opened, admitted, asked] = [Number.NEGATIVE_INFINITY, 0, 0];
        for (const gap of gaps) {
          time += gap;
          if (time >= opened + 100) [opened, admitted, asked] = [time, 0, 0];
          const taken = counter.take("caller", { calls, perMs: 100 }, replicas);
          asked += 1;
          if (taken.admitted) admitted += 1;
          expect(taken.msLeft).toBe(opened + 100 - time);
          expect(admitted).toBe(Math.min(asked, Math.max(1, Math.floor(calls / replicas))));
        }
      }),
    );
  });

  test("holds no more windows than it may: the oldest begin anew", () => {
    const counter = countHere(10, () => 0);
    const take = (key: string) => counter.take(key, { calls: 1, perMs: 1000 }, 1).admitted;
    expect(take("first")).toBe(true);
    expect(take("first")).toBe(false);
    for (let at = 0; at < 1000; at += 1) expect(take(`stranger ${at}`)).toBe(true);
    expect(take("stranger 999")).toBe(false);
    expect(take("first")).toBe(true);
  });
});
