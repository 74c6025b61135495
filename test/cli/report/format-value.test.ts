import { expect, test } from "vitest";
import { bytes, milliseconds } from "../../../src/cli/report/format-value.ts";

test.each([
  [null, "-"],
  [0, "0"],
  [0.04, "0"],
  [18.4, "18.4"],
  [18.45, "18.5"],
  [99.96, "100"],
  [100.4, "100"],
  [1234.5, "1,235"],
  [1_234_567, "1,234,567"],
])("%j milliseconds are told as %j", (value, want) => {
  expect(milliseconds(value)).toBe(want);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [999.6, "1,000 B"],
  [1_000, "1 kB"],
  [2_540, "2.5 kB"],
  [999_999, "1,000 kB"],
  [12_300_000, "12.3 MB"],
  [1_234_567_890_123, "1,234.6 GB"],
])("%j bytes are told as %j", (value, want) => {
  expect(bytes(value)).toBe(want);
});
