import { expect, test } from "vitest";
import { rememberBounded } from "../../src/model/remember.ts";

test("what a text leads to is made once, what is undefined too, and so many are kept", () => {
  const asked: string[] = [];
  const read = rememberBounded(2, (text): number | undefined => {
    asked.push(text);
    return text === "" ? undefined : text.length;
  });
  expect(["", "", "abc", "abc", ""].map(read)).toStrictEqual([undefined, undefined, 3, 3, undefined]);
  expect(asked).toStrictEqual(["", "abc"]);
  expect(["x", "abc"].map(read)).toStrictEqual([1, 3]);
  expect(asked).toStrictEqual(["", "abc", "x", "abc"]);
});
