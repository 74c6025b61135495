import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import type { Severity } from "../../../src/model/problem.ts";
import { loadApi } from "../../../src/spec/load-api.ts";
import { lintToolset, openSubject } from "../../../src/surface/lint/check-lint.ts";
import { LINT_RULES } from "../../../src/surface/lint/lint-rules.ts";
import { PROFILE_CODES, WAIVABLE_CODES } from "../../../src/surface/lint/waivable-codes.ts";

const ROOT = join(import.meta.dirname, "../../..");
const RANK: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

/** The shipped curations whose spec is shipped too. */
const SHIPPED = readdirSync(join(ROOT, "curation"))
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => {
    const spec = /^ {2}spec: (\.\.\/\S+)$/m.exec(readFileSync(join(ROOT, "curation", name), "utf8"))?.[1];
    return spec === undefined ? [] : [[name, spec] as const];
  });

async function openShipped(name: string, spec: string, change: (text: string) => string = (text) => text) {
  const file = join(ROOT, "curation", name);
  const { curation } = loadCuration(file, change(readFileSync(file, "utf8")));
  const api = await loadApi(join(ROOT, "curation", spec), {});
  return openSubject(curation!, api, compileToolset(curation!, api).toolset!);
}

/** Without what authors write, so that every rule has something to say. */
const withoutWords = (text: string) => text.replace(/^ {4}(notFor|returns|title|next): .*\n/gm, "");

test("there are curations to look at", () => {
  expect(SHIPPED.length).toBeGreaterThan(4);
});

describe.each(SHIPPED)("of %s", (name, spec) => {
  test.each([
    ["as it is shipped", (text: string) => text],
    ["without its words", withoutWords],
  ])("%s every finding is whole, is told once, and is no worse than its rule", async (_, change) => {
    const subject = await openShipped(name, spec, change);
    for (const { code, severity, check } of LINT_RULES) {
      const found = [...check(subject)];
      expect(new Set(found.map((one) => JSON.stringify(one))).size, code).toBe(found.length);
      for (const one of found) {
        expect(RANK[one.severity], code).toBeLessThanOrEqual(RANK[severity]);
        expect(
          [one.message, one.hint].every((text) => text.trim() !== ""),
          code,
        ).toBe(true);
        if (one.tool !== undefined) expect([...subject.tools.keys()], code).toContain(one.tool);
      }
    }
  });

  test("the findings are the same from run to run", async () => {
    const [first, second] = [await openShipped(name, spec, withoutWords), await openShipped(name, spec, withoutWords)];
    expect(lintToolset(second)).toStrictEqual(lintToolset(first));
  });
});

test("docs/rules.md has a row for every rule, with its severity, and names every other code that can be waived", () => {
  const page = readFileSync(join(ROOT, "docs/rules.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)].map(([, code, severity]) => `${code} ${severity}`);
  expect(rows).toStrictEqual(LINT_RULES.map(({ code, severity }) => `${code} ${severity}`).toSorted());
  expect([...WAIVABLE_CODES, ...PROFILE_CODES].filter((code) => !page.includes(`\`${code}\``))).toStrictEqual([]);
});
