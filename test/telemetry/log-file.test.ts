import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openLogFile } from "../../src/telemetry/append/log-file.ts";
import { takeBack } from "../../src/telemetry/append/take-back.ts";
import { writeAtOnce } from "../../src/telemetry/append/write-at-once.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-events-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;
const newPath = (): string => join(folder, `${++made}.jsonl`);
const text = (path: string): string => readFileSync(path, "utf8");
const LARGE = 1_000_000;

/** Time passes only where it is told to. */
async function withClock(act: (pass: (ms: number) => void) => Promise<void>): Promise<void> {
  const clock = performance.now;
  let now = clock.call(performance);
  performance.now = () => now;
  try {
    await act((ms) => (now += ms));
  } finally {
    performance.now = clock;
  }
}

describe("lines are appended", () => {
  test("to a new file that only its owner writes and strangers do not read", async () => {
    const path = newPath();
    const file = openLogFile(path, LARGE);
    expect(await file.append(["a\n", "b\n"])).toStrictEqual({ written: 2 });
    expect(await file.append(["c\n"])).toStrictEqual({ written: 1 });
    expect(text(path)).toBe("a\nb\nc\n");
    expect(execFileSync("stat", ["-c", "%a", path], { encoding: "utf8" }).trim().endsWith("0")).toBe(true);
  });

  test("behind what a file holds already", async () => {
    const path = newPath();
    writeFileSync(path, "old\n");
    await openLogFile(path, LARGE).append(["new\n"]);
    expect(text(path)).toBe("old\nnew\n");
  });

  test("on a line of their own where a killed process left a piece", async () => {
    const path = newPath();
    writeFileSync(path, 'old\n{"schema":"ev');
    await openLogFile(path, LARGE).append(["new\n"]);
    expect(text(path)).toBe('old\n{"schema":"ev\nnew\n');
  });

  test("to a file of the same name again where it was removed", async () => {
    const path = newPath();
    const file = openLogFile(path, LARGE);
    await file.append(["a\n"]);
    rmSync(path);
    expect(await file.append(["b\n", "c\n"])).toStrictEqual({ written: 2 });
    expect(text(path)).toBe("b\nc\n");
  });

  test("at the end of a process", async () => {
    const path = newPath();
    const file = openLogFile(path, LARGE);
    await file.append(["a\n"]);
    file.appendNow(["b\n", "c\n"]);
    expect(text(path)).toBe("a\nb\nc\n");
  });
});

describe("lines are appended before anything else happens", () => {
  test("once the file is open", async () => {
    const path = newPath();
    const file = openLogFile(path, LARGE);
    expect(file.appendAtOnce(["a\n"])).toBe(0);
    await file.append([]);
    expect([file.appendAtOnce(["a\n"]), file.appendAtOnce(["b\n", "c\n"])]).toStrictEqual([1, 2]);
    expect(text(path)).toBe("a\nb\nc\n");
  });

  test("but not to a file that was removed a moment ago, which is left to the other way", () =>
    withClock(async (pass) => {
      const path = newPath();
      const file = openLogFile(path, LARGE);
      await file.append([]);
      rmSync(path);
      pass(50);
      expect([file.appendAtOnce(["a\n"]), file.appendAtOnce(["a\n"])]).toStrictEqual([0, 0]);
      expect(await file.append(["a\n"])).toStrictEqual({ written: 1 });
      expect(file.appendAtOnce(["b\n"])).toBe(1);
      expect(text(path)).toBe("a\nb\n");
    }));

  test("and those that went to a file just removed, before it is seen, are written again in their order", () =>
    withClock(async (pass) => {
      const path = newPath();
      const file = openLogFile(path, LARGE);
      await file.append(["seen\n"]);
      expect(file.appendAtOnce(["a\n"])).toBe(1);
      rmSync(path);
      expect([file.appendAtOnce(["b\n", "c\n"]), file.unsure()]).toStrictEqual([2, 3]);
      pass(50);
      expect(file.appendAtOnce(["d\n"])).toBe(0);
      expect(await file.append(["d\n"])).toStrictEqual({ written: 1 });
      expect(text(path)).toBe("a\nb\nc\nd\n");
      await file.append([]);
      expect(file.unsure()).toBe(0);
    }));

  test("and again and again until the file can be made anew", () =>
    withClock(async (pass) => {
      const home = newPath();
      mkdirSync(home);
      const path = join(home, "events");
      const file = openLogFile(path, LARGE);
      await file.append([]);
      file.appendAtOnce(["a\n"]);
      rmSync(home, { recursive: true });
      pass(50);
      expect(file.appendAtOnce(["b\n"])).toBe(0);
      for (const _ of [1, 2])
        expect(await file.append(["b\n"])).toStrictEqual({ written: 0, trouble: "its folder is gone" });
      expect([file.appendAtOnce(["b\n"]), file.unsure()]).toStrictEqual([0, 1]);
      mkdirSync(home);
      expect(await file.append(["b\n"])).toStrictEqual({ written: 1 });
      expect(text(path)).toBe("a\nb\n");
    }));

  test("and stay where they are in a file that was only renamed", () =>
    withClock(async (pass) => {
      const path = newPath();
      const file = openLogFile(path, LARGE);
      await file.append([]);
      file.appendAtOnce(["a\n"]);
      renameSync(path, `${path}.old`);
      pass(2_000);
      expect(file.appendAtOnce(["b\n"])).toBe(1);
      await file.append(["c\n"]);
      await file.append(["d\n"]);
      expect([text(`${path}.old`), text(path)]).toStrictEqual(["a\nb\nc\n", "d\n"]);
    }));

  test("nor beyond the bound, for then it is put aside first", async () => {
    const path = newPath();
    const file = openLogFile(path, 4);
    await file.append([]);
    expect([file.appendAtOnce(["abcd\n"]), file.appendAtOnce(["e\n"])]).toStrictEqual([1, 0]);
    await file.append(["e\n"]);
    expect(text(`${path}.1`)).toBe("abcd\ne\n");
  });

  test.each(["/dev/full", "/dev/null"])("nor to a device: %s", async (path) => {
    const file = openLogFile(path, LARGE);
    await file.append([]);
    expect(file.appendAtOnce(["a\n"])).toBe(0);
  });
});

