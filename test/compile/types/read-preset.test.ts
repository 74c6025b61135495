import { expect, test } from "vitest";
import { isTellable } from "../../../src/compile/types/read-preset.ts";
import type { Json } from "../../../src/model/json.ts";

const HIDDEN = "plain\u{e0041}";

test.each<[value: Json, isTold: boolean]>([
  ["plain", true],
  [HIDDEN, false],
  [["plain", 1, null, true], true],
  [["plain", [HIDDEN]], false],
  [{ name: { inner: "plain" } }, true],
  [{ name: { inner: HIDDEN } }, false],
  [{ [HIDDEN]: 1 }, false],
  [{ name: [{ [HIDDEN]: "plain" }] }, false],
])("whether %j is told: %s", (value, isTold) => {
  expect(isTellable(value)).toBe(isTold);
});
