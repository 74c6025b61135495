import { expect, test } from "vitest";
import { openEnding } from "../../src/model/ending.ts";

test("each listener hears once of the end, in the order of their coming, with the reason to be read", () => {
  const heard: unknown[] = [];
  const { signal, abort } = openEnding();
  for (const name of ["first", "second"]) signal.addEventListener("abort", () => heard.push([name, signal.reason]));
  abort("gone");
  abort("again");
  expect(heard).toStrictEqual([
    ["first", "gone"],
    ["second", "gone"],
  ]);
  expect([signal.aborted, signal.reason]).toStrictEqual([true, "gone"]);
});

test("who has left hears nothing, also where it leaves while others are told", () => {
  const heard: string[] = [];
  const { signal, abort } = openEnding();
  const late = () => heard.push("late");
  const gone = () => heard.push("gone");
  signal.addEventListener("abort", gone);
  signal.removeEventListener("abort", gone);
  signal.addEventListener("abort", () => signal.removeEventListener("abort", late));
  signal.addEventListener("abort", late);
  abort();
  expect(heard).toStrictEqual([]);
});

test("without a reason it ends as an AbortController does", () => {
  const [own, native] = [openEnding(), new AbortController()];
  own.abort();
  native.abort();
  const told = ({ reason }: { readonly reason: unknown }) => [String(reason), reason instanceof DOMException];
  expect(told(own.signal)).toStrictEqual(told(native.signal));
});

test("who comes after the end is not told, as with an AbortSignal", () => {
  const { signal, abort } = openEnding();
  abort();
  let isTold = false;
  signal.addEventListener("abort", () => {
    isTold = true;
  });
  abort();
  expect(isTold).toBe(false);
});
