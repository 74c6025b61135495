import { expect, test } from "vitest";
import { compileToolset } from "../../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import { checkLint } from "../../../src/surface/lint/check-lint.ts";
import { keysByListedName, toolsByKey } from "../../../src/surface/lint/tool-keys.ts";
import { apiOfText, curationText } from "../../compile/compile-text.ts";
import { specOfQuery } from "./lint-text.ts";

const TOOL = "{operation: list, use: List the things that there are.}";
const TOOLS = `shop.list: ${TOOL}\nshop.find: ${TOOL}\nget_all: ${TOOL}`;

async function open(expose: string) {
  const api = await apiOfText(specOfQuery([]));
  const { curation } = loadCuration("test.yaml", curationText(TOOLS, { server: `prefix: my_, expose: ${expose}` }));
  return { api, curation: curation!, toolset: compileToolset(curation!, api).toolset! };
}

test.each([
  ["flat", { my_shop_list: ["shop.list"], my_shop_find: ["shop.find"], my_get_all: ["get_all"] }],
  ["grouped", { my_shop: ["shop.list", "shop.find"], my_get_all: ["get_all"] }],
])("entries of a list that is %s are led back to their keys", async (expose, want) => {
  const { curation, toolset } = await open(expose);
  const tools = toolsByKey(curation, toolset);
  expect([...tools.keys()]).toStrictEqual(["shop.list", "shop.find", "get_all"]);
  expect(Object.fromEntries(keysByListedName(tools))).toStrictEqual(want);
});

test.each([
  ["flat", ["shop.list", "shop.find", "get_all"]],
  ["grouped", ["shop.list", "get_all"]],
])("what a client minds of a list that is %s stands at the first of its tools", async (expose, want) => {
  const { api, curation, toolset } = await open(expose);
  const found = await checkLint(curation, api, toolset, "codex");
  const cut = found.filter(({ code }) => code === "reply_cut");
  expect(cut.map(({ tool }) => tool).toSorted()).toStrictEqual(want.toSorted());
  expect(cut.map(({ line }) => line).toSorted()).toStrictEqual(
    want.map((key) => 5 + TOOLS.split("\n").findIndex((text) => text.startsWith(key))).toSorted(),
  );
});
