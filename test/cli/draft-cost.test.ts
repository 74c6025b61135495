import { expect, test } from "vitest";
import { costOf, costWithin } from "../../src/cli/draft/cost-of.ts";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { draftApi } from "../draft/draft-api.ts";
import { shop } from "../draft/shop-document.ts";
import { openSpec } from "../spec/open-spec.ts";

async function shopTools(): Promise<Toolset> {
  const api = await openSpec(shop());
  const { curation } = loadCuration("shop.yaml", (await draftApi(api)).text);
  return compileToolset(curation!, api).toolset!;
}

test("a list that is surely within its budget is not counted", async () => {
  const toolset = await shopTools();
  const [exact, about] = [await costOf(toolset), await costWithin(toolset, 4_000)];
  expect(about.tools.size).toBe(0);
  expect(about.list / exact.list).toBeGreaterThan(0.95);
  expect(about.list / exact.list).toBeLessThan(1.1);
});

test("a list near its budget or above it is counted, with each tool", async () => {
  const toolset = await shopTools();
  const exact = await costOf(toolset);
  for (const budget of [exact.list, Math.floor(exact.list / 2)])
    expect(await costWithin(toolset, budget)).toStrictEqual(exact);
});
