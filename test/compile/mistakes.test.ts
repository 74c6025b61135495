import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Problem } from "../../src/model/problem.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { SHOP_MISTAKES } from "./shop-mistakes.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/curations");
const SHOP = readFileSync(join(FOLDER, "shop.yaml"), "utf8");
const api = await loadApi(join(FOLDER, "shop.spec.yaml"), {});

/** All that `check` says of a curation but for notes. */
function findingsOf(text: string): Problem[] {
  const { curation, problems } = loadCuration("shop.yaml", text);
  const compiled = curation === undefined ? [] : compileToolset(curation, api).problems;
  return [...problems, ...compiled].filter(({ severity }) => severity !== "note");
}

type Mistake = (typeof SHOP_MISTAKES)[number];

/** The text with as many of the mistakes as have room beside each other, and `line:column code` of each finding that must come of them. */
function withMistakes(mistakes: readonly Mistake[]): { text: string; want: string[] } {
  const marked = mistakes.reduce((text, [, right, wrong, codes]) => {
    if (text.split(right).length !== 2) return text;
    const names = codes.split(" ");
    return text.replace(right, () => wrong.replace(/«/g, () => `«${names.shift()}»`));
  }, SHOP);
  const want: string[] = [];
  const lines = marked.split("\n").map((line, index) => {
    let cut = 0;
    return line.replace(/«(\w+)»/g, (mark, code, at: number) => {
      want.push(`${index + 1}:${at - cut + 1} ${code}`);
      cut += mark.length;
      return "";
    });
  });
  return { text: lines.join("\n"), want: want.sort() };
}

const shown = (findings: readonly Problem[]) => findings.map((one) => `${one.line}:${one.column} ${one.code}`).sort();

test("the curation without mistakes has no finding", () => expect(findingsOf(SHOP)).toEqual([]));

describe("a mistake is found once, at its place, with a way out", () => {
  test.each(SHOP_MISTAKES.map((mistake) => [mistake[0], mistake] as const))("%s", (_, mistake) => {
    const { text, want } = withMistakes([mistake]);
    expect(want).not.toEqual([]);
    const findings = findingsOf(text);
    expect(shown(findings)).toEqual(want);
    for (const { message, hint } of findings) {
      expect(message).toMatch(/[.:]$/);
      expect(hint).toMatch(/\w/);
    }
  });
});

/** What leaves nothing to look further at: an operation or rows of which nothing is known, or two mistakes in one entry. */
const HIDES_OTHERS =
  /^(op unknown|op key unknown|op number|rows not list|rows braces|input as typo|field path|clip zero|round text|arg place dotted|auth input)$/;

test("many mistakes at once are each found, and nothing else", () => {
  const apart = SHOP_MISTAKES.filter(([what]) => !HIDES_OTHERS.test(what));
  fc.assert(
    fc.property(fc.shuffledSubarray(apart, { minLength: 2, maxLength: 30 }), (mistakes) => {
      const { text, want } = withMistakes(mistakes);
      expect(shown(findingsOf(text))).toEqual(want);
    }),
    { numRuns: 60 },
  );
}, 60_000);
