import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** vitest globalSetup: builds dist once, for the tests that run the program as users do. */
export default function buildOnce(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "build.mjs")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}
