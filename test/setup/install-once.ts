import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs a folder's packages once for their lock file; `program` is there when it is done. With `CI` set a failed install fails the run; else
 * the tests that need it are skipped, and that is said.
 */
export function installOnce(folder: string, what: string, program: string, options: readonly string[] = []): void {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write(`Installing ${what} for the tests\n`);
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund", ...options], { cwd: folder, encoding: "utf8" });
  if (done.status === 0 && existsSync(program)) {
    writeFileSync(stamp, lock);
    return;
  }
  if (process.env["CI"]) throw new Error(`Installing ${what} failed: ${done.stderr}`);
  process.stderr.write(`\n*** Installing ${what} failed; its tests are SKIPPED.\n${done.stderr.slice(-1000)}\n`);
}
