import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type KeptCode, openKeptCode } from "../../src/cli/start/kept-code.ts";
import { vitrine } from "../setup/program.ts";

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
