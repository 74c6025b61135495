import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repository, vitrine } from "../setup/program.ts";

// Two people lock the same files, each on a machine of their own.

const home = mkdtempSync(join(tmpdir(), "vitrine-lock-"));
afterAll(() => rmSync(home, { recursive: true }));

const CURATIONS = ["ledger", "stripe", "powerdns-write", "unleash"];

function checkOut(name: string): string {
  const folder = join(home, name);
  for (const part of ["curation", "specs"]) cpSync(join(repository, part), join(folder, part), { recursive: true });
  return folder;
}

test.each(CURATIONS)(
  "the lock of %s has the same bytes in two folders, compiled anew and from the cache",
  async (name) => {
    const [one, other] = [checkOut("one"), checkOut("a/longer/way/to/the/other")];
    const cache = join(home, `cache-${name}`);
    const env = { XDG_CACHE_HOME: cache, HOME: cache };
    const lock = (cwd: string, ...more: string[]) =>
      vitrine(["tools", `curation/${name}.yaml`, "--lock", ...more], { cwd, env });
    expect(await lock(one)).toMatchObject({ code: 0, stderr: "" });
    // From the cache now.
    expect(readdirSync(join(cache, "vitrine")).some((entry) => entry.endsWith(".toolset"))).toBe(true);
    expect(await lock(one, "--check")).toMatchObject({ code: 0, stderr: "" });
    await lock(other);
    for (const file of [`${name}.lock.json`, `${name}.tools.md`]) {
      const bytes = readFileSync(join(one, "curation", file));
      expect(bytes.equals(readFileSync(join(other, "curation", file)))).toBe(true);
      expect(bytes.includes(home)).toBe(false);
    }
  },
);
