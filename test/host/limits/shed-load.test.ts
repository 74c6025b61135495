import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Load, openLoadGate } from "../../../src/host/limits/shed-load.ts";

afterEach(() => void vi.useRealTimers());

describe("an overloaded process", () => {
  test.each<[string, Load, number, boolean]>([
    ["turns of the loop in time", { delayMs: 150, heap: 0.5 }, 5, false],
    ["turns of the loop too late", { delayMs: 151, heap: 0.5 }, 5, true],
    ["turns of the loop too late, which so few calls do not bring about", { delayMs: 151, heap: 0.5 }, 4, false],
    ["a heap that is nearly full, whoever fills it", { delayMs: 0, heap: 0.95 }, 1, true],
  ])("%s", (_, load, calls, isRefused) => {
    vi.useFakeTimers();
    const gate = openLoadGate({ measure: () => load });
    for (let at = 0; at < calls; at += 1) expect(gate.refusal()).toBeUndefined();
    vi.advanceTimersByTime(500);
    const refusal = { kind: "refused", status: 503, code: 1503, headers: [["retry-after", "1"]] };
    if (isRefused) expect(gate.refusal()).toMatchObject(refusal);
    else expect(gate.refusal()).toBeUndefined();
    gate.close();
  });

  test("takes calls again when it has caught up", () => {
    vi.useFakeTimers();
    const loads: Load[] = [{ delayMs: 900, heap: 0 }];
    const gate = openLoadGate({ measure: () => loads.shift() ?? { delayMs: 0, heap: 0 }, leastCalls: 0 });
    vi.advanceTimersByTime(500);
    expect(gate.refusal()).toBeDefined();
    vi.advanceTimersByTime(500);
    expect(gate.refusal()).toBeUndefined();
    gate.close();
  });

  test("is found out by how late its own loop is", async () => {
    const gate = openLoadGate({ everyMs: 100, mostDelayMs: 100, leastCalls: 1 });
    const until = performance.now() + 5_000;
    while (gate.refusal() === undefined && performance.now() < until) {
      block(250);
      await nextTurn();
    }
    expect(gate.refusal()).toMatchObject({ status: 503 });
    await vi.waitFor(() => expect(gate.refusal()).toBeUndefined(), { timeout: 10_000, interval: 20 });
    gate.close();
  });
});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
