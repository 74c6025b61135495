import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type KeptCode, openKeptCode } from "../../src/cli/start/kept-code.ts";
import { findShippedCode, nodeName } from "../../src/cli/start/shipped-code.ts";
import { cleanEnv, repository, vitrine } from "../setup/program.ts";

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "vitrine-kept-test-"));
  folder = join(home, "vitrine");
});

const open = (command: string | undefined, script = "start.cjs", program = "build-1"): KeptCode | undefined =>
  openKeptCode({ XDG_CACHE_HOME: home }, command, script, program);
const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".code"));
const only = (): string => join(folder, files()[0]!);
const CODE = Buffer.from([0, 1, 2, 0xff, 10, 13, 0x80]);

describe("what V8 compiled", () => {
  test("is given back as it was, and only its owner may read it", () => {
    open("serve")?.store(CODE);
    expect(open("serve")?.find()).toStrictEqual(CODE);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(only()).mode & 0o777).toBe(0o600);
  });

  test("counts for its own command, script and build alone", () => {
    open("serve")?.store(CODE);
    expect(open("check")?.find()).toBeUndefined();
    expect(open("serve", "calls.cjs")?.find()).toBeUndefined();
    expect(open("serve", "start.cjs", "build-2")?.find()).toBeUndefined();
  });

  const misses: [title: string, change: () => void][] = [
    ["in a folder that others may write", () => chmodSync(folder, 0o777)],
    ["in a file that others may write", () => chmodSync(only(), 0o622)],
    ["torn", () => writeFileSync(only(), readFileSync(only()).subarray(0, -1))],
    ["empty", () => writeFileSync(only(), "")],
    [
      "with a byte changed",
      () => {
        const bytes = readFileSync(only());
        bytes[bytes.length - 2]! ^= 1;
        writeFileSync(only(), bytes);
      },
    ],
  ];
  test.each(misses)("is never run %s", (_, change) => {
    open("serve")?.store(CODE);
    change();
    expect(open("serve")?.find()).toBeUndefined();
  });

  test("is not kept in a folder that others may write", () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    open("serve")?.store(CODE);
    expect(readdirSync(folder)).toStrictEqual([]);
  });

  test("is kept of some thirty alone", () => {
    for (let at = 0; at < 35; at++) open("serve", `${at}.cjs`)?.store(CODE);
    expect(files()).toHaveLength(30);
  });

  test.each([undefined, "", "--version", "../serve", "Serve"])(
    "is not kept of what can be no command: %s",
    (command) => {
      expect(open(command)).toBeUndefined();
    },
  );
});

describe("the program", () => {
  const run = (...args: string[]) => vitrine(args, { env: { XDG_CACHE_HOME: home } });

  test("keeps what was compiled of a command that ended well, and says the same when it is taken", async () => {
    const [first, second] = [await run("schema"), await run("schema")];
    expect(first.code).toBe(0);
    expect(files().length).toBeGreaterThan(0);
    expect(second).toStrictEqual(first);
  });

  test("keeps nothing of a command line that is wrong", async () => {
    expect((await run("serv")).code).toBe(2);
    mkdirSync(folder, { recursive: true });
    expect(files()).toStrictEqual([]);
  });

  test("runs where what was kept is not what V8 takes", async () => {
    await run("schema");
    const at = files().map((name) => join(folder, name));
    const before = at.map((path) => readFileSync(path));
    // The sum is right, and what it is of is not: the code of one script in the place of another.
    for (const [index, path] of at.entries()) writeFileSync(path, before[(index + 1) % at.length]!);
    expect(await run("schema")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("what a build compiled", () => {
  const dist = join(repository, "dist");
  const built = readdirSync(dist).filter((name) => /^(start|calls|compile)-.*\.cjs$/.test(name));

  test("is there for each script that serving needs", () => {
    expect(built).toHaveLength(3);
    for (const script of built) expect(findShippedCode(dist, script)?.length).toBeGreaterThan(100_000);
  });

  test.each(built)("is taken by V8: %s", (script) => {
    const body = join(home, "body");
    writeFileSync(body, findShippedCode(dist, script)!);
    const look = `const { readFileSync } = require("node:fs");
      const cachedData = readFileSync(${JSON.stringify(body)});
      const source = readFileSync(${JSON.stringify(join(dist, script))}, "latin1");
      process.stdout.write(String(new (require("node:vm").Script)(source, { cachedData }).cachedDataRejected));`;
    expect(execFileSync(process.execPath, ["-e", look], { env: cleanEnv(), encoding: "utf8" })).toBe("false");
  });

  test("tells of no folder of the machine that built it", () => {
    for (const script of built) expect(findShippedCode(dist, script)?.includes(repository)).toBe(false);
  });

  test("is run where nothing is kept, and else what is kept, and never that of another Node or a torn one", () => {
    const copy = join(home, "copy", "dist");
    cpSync(dist, copy, { recursive: true });
    writeFileSync(join(home, "copy", "package.json"), '{"type":"module"}');
    const code = join(copy, "code");
    rmSync(code, { recursive: true });
    const script = readdirSync(copy).find((name) => /^start-.*\.cjs$/.test(name))!;
    const source = readFileSync(join(copy, script), "latin1");
    const help = (cache: string): string => {
      const env = cleanEnv({ XDG_CACHE_HOME: join(home, cache) });
      return execFileSync(process.execPath, [join(copy, "vitrine.js"), "help"], { env, encoding: "utf8" });
    };
    // V8 knows a source by its length alone, so code of another one tells that it is run.
    writeFileSync(join(copy, script), source.replaceAll("a few good MCP tools", "a few GOOD MCP tools"));
    expect(help("other")).toContain("GOOD");
    writeFileSync(join(copy, script), source);
    expect(help("own")).not.toContain("GOOD");

    const [made] = readdirSync(join(home, "other", "vitrine")).filter((name) => name.startsWith(script));
    const shipped = join(code, nodeName(), `${script}.code`);
    mkdirSync(join(code, nodeName()), { recursive: true });
    cpSync(join(home, "other", "vitrine", made!), shipped);
    expect(help("none")).toContain("GOOD");
    expect(help("own")).not.toContain("GOOD");

    writeFileSync(shipped, readFileSync(shipped).subarray(0, -1));
    expect(help("none of a torn one")).not.toContain("GOOD");
    cpSync(join(home, "other", "vitrine", made!), shipped);
    renameSync(join(code, nodeName()), join(code, nodeName().replace(process.version, "v20.0.0")));
    expect(help("none of another Node")).not.toContain("GOOD");
  });
});
