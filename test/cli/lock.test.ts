import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { version } from "../../src/cli/version.ts";
import { readManifest } from "../../src/surface/read-manifest.ts";
import { type Ran, run } from "./fake-shell.ts";

const home = mkdtempSync(join(tmpdir(), "lock-"));
afterAll(() => rmSync(home, { recursive: true }));

/** A copy of the shop's files in a folder of its own. */
function openShop(name: string): { folder: string; file: string; lock: string; page: string; spec: string } {
  const folder = join(home, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync("test/fixtures/cli", folder, { recursive: true });
  const at = (path: string) => join(folder, path);
  return {
    folder,
    file: at("curation/shop.yaml"),
    lock: at("curation/shop.lock.json"),
    page: at("curation/shop.tools.md"),
    spec: at("specs/shop.yaml"),
  };
}

const replaceIn = (file: string, before: string, after: string): void => {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
};

const lock = (file: string, ...more: string[]): Promise<Ran> => run(["tools", file, "--lock", ...more]);
let shop = openShop("shop");
beforeEach(() => {
  shop = openShop("shop");
});

describe("a lock", () => {
  test("is written beside the curation, and is then the one of today", async () => {
    const { code, out, err } = await lock(shop.file);
    expect([code, err]).toStrictEqual([0, ""]);
    expect(out).toBe(`${shop.lock} is written\n${shop.page} is written\n`);
    expect(readdirSync(join(shop.folder, "curation")).filter((name) => name.includes("tmp"))).toStrictEqual([]);
    expect(readManifest(readFileSync(shop.lock, "utf8")).made).toStrictEqual({
      vitrine: version,
      from: [{ path: "../specs/shop.yaml", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(readFileSync(shop.page, "utf8")).toMatch(/^# `shop`\n[\s\S]*## `shop_get_item`\n/);
    expect((await lock(shop.file, "--check")).code).toBe(0);
  });

  test("is the manifest as --json prints it", async () => {
    await lock(shop.file);
    expect(readFileSync(shop.lock, "utf8")).toBe((await run(["tools", "--json", shop.file])).out);
  });

  test("has the same bytes in two folders, whatever the environment holds", async () => {
    const other = openShop("elsewhere/further/down");
    await lock(shop.file);
    const env = { SHOP_URL: "http://canary.example.com", SHOP_KEY: "canary-key", SHOP_TRACE: "canary-trace" };
    await run(["tools", other.file, "--lock"], { env });
    for (const name of ["lock", "page"] as const) {
      const text = readFileSync(other[name], "utf8");
      expect(text).toBe(readFileSync(shop[name], "utf8"));
      expect(text).not.toMatch(/canary|lock-|further/);
    }
  });

  test("stays as it is where nothing is new", async () => {
    await lock(shop.file);
    const before = statSync(shop.lock);
    expect((await lock(shop.file)).out).toBe(`${shop.lock} stays as it is\n${shop.page} stays as it is\n`);
    expect(statSync(shop.lock)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });
});

describe("--lock --check", () => {
  const cases: readonly (readonly [title: string, change: () => void, want: RegExp])[] = [
    ["a lock that is missing", () => rmSync(shop.lock), /shop\.lock\.json is missing\./],
    ["a page that is missing", () => rmSync(shop.page), /shop\.tools\.md is missing\./],
    [
      "another spec",
      () => writeFileSync(shop.spec, `${readFileSync(shop.spec, "utf8")}\n`),
      /shop\.lock\.json is stale: \.\.\/specs\/shop\.yaml changed\./,
    ],
    [
      "another version of vitrine",
      () => replaceIn(shop.lock, `"vitrine": "${version}"`, '"vitrine": "0.0.1"'),
      /stale: vitrine 0\.0\.1 made it, and this is /,
    ],
    ["a lock that is no manifest", () => writeFileSync(shop.lock, "{}"), /stale: it is not a manifest/],
    ["a lock that was edited", () => replaceIn(shop.lock, '"default": 2', '"default": 3'), /shop\.lock\.json is stale/],
    [
      "a page that was edited",
      () => replaceIn(shop.page, "Get an item", "Get one item"),
      /shop\.tools\.md is stale:\n[\s\S]* {2}- Get one item\n {2}\+ Get an item\n/,
    ],
    [
      "another text of the curation",
      () => replaceIn(shop.file, "Prices are in euro.", "Prices are in dollars."),
      / {2}- Prices are in euro\.[\s\S]*\+ Prices are in dollars\./,
    ],
  ];
  test.each(cases)("finds %s", async (_, change, want) => {
    await lock(shop.file);
    change();
    const files = readdirSync(join(shop.folder, "curation"));
    const { code, out, err } = await lock(shop.file, "--check");
    expect(code).toBe(1);
    expect(out).toMatch(want);
    expect(err).toContain("--lock");
    expect(readdirSync(join(shop.folder, "curation"))).toStrictEqual(files);
  });

  test("takes the line ends that Git makes on Windows", async () => {
    await lock(shop.file);
    for (const file of [shop.lock, shop.page]) writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect((await lock(shop.file, "--check")).code).toBe(0);
  });

  test("shows nothing that acts on a terminal or on a log that is read for commands", async () => {
    await lock(shop.file);
    writeFileSync(shop.page, "::error::x\n\u001B[31m##[group]\n");
    const { out } = await lock(shop.file, "--check");
    expect(out).not.toMatch(/^\s*::|##\[|\u001B/m);
  });
});

describe("no lock is made", () => {
  test("of a curation of which the spec breaks a tool", async () => {
    const file = join(shop.folder, "curation/half-broken.yaml");
    const { code, err } = await lock(file);
    expect(code).toBe(1);
    expect(err).toContain("mend the errors");
    expect(existsSync(join(shop.folder, "curation/half-broken.lock.json"))).toBe(false);
  });

  test("where one of the files cannot be written, and none is left half-done", async () => {
    mkdirSync(shop.lock);
    const { code, err } = await lock(shop.file);
    expect(code).toBe(2);
    expect(err).toMatch(/shop\.lock\.json: cannot be written \(E\w+\)\./);
    expect(existsSync(shop.page)).toBe(false);
    expect(readdirSync(join(shop.folder, "curation")).filter((name) => name.includes("tmp"))).toStrictEqual([]);
  });

  test.each([
    [["--check"], /--check goes with --lock/],
    [["--lock", "--json"], /leave out --json/],
    [["--lock", "--read-only"], /leave out --read-only/],
    [["--lock", "--expose=flat"], /leave out --expose/],
    [["--lock", "--tags", "a"], /leave out --tags/],
  ])("%j", async (more, want) => {
    const { code, err } = await run(["tools", shop.file, ...more]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
  });
});

describe("an API without a curation", () => {
  const where = ["--base-url", "https://api.example.com"];
  test("has the tools by which it is explored", async () => {
    const { code, out } = await run(["tools", "--spec", shop.spec, ...where]);
    expect(code).toBe(0);
    expect(out).toMatch(/\(3 tools, \d+ tokens\)/);
    expect(out).toContain("  sends    * (any operation that only reads)\n");
    const manifest = readManifest((await run(["tools", "--spec", shop.spec, ...where, "--json"])).out);
    expect(manifest.made.from).toMatchObject([{ path: "shop.yaml" }]);
    expect((await run(["tools", "--spec", shop.spec, ...where, "--profile", "cursor"])).code).toBe(0);
  });

  test("is no curation, and has no lock", async () => {
    expect((await run(["tools"])).err).toContain("CURATION is missing");
    expect((await run(["tools", "--spec", shop.spec, "--lock"])).err).toContain("leave out --spec");
    expect((await run(["tools", shop.file, "--spec", shop.spec])).code).toBe(2);
  });
});
