import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { digestFile, isInside, isUnchanged } from "../../src/cli/toolset/digest-file.ts";
import type { SpecFile } from "../../src/model/api.ts";

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "vitrine-unchanged-")));
  writeFileSync(at("a"), "a");
  writeFileSync(at("same"), "a");
  symlinkSync("a", at("link"));
});

const read = (name: string): SpecFile => ({
  path: at(name),
  sha256: digestFile(at(name))!,
  real: realpathSync(at(name)),
});

describe("a file that a toolset was made from is unchanged", () => {
  const cases: [title: string, file: () => SpecFile, change: () => void, want: boolean][] = [
    ["as it was", () => read("a"), () => {}, true],
    ["with other bytes", () => read("a"), () => writeFileSync(at("a"), "b"), false],
    ["gone", () => read("a"), () => rmSync(at("a")), false],
    ["a link to the same file", () => read("link"), () => {}, true],
    ["a link that leads to the same bytes elsewhere", () => read("link"), () => relink("same"), false],
    ["one that was not there and still is not", () => ({ path: at("none") }), () => {}, true],
    ["one that was not there and has come", () => ({ path: at("none") }), () => writeFileSync(at("none"), ""), false],
    ["one outside, not opened, that stays there", () => ({ path: at("link"), real: at("a") }), () => {}, true],
    ["one outside that has come inside", () => ({ path: at("link"), real: at("a") }), () => relink("same"), false],
  ];
  test.each(cases)("%s", (_title, file, change, want) => {
    const known = file();
    change();
    expect(isUnchanged(known)).toBe(want);
  });

  function relink(target: string): void {
    rmSync(at("link"));
    symlinkSync(target, at("link"));
  }

  test("what is no plain file is not waited for", () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(digestFile(at("pipe"))).toBeUndefined();
    expect(digestFile(folder)).toBeUndefined();
  });

  test("only what was found to lie outside is not to be opened", () => {
    expect([read("a"), { path: at("none") }, { path: at("link"), real: at("a") }].map(isInside)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
