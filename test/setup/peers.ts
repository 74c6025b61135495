import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "peers");

/** Node 24 from npm, for clients that do not run on our floor. */
export const node24 = join(FOLDER, "node_modules", ".bin", "node");
export const aiSdkClient = join(FOLDER, "ai-sdk-client.mjs");
export const havePeers = (): boolean => existsSync(node24);

/** vitest globalSetup: installs the peers once for their lock file. With `CI` set a failed install fails the run; else their tests are skipped. */
export default function installPeers(): void {
  const lock = createHash("sha256")
    .update(readFileSync(join(FOLDER, "package-lock.json")))
    .digest("hex");
  const stamp = join(FOLDER, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write("Installing MCP clients of others for the tests\n");
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FOLDER, encoding: "utf8" });
  if (done.status === 0 && existsSync(node24)) {
    writeFileSync(stamp, lock);
    return;
  }
  if (process.env["CI"]) throw new Error(`The test clients cannot be installed: ${done.stderr}`);
  process.stderr.write(
    `\n*** The test clients cannot be installed; their tests are SKIPPED.\n${done.stderr.slice(-1000)}\n`,
  );
}
