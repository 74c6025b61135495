import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../setup/program.ts";

// What is installed beside us, as package-lock.json has it.

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Either, as npm says where both ask for it. */
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => readFileSync(join(repository, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const lock: { packages: Record<string, Locked> } = JSON.parse(read("package-lock.json"));
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");
const installed = packages.filter(([, one]) => !(one.dev || one.optional || one.devOptional));

test("every package is pinned to its bytes, and comes from no other place than a registry", () => {
  const loose = packages.filter(
    ([, { integrity, resolved }]) =>
      !integrity?.startsWith("sha512-") || (resolved !== undefined && !resolved.startsWith("https://")),
  );
  expect(loose).toEqual([]);
});

test("every package that we ask for is asked for in one version", () => {
  const asked = ["dependencies", "optionalDependencies", "devDependencies"].flatMap((kind) =>
    Object.entries<string>(manifest[kind]),
  );
  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("nothing that users install runs a script of its own when it is installed", () => {
  expect(packages.filter(([, one]) => one.hasInstallScript && one.dev !== true)).toEqual([]);
});

test("users install few packages; one more is a decision", () => {
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(20);
  expect(installed.length).toBeLessThanOrEqual(120);
});

test("CI installs what is locked and nothing else", () => {
  const commands = [".ci/run", "test/setup/install-once.ts"].map(read).join("\n");
  expect(commands).toMatch(/^npm ci$/m);
  expect(commands).toContain('"npm", ["ci"');
  expect(commands).not.toMatch(/npm (i|install)\b/);
});
