import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "vitrine-processes-"));
const program = join(folder, "write-events.mjs");
beforeAll(async () => {
  const main = new URL("../fixtures/telemetry/write-events.ts", import.meta.url).pathname;
  await build({ entryPoints: [main], outfile: program, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });

interface Written {
  readonly tool: string;
  readonly key_id: string;
  readonly lost?: number;
}

/** Every line of the file and of those put aside; throws at one that is torn. */
function readAll(path: string, name: string): Written[] {
  return readLines(path, name).map((line) => JSON.parse(line) as Written);
}

function readLines(path: string, name: string): string[] {
  return (
    readdirSync(path)
      .filter((file) => file.startsWith(name))
      .flatMap((file) => readFileSync(join(path, file), "utf8").split(/(?<=\n)/))
      // A file that was put aside may have left an empty one in its place.
      .filter((line) => line !== "")
  );
}

const NAMES = Array.from({ length: 8 }, (_, at) => `p${at}`);

async function runEight(file: string, count: number, maxBytes: number): Promise<string> {
  const children = NAMES.map((name) => start(join(folder, file), String(count), name, String(maxBytes)));
  let said = "";
  for (const { stderr } of children) stderr?.on("data", (text) => (said += text));
  await Promise.all(children.map((child) => once(child, "close")));
  return said;
}

describe("eight processes write to one file", () => {
  test("and every line of 10,000 each is whole, and there", async () => {
    expect(await runEight("all", 10_000, 1_000_000_000)).toBe("");
    const lines = readAll(folder, "all");
    expect(lines).toHaveLength(80_000);
    for (const name of NAMES) {
      const own = lines.filter((line) => line.key_id === name).map(({ tool }) => tool);
      expect(own).toStrictEqual(Array.from({ length: 10_000 }, (_, at) => `t${at}`));
    }
  }, 120_000);

  test("and none is lost while it is put aside again and again", async () => {
    expect(await runEight("aside", 2_000, 1_200_000)).toBe("");
    const lines = readAll(folder, "aside");
    expect(readdirSync(folder).filter((file) => file.startsWith("aside")).length).toBeGreaterThan(1);
    expect(readdirSync(folder)).not.toContain(".aside.rotating");
    const seen = lines.map(({ key_id, tool }) => `${key_id} ${tool}`).toSorted();
    const want = NAMES.flatMap((name) => Array.from({ length: 2_000 }, (_, at) => `${name} t${at}`)).toSorted();
    expect(seen).toStrictEqual(want);
  }, 120_000);
});

test("a process that exits before it has written what it gathered writes it then", async () => {
  await once(start(join(folder, "exited"), "exit", "e"), "close");
  expect(readAll(folder, "exited").map(({ tool }) => tool)).toStrictEqual(["t0", "a", "b"]);
});

describe("a process that is killed", () => {
  test("leaves a whole line for every call that was answered, of 32 at a time", async () => {
    const child = start(join(folder, "killed"), "endless", "k");
    const answered: string[] = [];
    const lines = createInterface({ input: child.stdout! });
    lines.on("line", (line) => {
      answered.push(`t${line}`);
      if (answered.length === 2_000) child.kill("SIGKILL");
    });
    await once(lines, "close");
    const left = readLines(folder, "killed");
    // The system may end a write within it: the piece is of a call in flight, and whoever opens the file next ends its line.
    const whole = left.at(-1)?.endsWith("\n") ? left : left.slice(0, -1);
    const written = whole.map((line) => (JSON.parse(line) as Written).tool);
    expect(answered.length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(written).size).toBe(written.length);
    expect(answered.filter((tool) => !written.includes(tool))).toStrictEqual([]);
    // No more than those in flight were written and not answered.
    expect(written.length - answered.length).toBeLessThanOrEqual(32);
  });
});
