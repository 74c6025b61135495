import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openEnding } from "../../../src/model/ending.ts";
import { waitOrEnd } from "../../../src/run/exchange/wait-or-end.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("waits as long as it is told", async () => {
  let isOver = false;
  const waiting = waitOrEnd(100, openEnding().signal).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(isOver).toBe(true);
});

test.each(["before", "meanwhile"])(
  "rejects with the reason where the signal ends %s, and leaves no timer",
  async (when) => {
    const { signal, abort } = openEnding();
    if (when === "before") abort("gone");
    const waiting = waitOrEnd(100, signal);
    abort("gone");
    await expect(waiting).rejects.toBe("gone");
    expect(vi.getTimerCount()).toBe(0);
  },
);