describe("a file that has grown to its bound", () => {
  const lockOf = (path: string): string => join(folder, `.${basename(path)}.rotating`);

  test("is put aside where it is when its name is a link, which stays", async () => {
    const [path, link] = [newPath(), join(folder, `${made}.link`)];
    symlinkSync(path, link);
    const file = openLogFile(link, 10);
    for (const line of ["long-enough-1\n", "long-enough-2\n", "s\n"]) await file.append([line]);
    expect([text(`${path}.2`), text(`${path}.1`), text(path)]).toStrictEqual([
      "long-enough-1\n",
      "long-enough-2\n",
      "s\n",
    ]);
    expect(readlinkSync(link)).toBe(path);
    expect(existsSync(`${link}.1`)).toBe(false);
  });

  test("is left alone when it is what a process has open already", async () => {
    const path = newPath();
    const descriptor = openSync(path, "a");
    const link = join(folder, `${made}.link`);
    symlinkSync(`/proc/self/fd/${descriptor}`, link);
    const file = openLogFile(link, 10);
    for (const line of ["long-enough-1\n", "long-enough-2\n"]) await file.append([line]);
    closeSync(descriptor);
    expect(text(path)).toBe("long-enough-1\nlong-enough-2\n");
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith(`${made}.`))
        .toSorted(),
    ).toStrictEqual([`${made}.jsonl`, `${made}.link`]);
  });

  test("is put aside, and five such are kept", async () => {
    const path = newPath();
    const file = openLogFile(path, 10);
    for (let at = 1; at <= 8; at += 1) await file.append([`line-${at}-xy\n`]);
    const names = readdirSync(folder).filter((name) => name.startsWith(`${made}.jsonl`));
    expect(names.toSorted()).toStrictEqual([1, 2, 3, 4, 5].map((at) => `${made}.jsonl.${at}`));
    expect([text(`${path}.1`), text(`${path}.5`)]).toStrictEqual(["line-8-xy\n", "line-4-xy\n"]);
    await file.append(["s\n"]);
    expect(text(path)).toBe("s\n");
  });

  test("is put aside once where two write to it", async () => {
    const path = newPath();
    const [one, other] = [openLogFile(path, 10), openLogFile(path, 10)];
    await one.append(["1\n"]);
    await other.append(["2\n"]);
    await one.append(["long-enough\n"]);
    // The other still holds the old one: its line is not lost, and the next goes to the new one.
    await other.append(["3\n"]);
    await other.append(["4\n"]);
    await one.append(["5\n"]);
    expect([text(`${path}.1`), text(path)]).toStrictEqual(["1\n2\nlong-enough\n3\n", "4\n5\n"]);
    expect(existsSync(`${path}.2`)).toBe(false);
  });

  test("grows on while another process puts it aside", async () => {
    const path = newPath();
    writeFileSync(lockOf(path), "");
    const file = openLogFile(path, 3);
    await file.append(["abc\n"]);
    await file.append(["def\n"]);
    expect(text(path)).toBe("abc\ndef\n");
  });

  test.each([
    ["long ago", new Date(0)],
    ["before the clock was set back", new Date(Date.now() + 86_400_000)],
  ])("is put aside after all where another process broke off %s", async (_, madeAt) => {
    const path = newPath();
    writeFileSync(lockOf(path), "");
    utimesSync(lockOf(path), madeAt, madeAt);
    const file = openLogFile(path, 3);
    await file.append(["abc\n"]);
    await file.append(["def\n"]);
    expect(text(`${path}.1`)).toBe("abc\ndef\n");
    expect(existsSync(lockOf(path))).toBe(false);
  });
});

