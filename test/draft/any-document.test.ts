import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api } from "../../src/model/api.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { openText } from "../spec/open-spec.ts";
import { draftApi } from "./draft-api.ts";

// Whatever can be loaded can be drafted, and what comes of it compiles.

async function errorsOf(api: Api): Promise<readonly string[]> {
  const { curation, problems } = loadCuration("draft.yaml", (await draftApi(api)).text);
  const compiled = curation === undefined ? [] : compileToolset(curation, api).problems;
  return [...problems, ...compiled]
    .filter(({ severity }) => severity === "error")
    .map(({ code, line, message }) => `${line} ${code}: ${message}`);
}

const CASES = join(import.meta.dirname, "..", "cases");
const cases = readdirSync(CASES).filter((name) => existsSync(join(CASES, name, "spec.yaml")));

test.each(cases)("the document of case %s", async (name) => {
  const api = await loadApi(join(CASES, name, "spec.yaml"), {});
  expect(await errorsOf(api)).toStrictEqual([]);
});

describe("a document in which anything may stand anywhere", () => {
  const JUNK = [
    null,
    true,
    -1,
    "",
    [],
    {},
    "x".repeat(3_000),
    { $ref: "#/nowhere" },
    { type: ["string", "null"] },
    "${env.X}",
  ];
  const text = readFileSync(join("specs", "unleash.json"), "utf8");
  const small = JSON.stringify(firstPaths(JSON.parse(text) as Document, 40));

  test("is drafted, and the draft compiles", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 2, maxLength: 9 }), fc.nat(JUNK.length)), {
          minLength: 1,
          maxLength: 12,
        }),
        async (edits) => {
          const document = JSON.parse(small) as Document;
          for (const [way, junk] of edits) edit(document, way, junk);
          const api = await openText(JSON.stringify(document)).catch(() => undefined);
          if (api !== undefined) expect(await errorsOf(api)).toStrictEqual([]);
        },
      ),
      { numRuns: 25, seed: 20_261_130 },
    );
  }, 120_000);

  type Document = { [key: string]: unknown; paths: Record<string, unknown> };

  function firstPaths(document: Document, most: number): Document {
    return { ...document, paths: Object.fromEntries(Object.entries(document.paths).slice(0, most)) };
  }

  /** Goes down as the numbers say, and takes away what is there or puts junk in its place. */
  function edit(root: Document, way: readonly number[], junk: number): void {
    let at = root as Record<string, unknown>;
    for (const [step, number] of way.entries()) {
      const keys = Object.keys(at);
      const key = keys[number % Math.max(1, keys.length)];
      if (key === undefined) return;
      const inner = at[key];
      if (step < way.length - 1 && typeof inner === "object" && inner !== null) {
        at = inner as Record<string, unknown>;
        continue;
      }
      if (junk === JUNK.length) delete at[key];
      else at[key] = structuredClone(JUNK[junk]);
      return;
    }
  }
});
