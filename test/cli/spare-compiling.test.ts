import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { HAS_BUDGET, INTERRUPT_BUDGET, spareCompiling } from "../../src/cli/draft/spare-compiling.ts";

const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });

test("the budget that is set again in the end is V8's own: under another the code that was kept of the program would not be taken", () => {
  expect(/--interrupt-budget=(\d+)/.exec(options)?.[1]).toBe(HAS_BUDGET ? String(INTERRUPT_BUDGET) : undefined);
});

test("what is run gives what it gives, and fails as it fails", async () => {
  await expect(spareCompiling(async () => 42)).resolves.toBe(42);
  await expect(spareCompiling(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("V8 tidies up beside the program by itself, as it does again in the end", () => {
  expect(options).toMatch(/default: --incremental-marking$/m);
});
