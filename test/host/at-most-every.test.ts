import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "../../src/host/at-most-every.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const done: number[] = [];
  const start = Date.now();
  return { done, ...atMostEvery(100, () => done.push(Date.now() - start)) };
}

test("what is asked for is done at once, and what is asked for meanwhile once, when the time is over", () => {
  const { done, ask } = open();
  for (let at = 0; at < 250; at += 1) {
    ask();
    ask();
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1_000);
  expect(done).toStrictEqual([0, 100, 200, 300]);
  ask();
  expect(done).toStrictEqual([0, 100, 200, 300, 1_250]);
});

test("nothing is done after it was stopped, also what was asked for before", () => {
  const { done, ask, stop } = open();
  ask();
  ask();
  stop();
  ask();
  vi.advanceTimersByTime(1_000);
  expect(done).toStrictEqual([0]);
});
