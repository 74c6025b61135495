import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepThread } from "../../src/cli/toolset/keep-thread.ts";

let folder: string;
let program: URL;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-keep-"));
  const file = join(folder, "count.mjs");
  const code = `let count = 0;
parentPort.on("message", ({ id, job }) => job === "wait" || parentPort.postMessage({ id, answer: ++count }));`;
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${code}`);
  program = pathToFileURL(file);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a thread that ends late does not take the place of the one after it away", async () => {
  const thread = keepThread<string, number>({ program, what: "Counting" });
  expect(await thread.ask("one")).toBe(1);
  const lost = thread.ask("wait").catch((error: unknown) => String(error));
  thread.end();
  const next = thread.ask("two");
  // The end of the first is heard of by now, and the second goes on counting.
  expect(await lost).toContain("Counting ended with");
  expect([await next, await thread.ask("three")]).toStrictEqual([1, 2]);
  thread.end();
});

test("a thread that nobody asks for a while ends, and another begins with the next question", async () => {
  const thread = keepThread<string, number>({ program, what: "Counting", idleMs: 20 });
  expect([await thread.ask("one"), await thread.ask("two")]).toStrictEqual([1, 2]);
  await expect.poll(() => thread.ask("three"), { interval: 60 }).toBe(1);
  thread.end();
});
