import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Entered, openAdmission } from "../../../src/host/limits/admit-calls.ts";

const LIMITS = { running: 2, runningOfCaller: 2, runningAlone: 2, waiting: 4, waitMs: 1000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Enters, and says in which order calls came in and were refused. */
function openRoom(limits = LIMITS) {
  const admission = openAdmission(limits);
  const inside = new Map<string, Entered>();
  const order: string[] = [];
  return {
    order,
    async enter(name: string, caller: string, signal = never(), server = "ledger") {
      void admission.enter(server, caller, signal).then((answer) => {
        order.push(answer.kind === "entered" ? name : `${name} ${answer.status}`);
        if (answer.kind === "entered") inside.set(name, answer);
      });
      await vi.advanceTimersByTimeAsync(0);
    },
    async leave(name: string) {
      inside.get(name)!.leave();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe("calls of a server", () => {
  test("come in at once up to the bound, and then when others leave", async () => {
    const { enter, leave, order } = openRoom();
    for (const name of ["1", "2", "3"]) await enter(name, "a");
    expect(order).toStrictEqual(["1", "2"]);
    await leave("1");
    expect(order).toStrictEqual(["1", "2", "3"]);
  });

  test("come in by turns of their callers, so that one with many does not keep out one with few", async () => {
    const { enter, leave, order } = openRoom();
    for (const name of ["a1", "a2", "a3", "a4"]) await enter(name, "a");
    for (const name of ["b1", "c1"]) await enter(name, name[0]!);
    for (const name of ["a1", "a2", "a3", "b1"]) await leave(name);
    expect(order).toStrictEqual(["a1", "a2", "a3", "b1", "c1", "a4"]);
  });

  test("are refused when their caller takes half the queue, and when the queue is full of callers with one each", async () => {
    const { enter, order } = openRoom();
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) await enter(name, "a");
    expect(order).toStrictEqual(["a1", "a2", "a5 503"]);
    for (const name of ["b1", "c1", "d1", "e1"]) await enter(name, name[0]!);
    // The second that waited of the one with two has made room.
    expect(order).toStrictEqual(["a1", "a2", "a5 503", "a4 503", "e1 503"]);
  });

  test("leave room in the queue for whoever waits with fewer", async () => {
    const { enter, leave, order } = openRoom();
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1", "b3"]) await enter(name, name[0]!);
    expect(order).toStrictEqual(["a1", "a2", "a4 503", "b2 503", "b3 503"]);
    for (const name of ["a1", "a2", "a3", "b1"]) await leave(name);
    expect(order.slice(5)).toStrictEqual(["a3", "b1", "c1", "d1"]);
  });

  test("of one caller never have all places, also where nobody else is there, and come in as soon as it has one again", async () => {
    const limits = { running: 4, runningOfCaller: 2, runningAlone: 3, waiting: 8, waitMs: 1000 };
    const { enter, leave, order } = openRoom(limits);
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) await enter(name, "a");
    expect(order).toStrictEqual(["a1", "a2", "a3"]);
    // Who comes later is not held up by those who wait for a place of their own.
    for (const name of ["b1", "b2", "b3"]) await enter(name, "b");
    expect(order).toStrictEqual(["a1", "a2", "a3", "b1"]);
    await leave("a1");
    await leave("b1");
    expect(order.slice(4)).toStrictEqual(["b2", "b3"]);
    await leave("b2");
    await leave("b3");
    expect(order).toHaveLength(6);
    await leave("a2");
    await leave("a3");
    expect(order.slice(6)).toStrictEqual(["a4", "a5"]);
  });

  test("of one who was the only one for a minute have more places again, and those who waited come in first", async () => {
    const limits = { running: 4, runningOfCaller: 2, runningAlone: 3, waiting: 8, waitMs: 100_000 };
    const { enter, leave, order } = openRoom(limits);
    for (const name of ["b1", "a1", "a2", "a3", "a4"]) await enter(name, name[0]!);
    await leave("b1");
    await vi.advanceTimersByTimeAsync(59_999);
    expect(order).toStrictEqual(["b1", "a1", "a2"]);
    await vi.advanceTimersByTimeAsync(1);
    await enter("a5", "a");
    expect(order.slice(3)).toStrictEqual(["a3"]);
  });

  test("leave some places to whoever comes after one with many, who then has half of them, unless said otherwise", async () => {
    const admission = openAdmission();
    let [own, others] = [0, 0];
    const leaving: (() => void)[] = [];
    for (let at = 0; at < 64; at += 1)
      void admission.enter("ledger", "greedy", never()).then((answer) => {
        if (answer.kind !== "entered") return;
        own += 1;
        leaving.push(answer.leave);
      });
    await vi.advanceTimersByTimeAsync(0);
    expect(own).toBe(56);
    for (let at = 0; at < 32; at += 1)
      void admission.enter("ledger", `other ${at}`, never()).then(({ kind }) => {
        if (kind === "entered") others += 1;
      });
    await vi.advanceTimersByTimeAsync(0);
    expect(others).toBe(8);
    // Its own eight that wait come in no more as long as it has half.
    for (const leave of leaving.slice(0, 24)) leave();
    await vi.advanceTimersByTimeAsync(0);
    expect({ own, others }).toStrictEqual({ own: 56, others: 32 });
  });

  test("are refused when they have waited too long, and their place in the queue is free again", async () => {
    const { enter, leave, order } = openRoom();
    for (const name of ["a1", "a2", "a3"]) await enter(name, "a");
    await vi.advanceTimersByTimeAsync(1000);
    await enter("a4", "a");
    await leave("a1");
    expect(order).toStrictEqual(["a1", "a2", "a3 503", "a4"]);
  });

  test("that are cancelled while they wait take nobody's place", async () => {
    const { enter, leave, order } = openRoom();
    const cancel = new AbortController();
    for (const name of ["a1", "a2"]) await enter(name, "a");
    await enter("a3", "a", cancel.signal);
    await enter("a4", "a");
    cancel.abort();
    await leave("a1");
    await leave("a2");
    expect(order).toStrictEqual(["a1", "a2", "a3 503", "a4"]);
    await enter("a5", "a");
    expect(order.at(-1)).toBe("a5");
  });

  test("leave once, however often it is said", async () => {
    const { enter, leave, order } = openRoom();
    for (const name of ["a1", "a2", "a3", "a4"]) await enter(name, "a");
    await leave("a1");
    await leave("a1");
    expect(order).toStrictEqual(["a1", "a2", "a3"]);
  });

  test("do not hold up those of another server", async () => {
    const { enter, order } = openRoom();
    for (const name of ["a1", "a2", "a3"]) await enter(name, "a");
    await enter("b1", "a", never(), "dns");
    expect(order).toStrictEqual(["a1", "a2", "b1"]);
  });

  test("never run more than the bound at once, whoever comes and goes, and all that wait come in or are refused", async () => {
    const admission = openAdmission({ running: 3, runningOfCaller: 2, runningAlone: 2, waiting: 6, waitMs: 50 });
    let [running, most, ended, mostOfOne] = [0, 0, 0, 0];
    const inside = new Map<string, number>();
    const calls = Array.from({ length: 200 }, async (_, at) => {
      await vi.advanceTimersByTimeAsync(at % 7);
      const caller = `caller ${Math.min(3, at % 9)}`;
      const answer = await admission.enter("ledger", caller, never());
      if (answer.kind === "entered") {
        running += 1;
        inside.set(caller, (inside.get(caller) ?? 0) + 1);
        most = Math.max(most, running);
        mostOfOne = Math.max(mostOfOne, ...inside.values());
        await new Promise((resolve) => setTimeout(resolve, at % 11));
        running -= 1;
        inside.set(caller, (inside.get(caller) ?? 0) - 1);
        answer.leave();
      }
      ended += 1;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(calls);
    expect({ most, mostOfOne, ended, running }).toStrictEqual({ most: 3, mostOfOne: 2, ended: 200, running: 0 });
  });
});

function never(): AbortSignal {
  return new AbortController().signal;
}
