import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JOINTS, mostTokens } from "../../../src/surface/lint/most-tokens.ts";
import { openMeasure } from "../../../src/surface/measure-cost.ts";

const measure = await openMeasure();
const DOCS = join(import.meta.dirname, "../../../docs");

test.each([...JOINTS])("%s is as many tokens as it counts for: %i", (joint, most) => {
  expect(measure(joint).tokens).toBe(most);
});

describe("no text of words has more tokens", () => {
  test.each(readdirSync(DOCS).filter((name) => name.endsWith(".md")))("docs/%s", (name) => {
    const text = JSON.stringify(
      readFileSync(join(DOCS, name), "utf8")
        .replace(/[ -]{3,}/g, " ")
        .slice(0, 40_000),
    );
    expect(mostTokens(text)).toBeGreaterThanOrEqual(measure(text).tokens);
    expect(mostTokens(text)).toBeLessThan(measure(text).tokens * 3);
  });

  test.each([
    ["values of a letter", '"a","b","c","d",'],
    ["signs", '{}[]"~^|'],
    ["numbers", "[1, 23, 456, 7890, 1.5e-7]"],
    ["capitals", "ISO SKU USD EUR XQZV "],
    ["camelCase", "createdAtMs updatedByUserId "],
    ["Chinese", "漢字鬱鬯 "],
    ["Amharic", "ዐቐፀ ዓመት "],
    ["cuneiform and Gothic", "\u{12000}\u{10330}"],
    ["runes", "ᚠᛇᚻ"],
    ["emoji", "🦤🫨👩‍👩‍👧"],
    ["German", "Die Rechnungsnummer der Zahlungsaufforderung, größer als null. "],
    ["Vietnamese", "Số hóa đơn của khách hàng. "],
    ["spaces before numbers", "at 5 of 7 in 1 "],
    ["many spaces", "a     b\n\n\n   c\t\t"],
  ])("%s", (_, part) => {
    const text = part.repeat(40);
    expect(mostTokens(text)).toBeGreaterThanOrEqual(measure(text).tokens);
  });

  test("whatever stands between the words", () => {
    const words = fc.constantFrom(
      "the",
      "order",
      "customer",
      "returns",
      "identifier",
      "invoices",
      "of",
      "a",
      "currency",
    );
    const between = fc.string({ unit: "binary", minLength: 1 }).map((text) => text.replace(/[a-z]/gi, "-"));
    fc.assert(
      fc.property(fc.array(fc.tuple(words, fc.oneof(between, fc.constant(" ")))), (parts) => {
        const text = parts.flat().join("");
        expect(mostTokens(text)).toBeGreaterThanOrEqual(measure(text).tokens);
      }),
      { numRuns: 500 },
    );
  });
});
