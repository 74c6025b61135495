import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Problem } from "../../src/model/problem.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { AGREE_MISTAKES } from "./agree-mistakes.ts";
import { FLOW_MISTAKES } from "./flow-mistakes.ts";
import { NAMED_MISTAKES } from "./named-mistakes.ts";
import { SHOP_MISTAKES } from "./shop-mistakes.ts";
import { SUMS_MISTAKES } from "./sums-mistakes.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/curations");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
/** Curations without mistakes, and those that can be made in each. */
const CURATIONS = [
  { name: "shop.yaml", right: read("shop.yaml"), mistakes: SHOP_MISTAKES },
  { name: "sums.yaml", right: read("sums.yaml"), mistakes: SUMS_MISTAKES },
  { name: "flow.yaml", right: read("flow.yaml"), mistakes: FLOW_MISTAKES },
  { name: "agree.yaml", right: read("agree.yaml"), mistakes: AGREE_MISTAKES },
  { name: "named.yaml", right: read("named.yaml"), mistakes: NAMED_MISTAKES },
] as const;
const api = await loadApi(join(FOLDER, "shop.spec.yaml"), {});

/** All that `check` says of a curation but for notes. */
function findingsOf(text: string): Problem[] {
  const { curation, problems } = loadCuration("shop.yaml", text);
  const compiled = curation === undefined ? [] : compileToolset(curation, api).problems;
  return [...problems, ...compiled].filter(({ severity }) => severity !== "note");
}

type Mistake = (typeof SHOP_MISTAKES)[number];

/** The text with as many of the mistakes as have room beside each other, and `line:column code` of each finding that must come of them. */
function withMistakes(right: string, mistakes: readonly Mistake[]): { text: string; want: string[] } {
  const marked = mistakes.reduce((text, [, part, wrong, codes]) => {
    if (text.split(part).length !== 2) return text;
    const names = codes.split(" ");
    return text.replace(part, () => wrong.replace(/«/g, () => `«${names.shift()}»`));
  }, right);
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

/** What leaves nothing to look further at: an operation or rows of which nothing is known, or two mistakes in one entry. */
const HIDES_OTHERS =
  /^(op unknown|op key unknown|op number|rows not list|rows braces|input as typo|field path|clip zero|round text|arg place dotted|auth input|filter dialect|filter nulls|template .*|total operation|total not waived|own pages (style|key|place|size)|api (style|first|next missing)|field (op|unknown key)|field source (op|elsewhere)|values op|values rows|values arg.*|entity (from.*|unknown key|without field)|(suggest|rest) tool|alias (op .*|both|reads nothing|pattern|place.*)|flow op unknown|state op .*|step without id|step id (name|twice)|step both|args beside steps|pages of step|step (value path|body not rows|unknown|later|itself)|forEach no list|rows( path)? in all|body no rows|all without max|flow (rows|aggregate))$/;

describe.each(CURATIONS)("$name", ({ right, mistakes }) => {
  test("the curation without mistakes has no finding", () => expect(findingsOf(right)).toEqual([]));

  describe("a mistake is found once, at its place, with a way out", () => {
    test.each(mistakes.map((mistake) => [mistake[0], mistake] as const))("%s", (_, mistake) => {
      const { text, want } = withMistakes(right, [mistake]);
      expect(want).not.toEqual([]);
      const findings = findingsOf(text);
      expect(shown(findings)).toEqual(want);
      for (const { message, hint } of findings) {
        expect(message).toMatch(/[.:]$/);
        expect(hint).toMatch(/\w/);
      }
    });
  });

  test("many mistakes at once are each found, and nothing else", () => {
    const apart = mistakes.filter(([what]) => !HIDES_OTHERS.test(what));
    fc.assert(
      fc.property(fc.shuffledSubarray(apart, { minLength: 2, maxLength: Math.min(30, apart.length) }), (some) => {
        const { text, want } = withMistakes(right, some);
        expect(shown(findingsOf(text))).toEqual(want);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
