import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cleanEnv, repository } from "../setup/program.ts";

/** The package as npm would publish it, unpacked in a folder of its own; the dependencies are those of this checkout. */
function unpackPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pack-"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: repository, stdio: "ignore" });
  const [archive] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["-xzf", join(folder, archive!), "-C", folder]);
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return join(folder, "package");
}

describe("the packed package", () => {
  let root: string;
  beforeAll(() => {
    root = unpackPackage();
  });
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [join(root, "dist/vitrine.js"), ...args], {
      cwd: tmpdir(),
      env: cleanEnv(),
      encoding: "utf8",
    });

  test("runs from another folder and finds what it ships", () => {
    expect(run("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run("tools", join(root, "curation/powerdns.yaml"))).toContain("dns_list_zones");
  });

  test("the demo finds its data", async () => {
    const child = spawn(process.execPath, [join(root, "dist/vitrine.js"), "demo", "--http", "127.0.0.1:0"], {
      cwd: tmpdir(),
      env: cleanEnv(),
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout.on("data", (text) => resolve(/http:\S+\/mcp/.exec(String(text))?.[0] ?? ""));
        child.on("close", () => reject(new Error("the demo ended")));
      });
      expect((await fetch(url.replace("/mcp", "/healthz"))).status).toBe(200);
    } finally {
      child.removeAllListeners("close");
      child.kill();
    }
  });

  test("the library is there, with its types", () => {
    const script = 'import("vitrine").then((library) => process.stdout.write(Object.keys(library).join(" ")))';
    const names = execFileSync(
      process.execPath,
      ["--input-type=module", "-e", script.replace('"vitrine"', JSON.stringify(join(root, "dist/index.js")))],
      { encoding: "utf8" },
    );
    expect(names.split(" ")).toEqual(
      expect.arrayContaining(["loadApi", "loadCuration", "compileToolset", "createRunner"]),
    );
    expect(existsSync(join(root, "dist/types/index.d.ts"))).toBe(true);
  });

  test("every package whose code is bundled is named in NOTICE", () => {
    const { inputs } = JSON.parse(readFileSync(join(repository, "dist/meta.json"), "utf8")) as { inputs: object };
    const packages = Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    const notice = readFileSync(join(root, "NOTICE"), "utf8");
    expect(packages.length).toBeGreaterThan(10);
    expect([...new Set(packages)].filter((name) => !notice.includes(`${name}`))).toStrictEqual([]);
  });

  test("it brings its licence and the notices, and nothing of the tests", () => {
    const files = readdirSync(root);
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "curation", "dist", "specs"]),
    );
    expect(files).not.toContain("test");
    // It is for one Node, and most have another: all would fetch more than it saves the few.
    expect(existsSync(join(root, "dist/code"))).toBe(false);
    expect(readdirSync(join(root, "dist/page")).toSorted()).toStrictEqual(["index.html", "page.css", "page.js"]);
  });
});
