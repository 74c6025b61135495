import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeTools } from "../../../src/cli/page/describe-tools.ts";
import { drawChain } from "../../../src/cli/page/draw-chain.ts";
import { readReasons } from "../../../src/cli/page/read-reasons.ts";
import { compileCuration } from "../../../src/cli/toolset/compile-curation.ts";
import { withoutTools } from "../../../src/model/visible/without-tools.ts";
import { openWorkshop } from "./workshop.ts";

async function compile(file: string) {
  const { toolset } = await compileCuration({ file, root: undefined, readOnly: false }, { errorsOnly: true });
  expect(toolset).toBeDefined();
  return toolset!;
}

test("the chain of the ledger: which tool gives the values of which input, and what comes next", async () => {
  const toolset = await compile("curation/ledger.yaml");
  const { nodes, links } = drawChain(toolset);
  expect(nodes.map(({ id }) => id)).toStrictEqual(toolset.tools.map(({ name }) => name));
  const from = links.map(
    (link) => `${link.from} ${link.kind} ${link.to}${link.input === undefined ? "" : ` ${link.input}`}`,
  );
  expect(from).toEqual(
    expect.arrayContaining([
      "ledger_list_dimensions values ledger_run_cost_query dimensions",
      "ledger_list_dimensions values ledger_run_cost_query filter",
      "ledger_list_tenants next ledger_list_dimensions",
    ]),
  );
  expect(new Set(from).size).toBe(from.length);
  const reasons = links.filter(({ kind, from }) => kind === "next" && from === "ledger_list_tenants");
  expect(reasons.map(({ to, label }) => [to, label])).toStrictEqual([
    ["ledger_list_dimensions", "to find fields to group by"],
    ["ledger_run_cost_query", "to ask for the spend of one tenant"],
  ]);
  const query = describeTools(toolset, [], new Map()).find(({ listed }) => listed.name === "ledger_run_cost_query");
  expect(query?.inputs["dimensions"]).toStrictEqual({ from: { tool: "ledger_list_dimensions" } });
});

test.each<[description: string, next: readonly string[], reasons: Record<string, string>]>([
  ["Lists. Next: `a` to see; `b` when it is red.", ["b", "a"], { a: "to see", b: "when it is red" }],
  [
    "Lists. Next: `a` to see what `b` and `a` are; `b` to go.",
    ["a", "b"],
    { a: "to see what `b` and `a` are", b: "to go" },
  ],
  ["Lists. Next: `a` to see. Next: `b` to go.", ["a", "b"], { b: "to go" }],
  ["Lists `a` and `b`.", ["a", "b"], {}],
])("%j says why each of %j follows", (description, next, reasons) => {
  expect(Object.fromEntries(readReasons(description, next))).toStrictEqual(reasons);
});

test("an action stands for itself in the chain, and what a caller does not see is in none of it", async () => {
  const shop = await openWorkshop();
  const content = JSON.parse(readFileSync(shop.file, "utf8").replaceAll("list_items", "stock.list")) as object;
  shop.write(JSON.stringify(content));
  const toolset = await compile(shop.file);
  const { links, nodes } = drawChain(toolset);
  expect(links).toContainEqual({ from: "stock/list", to: "get_item", kind: "identifier", label: "item", input: "id" });
  const [get] = describeTools(toolset, [], new Map()).filter(({ listed }) => listed.name === "get_item");
  expect(get?.inputs["id"]).toStrictEqual({
    entity: "item",
    from: { tool: "stock", action: "list", field: "id" },
  });
  const listing = nodes.find(({ id }) => id === "stock/list");
  const name = toolset.tools.find(({ group }) => group?.action === listing?.action)?.name ?? "";
  const less = withoutTools(toolset, new Set([name]));
  const told = JSON.stringify([drawChain(less), describeTools(less, [], new Map())]);
  expect(told).not.toContain("stock/list");
  expect(told).not.toContain('"action":"list"');
  await shop.close();
});