describe("a file that cannot be put aside grows on, which is told once", () => {
  test("where something stands in the way", async () => {
    const path = newPath();
    writeFileSync(`${path}.4`, "older\n");
    mkdirSync(`${path}.5`);
    const told: string[] = [];
    const file = openLogFile(path, 3, (reason) => told.push(reason));
    for (const line of ["a\n", "bcd\n", "efg\n"]) expect(await file.append([line])).toStrictEqual({ written: 1 });
    expect([text(path), told]).toStrictEqual(["a\nbcd\nefg\n", ["a folder stands in its place"]]);
  });

  test("where no other file can stand beside it", async () => {
    const path = join(folder, "long".repeat(62));
    const told: string[] = [];
    const file = openLogFile(path, 3, (reason) => told.push(reason));
    for (const line of ["abc\n", "def\n"]) await file.append([line]);
    expect([text(path), told]).toStrictEqual(["abc\ndef\n", ["ENAMETOOLONG"]]);
  });

  test("where what another process left cannot be taken away", async () => {
    const path = newPath();
    const lock = join(folder, `.${basename(path)}.rotating`);
    mkdirSync(lock);
    utimesSync(lock, new Date(0), new Date(0));
    const told: string[] = [];
    const file = openLogFile(path, 3, (reason) => told.push(reason));
    for (const line of ["abc\n", "def\n"]) await file.append([line]);
    expect([text(path), told]).toStrictEqual(["abc\ndef\n", ["ERR_FS_EISDIR"]]);
  });

  test("but not while another process is about it", async () => {
    const path = newPath();
    writeFileSync(join(folder, `.${basename(path)}.rotating`), "");
    const told: string[] = [];
    const file = openLogFile(path, 3, (reason) => told.push(reason));
    for (const line of ["abc\n", "def\n"]) await file.append([line]);
    expect([text(path), told]).toStrictEqual(["abc\ndef\n", []]);
  });
});

describe("what cannot be written is told, and nothing rejects", () => {
  const root = process.getuid?.() === 0;
  test("a disk that is full", async () => {
    expect(await openLogFile("/dev/full", LARGE).append(["a\n"])).toStrictEqual({
      written: 0,
      trouble: "no space is left",
    });
  });

  test("a folder in its place", async () => {
    expect(await openLogFile(folder, LARGE).append(["a\n"])).toStrictEqual({
      written: 0,
      trouble: "a folder stands in its place",
    });
  });

  test("a folder that is gone", async () => {
    const file = openLogFile(join(folder, "none", "events"), LARGE);
    expect(await file.append(["a\n"])).toStrictEqual({ written: 0, trouble: "its folder is gone" });
  });

  test("a file system that is read-only, and is not any more", async ({ skip }) => {
    if (!root) skip();
    const mount = join(folder, "tmpfs-read-only");
    try {
      execFileSync("mkdir", [mount]);
      execFileSync("mount", ["-t", "tmpfs", "-o", "ro", "none", mount], { stdio: "ignore" });
    } catch {
      return skip();
    }
    try {
      const file = openLogFile(join(mount, "events"), LARGE);
      expect(await file.append(["a\n"])).toStrictEqual({ written: 0, trouble: "the file system is read-only" });
      execFileSync("mount", ["-o", "remount,rw", mount]);
      expect(await file.append(["a\n"])).toStrictEqual({ written: 1 });
      file.close();
    } finally {
      execFileSync("umount", ["-l", mount]);
    }
  });
});

