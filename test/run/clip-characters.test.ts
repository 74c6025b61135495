import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipCharacters, offsetOf } from "../../src/run/clip-characters.ts";

const FAMILY = "👨‍👩‍👧";

describe("a text is cut before what a person sees as one character", () => {
  test.each<[what: string, text: string, most: number, want: string]>([
    ["plain letters", "abcd", 3, "abc…"],
    ["an emoji of several, joined", `a${FAMILY}b`, 3, "a…"],
    ["the same whole", `a${FAMILY}b`, 6, `a${FAMILY}…`],
    ["a tone of skin", "ab👍🏽c", 3, "ab…"],
    ["a flag", "a🇩🇪b", 2, "a…"],
    ["the second of two flags", "🇩🇪🇫🇷b", 3, "🇩🇪…"],
    ["a letter and its accent", "abe\u0301f", 3, "ab…"],
    ["a line's end", "ab\r\nc", 3, "ab…"],
    ["far inside a text", `${"x".repeat(500)}${FAMILY}y`, 502, `${"x".repeat(500)}…`],
    ["a surrogate pair", "a😀b", 2, "a😀…"],
    ["nothing to cut", FAMILY, 5, FAMILY],
  ])("%s", (_, text, most, want) => {
    expect(clipCharacters(text, most)).toBe(want);
  });

  test("where nothing would be left it is cut inside, without the joiner at its end", () => {
    expect(clipCharacters(`${FAMILY}b`, 2)).toBe("👨…");
    expect(clipCharacters(`${FAMILY}b`, 3)).toBe("👨‍👩…");
  });

  test("never longer than asked for, never far shorter, and never inside a surrogate pair", () => {
    const part = fc.constantFrom(
      "a",
      "é",
      "e\u0301",
      FAMILY,
      "🇩🇪",
      "👍🏽",
      "\r\n",
      "\u200d",
      "한",
      "\ud800",
      "\u0301".repeat(80),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1, max: 120 }), (parts, most) => {
        const text = parts.join("");
        const kept = text.slice(0, offsetOf(text, most));
        const length = [...kept].length;
        expect(length).toBeLessThanOrEqual(most);
        if (kept === text) return;
        expect(length).toBeGreaterThan(Math.max(0, most - 66));
        expect(text.codePointAt(kept.length)).toBe([...text][length]?.codePointAt(0));
      }),
    );
  });
});
