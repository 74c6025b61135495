import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFiles } from "../../../src/cli/report/find-files.ts";
import { splitLines } from "../../../src/cli/report/split-lines.ts";

describe("the files that arguments name", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-files-"));
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  for (const name of ["e.jsonl", "e.jsonl.1", "a/e.jsonl", "a/b/e.jsonl", ".hidden.jsonl", "a/[x].jsonl", "what?.log"])
    writeFileSync(join(folder, name), "");
  symlinkSync(join(folder, "e.jsonl"), join(folder, "link.jsonl"));
  linkSync(join(folder, "e.jsonl.1"), join(folder, "hard.log"));
  mkdirSync(join(folder, "kinds", "folder"), { recursive: true });
  execFileSync("mkfifo", [join(folder, "kinds", "pipe")]);
  symlinkSync("..", join(folder, "kinds", "up"));
  symlinkSync("nowhere", join(folder, "kinds", "dangling"));
  test.each([
    [["e.jsonl"], ["e.jsonl"]],
    [["e.jsonl*"], ["e.jsonl", "e.jsonl.1"]],
    [["e.jsonl.?"], ["e.jsonl.1"]],
    [["*/e.jsonl"], ["a/e.jsonl"]],
    [["**/e.jsonl"], ["a/b/e.jsonl", "a/e.jsonl", "e.jsonl"]],
    [["a/**"], ["a/[x].jsonl", "a/b/e.jsonl", "a/e.jsonl"]],
    [["a/**/**//**/e.jsonl"], ["a/b/e.jsonl", "a/e.jsonl"]],
    [["kinds/*"], ["kinds/dangling"]],
    [["kinds/pipe"], ["kinds/pipe"]],
    [["a/[x].j*"], ["a/[x].jsonl"]],
    [["what?.log"], ["what?.log"]],
    [["e.jsonl", "*.jsonl", "./e.jsonl", "link.jsonl"], ["e.jsonl"]],
    [["hard.log", "e.jsonl.*"], ["hard.log"]],
    [["nope.jsonl"], ["nope.jsonl"]],
  ])("%j", (names, want) => {
    const { files, unmatched } = findFiles(names.map((name) => join(folder, name)));
    expect({ files: files.map((file) => relative(folder, file)), unmatched }).toEqual({ files: want, unmatched: [] });
  });
  test("a pattern that no file fits is told apart", () => {
    expect(findFiles([`${folder}/n*pe`, `${folder}/none/*`])).toEqual({
      files: [],
      unmatched: [`${folder}/n*pe`, `${folder}/none/*`],
    });
  });
});

/** Of a line without text, why it has none. */
async function linesOf(bytes: Buffer): Promise<[number, string][]> {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-lines-")), "lines");
  writeFileSync(file, bytes);
  const found: [number, string][] = [];
  for await (const lines of splitLines(file))
    found.push(...lines.map((line): (typeof found)[number] => [line.number, line.text ?? line.fault]));
  return found;
}

test("the lines of a file are those between its line breaks, however the reads fall", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 60_000, size: "max" })), async (texts) => {
      const lines = texts.map((text) => text.replaceAll("\n", " ")).filter((text) => text !== "");
      const want = lines.map((text, at) => [at + 1, Buffer.from(text).toString()]);
      expect(await linesOf(Buffer.from(lines.join("\n")))).toStrictEqual(want);
    }),
    { numRuns: 20 },
  );
});

test("a line that is no text, and one without end, cost one line each and no memory", async () => {
  const bytes = Buffer.concat([
    Buffer.from("a\n"),
    Buffer.from([0xc3, 10]),
    Buffer.alloc(3_000_000, "x"),
    Buffer.from("\nb\n"),
    Buffer.alloc(2_000_000, "y"),
  ]);
  expect(await linesOf(bytes)).toStrictEqual([
    [1, "a"],
    [2, "it is not UTF-8"],
    [3, "it is too long"],
    [4, "b"],
    [5, "it is too long"],
  ]);
});

test.each([
  ["packed by gzip", gzipSync("a\nb\n"), "the file is packed by gzip: unpack it first"],
  ["packed by zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 10, 0]), "the file is packed by zstd: unpack it first"],
  ["UTF-16", Buffer.from("\ufeffa\nb\n", "utf16le"), "the file is UTF-16: write it as UTF-8"],
])("a file that is %s is one line, which says so", async (_, bytes, fault) => {
  expect(await linesOf(bytes)).toStrictEqual([[1, fault]]);
});