describe("a small disk that fills up", () => {
  const size = 64 * 1024;

  test("holds whole lines only, and takes more when there is room", async ({ skip }) => {
    const mount = join(folder, "tmpfs-small");
    try {
      execFileSync("mkdir", [mount]);
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", mount], { stdio: "ignore" });
    } catch {
      return skip();
    }
    try {
      const path = join(mount, "events");
      const ballast = join(mount, "ballast");
      writeFileSync(ballast, "x".repeat(size / 2));
      const file = openLogFile(path, LARGE);
      const lines = Array.from({ length: 100 }, (_, at) => `${JSON.stringify({ at, pad: "p".repeat(1_000) })}\n`);
      let written = 0;
      let trouble: string | undefined;
      while (trouble === undefined) {
        const appended = await file.append(lines.slice(written, written + 7));
        written += appended.written;
        trouble = appended.trouble;
      }
      expect(trouble).toMatch(/no space is left/);
      expect(written).toBeGreaterThan(20);
      const stood = text(path).trimEnd().split("\n");
      expect(text(path).endsWith("\n")).toBe(true);
      expect(stood.map((line) => JSON.parse(line).at)).toStrictEqual(stood.map((_, at) => at));
      expect(stood).toHaveLength(written);
      rmSync(ballast);
      const more = await file.append(lines.slice(written, written + 20));
      expect(more).toStrictEqual({ written: 20 });
      const all = text(path).trimEnd().split("\n");
      expect(all.map((line) => JSON.parse(line).at)).toStrictEqual(all.map((_, at) => at));
      file.close();
    } finally {
      execFileSync("umount", ["-l", mount]);
    }
  });
});

describe("the end of a file that took only a part", () => {
  const opened = (path: string) => ({
    fd: openSync(path, "a"),
    kind: "file" as const,
    torn: false,
    isLocal: true,
    isDue: false,
    slowUntil: 0,
    lookedAt: 0,
    seenAt: 0,
    bytes: 0,
    unseen: [],
  });

  test.each<[title: string, part: string, lines: number, left: string, torn: boolean]>([
    ["whole lines stay", "one\ntwo\n", 2, "old\none\ntwo\n", false],
    ["a piece is cut off", "one\ntw", 1, "old\none\n", false],
    ["a piece alone is cut off", "on", 0, "old\n", false],
  ])("%s", (_, part, lines, left, torn) => {
    const path = newPath();
    writeFileSync(path, `old\n${part}`);
    const file = opened(path);
    expect(takeBack(path, file, Buffer.from(part))).toBe(lines);
    expect([text(path), file.torn]).toStrictEqual([left, torn]);
    closeSync(file.fd);
  });

  test("what another process wrote behind the piece stays, and the next line begins anew", () => {
    const path = newPath();
    writeFileSync(path, "old\none\ntw");
    const file = opened(path);
    appendFileSync(path, '{"theirs":1}\n');
    expect(takeBack(path, file, Buffer.from("one\ntw"))).toBe(1);
    expect([text(path), file.torn]).toStrictEqual(['old\none\ntw{"theirs":1}\n', true]);
    closeSync(file.fd);
  });

  test("a line feed that only ends an older piece is no line", () => {
    const path = newPath();
    writeFileSync(path, "pie\none\ntw");
    const file = { ...opened(path), torn: true };
    expect(takeBack(path, file, Buffer.from("\none\ntw"))).toBe(1);
    expect(text(path)).toBe("pie\none\n");
    closeSync(file.fd);
  });

  test("nothing is written at once behind a piece that was left", () => {
    const path = newPath();
    writeFileSync(path, "pie");
    const file = { ...opened(path), torn: true };
    expect([writeAtOnce(path, file, ["one\n"], LARGE), text(path)]).toStrictEqual([0, "pie"]);
    closeSync(file.fd);
  });
});

describe("a pipe", () => {
  const newPipe = (): string => {
    const path = newPath();
    execFileSync("mkfifo", [path]);
    return path;
  };
  const line = `${"x".repeat(599)}\n`;

  test("that nobody reads takes nothing, at once", async () => {
    const file = openLogFile(newPipe(), LARGE);
    expect(await file.append([line])).toStrictEqual({ written: 0, trouble: "nobody reads the pipe" });
  });

  test("whose reader is slow takes whole lines until it is full, and more when it was read", async () => {
    const path = newPipe();
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const file = openLogFile(path, LARGE);
    let written = 0;
    let trouble: string | undefined;
    while (trouble === undefined) {
      const appended = await file.append(Array<string>(50).fill(line));
      written += appended.written;
      trouble = appended.trouble;
    }
    expect(trouble).toBe("the pipe is full");
    const held = Buffer.alloc(1_000_000);
    expect(readSync(reader, held)).toBe(written * line.length);
    expect((await file.append([line])).written).toBe(1);
    closeSync(reader);
    expect(await file.append([line])).toMatchObject({ written: 0, trouble: "nobody reads the pipe any more" });
    file.close();
  });
});

describe("a file that was renamed by another program", () => {
  test("is followed no longer than a moment", async () => {
    await withClock(async (pass) => {
      const path = newPath();
      const file = openLogFile(path, LARGE);
      await file.append(["a\n"]);
      renameSync(path, `${path}.old`);
      await file.append(["b\n"]);
      pass(2_000);
      await file.append(["c\n"]);
      await file.append(["d\n"]);
      expect([text(`${path}.old`), text(path)]).toStrictEqual(["a\nb\nc\n", "d\n"]);
    });
  });
});
