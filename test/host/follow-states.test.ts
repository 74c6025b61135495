import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followStates } from "../../src/host/follow-states.ts";
import type { VerifiedCaller } from "../../src/host/hosting.ts";
import { makeCaller } from "./make-caller.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const looked: string[] = [];
  const reported: unknown[] = [];
  const following = followStates({ report: (error) => reported.push(error) });
  const listen = (caller: VerifiedCaller, fails = false) => {
    const response = new EventEmitter();
    const look = async (): Promise<void> => {
      looked.push(caller.id);
      if (fails) throw new Error("no answer");
    };
    following.began({ caller, response: response as ServerResponse, look });
    return () => response.emit("close");
  };
  return { looked, reported, following, listen };
}

const [ANN, BOB, CAT] = ["ann", "bob", "cat"].map((id) =>
  makeCaller({ id, server: id === "cat" ? "other" : "one" }),
) as [VerifiedCaller, VerifiedCaller, VerifiedCaller];

test("those who listen to a server are looked after when its upstream is written to, each once a second at most", () => {
  const { looked, following, listen } = open();
  for (const caller of [ANN, BOB, CAT, ANN]) listen(caller);
  expect(looked).toStrictEqual(["ann", "bob", "cat"]);
  vi.advanceTimersByTime(5_000);
  looked.length = 0;
  for (let at = 0; at < 2_500; at += 1) {
    following.written("one");
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(5_000);
  expect(looked.toSorted()).toStrictEqual(["ann", "ann", "ann", "ann", "bob", "bob", "bob", "bob"]);
});

test("where nothing is heard, within half a minute", () => {
  const { looked, listen } = open();
  listen(ANN);
  vi.advanceTimersByTime(29_999);
  expect(looked).toHaveLength(1);
  vi.advanceTimersByTime(30_001);
  expect(looked).toHaveLength(3);
});

test("nobody who listens no more is looked after, and a look that fails ends nothing", async () => {
  const { looked, reported, following, listen } = open();
  const [first, second] = [listen(ANN, true), listen(ANN, true)];
  first();
  vi.advanceTimersByTime(2_000);
  following.written("one");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(looked).toHaveLength(2);
  expect(reported).toHaveLength(2);
  second();
  following.written("one");
  vi.advanceTimersByTime(120_000);
  expect(looked).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});
