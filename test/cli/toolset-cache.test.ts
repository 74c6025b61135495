import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { digestFile } from "../../src/cli/toolset/digest-file.ts";
import { openToolsetCache, type ToolsetCache } from "../../src/cli/toolset/toolset-cache.ts";
import type { LoadedToolset, ToolsetRequest } from "../../src/cli/toolset/toolset-request.ts";
import { sampleToolset } from "../fixtures/mcp/sample-server.ts";

let home: string;
let folder: string;
let request: ToolsetRequest;
let loaded: LoadedToolset;
let cache: ToolsetCache;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "vitrine-cache-test-"));
  folder = join(home, "vitrine");
  const [curation, spec] = [join(home, "a.yaml"), join(home, "spec.yaml")];
  writeFileSync(curation, "curation");
  writeFileSync(spec, "spec");
  request = { file: curation, root: undefined, readOnly: false };
  const files = [curation, spec].map((path) => ({ path, sha256: digestFile(path)! }));
  loaded = {
    toolset: sampleToolset,
    problems: [],
    files: () => files,
    sources: () => files.slice(1),
    specIsLocal: true,
  };
  cache = openToolsetCache({ XDG_CACHE_HOME: home }, "build-1")!;
});

/** As data. */
const plain = (one: LoadedToolset | undefined) => one && { ...one, files: one.files(), sources: one.sources() };
const entry = (): string => join(folder, readdirSync(folder)[0]!);

describe("an entry", () => {
  test("gives back what was stored, and only its owner may read it", () => {
    cache.store(request, loaded);
    expect(plain(cache.find(request))).toStrictEqual(plain(loaded));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(entry()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test("takes away what a killed writer left half-written, and leaves a living one its draft", () => {
    mkdirSync(folder, { mode: 0o700 });
    // No process has this number: Linux ends at 2^22.
    writeFileSync(join(folder, "a.toolset.9999999.tmp"), "{");
    writeFileSync(join(folder, `b.toolset.${process.pid}.tmp`), "{");
    cache.store(request, loaded);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toStrictEqual([`b.toolset.${process.pid}.tmp`]);
  });

  const spec = (): string => loaded.files()[1]!.path;
  /** Other bytes of the same length at the same time, as within one tick of the clock or from a copy with its time. */
  const swapUnseen = (path: string, text: string): void => {
    const { size, atime, mtime } = statSync(path);
    writeFileSync(path, text);
    utimesSync(path, atime, mtime);
    expect(statSync(path)).toMatchObject({ size, mtime });
  };
  const misses: [title: string, change: () => void][] = [
    ["other bytes in the curation", () => writeFileSync(request.file, "curation 2")],
    ["other bytes in the spec", () => writeFileSync(spec(), "spec 2")],
    ["other bytes in the curation of the same size and time", () => swapUnseen(request.file, "Curation")],
    ["other bytes in the spec of the same size and time", () => swapUnseen(spec(), "Spec")],
    ["a spec that is gone", () => rmSync(spec())],
    ["a curation that is gone", () => rmSync(request.file)],
    ["an entry that is torn", () => writeFileSync(entry(), readFileSync(entry(), "utf8").slice(0, -20))],
    ["an entry that is empty", () => writeFileSync(entry(), "")],
    ["JSON of another kind", () => writeFileSync(entry(), "{}")],
    ["a file that others may write", () => chmodSync(entry(), 0o622)],
    ["a folder that others may write", () => chmodSync(folder, 0o777)],
    [
      "a link in the place of the entry",
      () => {
        const moved = join(home, "moved");
        const path = entry();
        renameSync(path, moved);
        symlinkSync(moved, path);
      },
    ],
  ];
  test.each(misses)("does not count with %s", (_, change) => {
    cache.store(request, loaded);
    expect(cache.find(request)).toBeDefined();
    change();
    expect(cache.find(request)).toBeUndefined();
  });

  test("does not count with any byte of it changed", () => {
    cache.store(request, loaded);
    const bytes = readFileSync(entry());
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      writeFileSync(entry(), changed);
      expect(cache.find(request)).toBeUndefined();
    }
    writeFileSync(entry(), bytes);
    expect(plain(cache.find(request))).toStrictEqual(plain(loaded));
  });

  test("counts again when a file has its old bytes back", () => {
    cache.store(request, loaded);
    writeFileSync(spec(), "spec 2");
    writeFileSync(spec(), "spec");
    expect(plain(cache.find(request))).toStrictEqual(plain(loaded));
  });

  test("counts for its own options and build alone", () => {
    cache.store(request, loaded);
    expect(cache.find({ ...request, readOnly: true })).toBeUndefined();
    expect(cache.find({ ...request, tags: { exclude: ["internal"] } })).toBeUndefined();
    expect(cache.find({ ...request, keyTags: { exclude: ["internal"] } })).toBeUndefined();
    expect(cache.find({ ...request, root: "/" })).toBeUndefined();
    expect(cache.find({ ...request, file: join(home, "spec.yaml") })).toBeUndefined();
    expect(openToolsetCache({ XDG_CACHE_HOME: home }, "build-2")?.find(request)).toBeUndefined();
  });

  test("is filed by the bytes that were compiled, not by those that the file holds by then", () => {
    writeFileSync(request.file, "edited meanwhile");
    cache.store(request, loaded);
    expect(cache.find(request)).toBeUndefined();
    writeFileSync(request.file, "curation");
    expect(plain(cache.find(request))).toStrictEqual(plain(loaded));
  });
});

describe("nothing is stored", () => {
  test("without a toolset", () => {
    const { toolset: _, ...failed } = loaded;
    cache.store(request, failed);
    expect(() => readdirSync(folder)).toThrow(/ENOENT/);
  });

  test("of a spec that lies elsewhere and may change unseen", () => {
    cache.store(request, { ...loaded, specIsLocal: false });
    expect(() => readdirSync(folder)).toThrow(/ENOENT/);
  });

  test("in a folder that others may write", () => {
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    cache.store(request, loaded);
    expect(readdirSync(folder)).toStrictEqual([]);
  });

  test("where the folder cannot be made, and nothing is said", () => {
    writeFileSync(folder, "a file in the way");
    expect(() => cache.store(request, loaded)).not.toThrow();
    expect(cache.find(request)).toBeUndefined();
  });
});

test("fifty entries are kept, the newest, and nothing else in the folder is touched", () => {
  mkdirSync(join(folder, "code"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "other.txt"), "");
  for (let at = 0; at < 55; at += 1) cache.store({ ...request, root: `/${at}` }, loaded);
  expect(readdirSync(folder)).toHaveLength(52);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["code", "other.txt"]));
  expect(cache.find({ ...request, root: "/54" })).toBeDefined();
});

describe("the folder", () => {
  const cases: [title: string, env: Record<string, string>, want: boolean][] = [
    ["XDG_CACHE_HOME", { XDG_CACHE_HOME: "/tmp" }, true],
    ["HOME where that is not set", { HOME: "/tmp" }, true],
    ["HOME where that is relative", { XDG_CACHE_HOME: "cache", HOME: "/tmp" }, true],
    ["none without either", {}, false],
  ];
  test.each(cases)("is of %s", (_, env, want) => {
    expect(openToolsetCache(env, "build-1") !== undefined).toBe(want);
  });

  test("is not used by a source that runs unbuilt", () => {
    expect(openToolsetCache({ HOME: "/tmp" })).toBeUndefined();
  });
});
