import { expect, test } from "vitest";
import type { Identity } from "../../src/model/exchange.ts";
import { keepByCaller } from "../../src/run/keep-by-caller.ts";

const KEY = { tenant: "t-1" };
const OWN = [{ scheme: "k", credential: { kind: "mutualTLS" as const } }];
const CALLER: Identity = { id: "ci", key: KEY, credentials: OWN, subjectToken: "t" };

test.each<[title: string, other: Partial<Identity> & { signal?: AbortSignal }, isSame: boolean]>([
  ["the same caller in another call", { signal: new AbortController().signal }, true],
  ["one with claims that are equal", { key: { ...KEY } }, false],
  ["one with the very same claims and another name", { id: "other" }, false],
  ["one with credentials that are equal", { credentials: [...OWN] }, false],
  ["one with another token", { subjectToken: "u" }, false],
])("what is kept for a caller: %s", (_, other, isSame) => {
  const kept = keepByCaller<string>();
  kept.set(CALLER, "kept");
  expect(kept.get({ ...CALLER, ...other })).toBe(isSame ? "kept" : undefined);
});

test("of two callers with one object of claims each has its own", () => {
  const kept = keepByCaller<string>();
  kept.set({ id: "a", key: KEY }, "of a");
  kept.set({ id: "b", key: KEY }, "of b");
  expect(kept.get({ id: "a", key: KEY })).not.toBe("of b");
  expect(kept.get({ id: "b", key: KEY })).toBe("of b");
});
