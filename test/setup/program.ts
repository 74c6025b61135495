import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "..", "..");
/** The program as users run it: the bundle that the globalSetup `build.ts` made. */
export const program = join(repository, "dist", "vitrine.js");
/** A cache of the tests' own, so that no run depends on the user's. */
const cache = mkdtempSync(join(tmpdir(), "vitrine-cache-"));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a started program: nothing of the test's own but what it needs to run. */
export function cleanEnv(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: cache, XDG_CACHE_HOME: cache, ...more };
}

/** Runs one command line to its end. */
export async function vitrine(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; stdin?: string } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? repository,
    env: cleanEnv(options.env),
  });
  child.stdin.end(options.stdin ?? "");
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return await new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}
