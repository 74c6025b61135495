import { expect, test } from "vitest";
import { shareLookups } from "../../src/egress/share-lookups.ts";

test("a name that is asked for many times at once is looked up once, and anew when it was answered", async () => {
  const pending: { hostname: string; answer: (addresses: string[]) => void; fail: (error: Error) => void }[] = [];
  const lookup = shareLookups((hostname) => new Promise((answer, fail) => pending.push({ hostname, answer, fail })));
  const first = [lookup("a"), lookup("a"), lookup("b"), lookup("a")];
  expect(pending.map(({ hostname }) => hostname)).toEqual(["a", "b"]);
  pending[0]!.answer(["10.0.0.1"]);
  pending[1]!.fail(new Error("No."));
  const settled = await Promise.allSettled(first);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const second = [lookup("a"), lookup("b")];
  expect(pending.map(({ hostname }) => hostname)).toEqual(["a", "b", "a", "b"]);
  for (const { answer } of pending) answer(["10.0.0.2"]);
  expect(await Promise.all(second)).toEqual([["10.0.0.2"], ["10.0.0.2"]]);
});
