import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { cacheCode } from "../../src/cli/toolset/cache-code.ts";

let home: string;
let enabled: string[];
const enable = (folder: string): void => {
  enabled.push(folder);
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "vitrine-code-test-"));
  enabled = [];
});

test("compiled code is kept in the cache folder, which only its owner may enter", () => {
  cacheCode({ XDG_CACHE_HOME: home }, enable);
  expect(enabled).toStrictEqual([join(home, "vitrine", "code")]);
  expect(statSync(join(home, "vitrine")).mode & 0o777).toBe(0o700);
});

describe("nothing is kept", () => {
  const cases: [title: string, env: () => Record<string, string>, prepare: (folder: string) => void][] = [
    ["without a folder", () => ({}), () => {}],
    ["in a folder that others may write", () => ({ XDG_CACHE_HOME: home }), makeOpen],
    ["where a file is in the way", () => ({ XDG_CACHE_HOME: home }), (folder) => writeFileSync(folder, "")],
  ];
  test.each(cases)("%s, and nothing is said", (_, env, prepare) => {
    prepare(join(home, "vitrine"));
    expect(() => cacheCode(env(), enable)).not.toThrow();
    expect(enabled).toStrictEqual([]);
  });

  test.runIf(!("enableCompileCache" in nodeModule))("where Node cannot keep it", () => {
    expect(() => cacheCode({ XDG_CACHE_HOME: home })).not.toThrow();
  });
});

function makeOpen(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o777);
}
