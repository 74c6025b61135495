import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { findKey } from "../../../src/host/callers/find-key.ts";
import { makeKey } from "../../../src/host/callers/make-key.ts";
import { giveKey } from "./door.ts";

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const ann = giveKey();
const keys = new Map([ann, giveKey({ server: "people" }), giveKey()].map(({ entry }) => [entry.id, entry]));

beforeEach(() => void vi.mocked(timingSafeEqual).mockClear());

describe("a key is compared", () => {
  const [, id] = ann.key.split("_");
  test.each<[title: string, key: string, isKnown: boolean]>([
    ["that is held", ann.key, true],
    ["that nobody has", makeKey().key, false],
    ["that begins as one that is held does", `${ann.key.slice(0, -1)}~`, false],
    ["with the public part of one that is held", `vtr_${id}_${"a".repeat(43)}`, false],
    ["that is longer by a character", `${ann.key}a`, false],
    ["that is empty", "", false],
  ])("once, whole, by digests of one length, and in constant time: one %s", (_, key, isKnown) => {
    expect(findKey(key, keys) !== undefined).toBe(isKnown);
    expect(vi.mocked(timingSafeEqual).mock.calls.map((pair) => pair.map(({ byteLength }) => byteLength))).toEqual([
      [32, 32],
    ]);
  });

  test("also where no key is held at all", () => {
    expect(findKey(ann.key, new Map())).toBeUndefined();
    expect(timingSafeEqual).toHaveBeenCalledOnce();
  });

  test("nowhere else: the text that was shown is hashed, and nothing else is done with it", () => {
    const source = readFileSync(new URL("../../../src/host/callers/find-key.ts", import.meta.url), "utf8");
    const [, body = ""] = /function findKey\(key[\s\S]*?\{\n([\s\S]*?)\n\}/.exec(source) ?? [];
    expect(body.match(/\bkey\b/g)).toEqual(["key"]);
    expect(body).toContain("hashKey(key)");
  });
});
