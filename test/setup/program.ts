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

const SECRET = /KEY|SECRET|TOKEN|PASS|CRED/;

/** Throws where a program shows one of the secrets that it was given, whatever the test looks for. */
export function refuseSecrets(text: string, env: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(env)) {
    const secrets = SECRET.test(name)
      ? value.split(",").filter((one) => one.length >= 8 && !one.startsWith("http"))
      : [];
    if (secrets.some((secret) => text.includes(secret))) throw new Error(`The program showed ${name}: ${text}`);
  }
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
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  refuseSecrets(stdout + stderr, options.env);
  return { code, stdout, stderr };
}
