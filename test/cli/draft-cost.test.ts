import { expect, test } from "vitest";
import { costOf, estimateCost } from "../../src/cli/draft/cost-of.ts";
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

test("an estimate of a list and of each of its tools is near their count", async () => {
  const toolset = await shopTools();
  const [exact, about] = [await costOf(toolset), estimateCost(toolset)];
  expect([...about.tools.keys()]).toStrictEqual([...exact.tools.keys()]);
  for (const [name, tokens] of [...exact.tools, ["the list", exact.list] as const]) {
    const ratio = (name === "the list" ? about.list : about.tools.get(name)!) / tokens;
    expect([name, ratio > 0.95 && ratio < 1.1]).toStrictEqual([name, true]);
  }
});
