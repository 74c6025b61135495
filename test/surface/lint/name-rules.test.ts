import { describe, expect, test } from "vitest";
import { NAME_RULES } from "../../../src/surface/lint/rules/name-rules.ts";
import { lintTools, specOfQuery } from "./lint-text.ts";

const OWN = new Set(NAME_RULES.map(({ code }) => code));

/** `severity code tool`, of the rules on names. */
async function find(names: readonly string[], server = ""): Promise<string[]> {
  const tools = names.map((name) => `${name}: {operation: list, use: List the things that there are.}`).join("\n");
  const found = await lintTools(specOfQuery([]), tools, { server });
  return found.filter(({ code }) => OWN.has(code)).map(({ severity, code, tool }) => `${severity} ${code} ${tool}`);
}

const cases: readonly (readonly [title: string, names: readonly string[], want: readonly string[]])[] = [
  ["begins with a verb", ["list_orders"], []],
  ["asks a question", ["what_changed"], []],
  ["does not say what is done", ["orders_report"], ["note name_without_verb orders_report"]],
  ["holds a version", ["get_v2_orders"], ["warning name_noise get_v2_orders"]],
  ["holds no version though a v", ["get_very_old_orders"], []],
  ["holds the method of its operation", ["get_orders_using_get"], ["warning name_noise get_orders_using_get"]],
  ["ends with a word of code", ["get_orders_endpoint"], ["warning name_noise get_orders_endpoint"]],
  ["is of API keys", ["list_api_keys"], []],
  ["is another in the plural", ["get_order", "get_orders"], ["warning names_alike get_orders"]],
  ["is another with a separator less", ["get_callback", "get_call_back"], ["warning names_alike get_call_back"]],
  [
    "is another with a verb of one meaning",
    ["get_order", "fetch_order"],
    ["warning names_alike fetch_order", "note mixed_verbs fetch_order"],
  ],
  ["is another but for a letter of a long word", ["list_issuers", "list_insuers"], ["note names_alike list_insuers"]],
  ["is another but for a letter of a short word", ["get_cat", "get_car"], []],
  ["is another but for a digit", ["get_report1", "get_report2"], []],
  ["is another but for one word", ["get_order", "get_customer"], []],
  ["lists what another gets", ["get_order", "list_orders"], []],
  ["uses another verb for another thing", ["get_order", "retrieve_customer"], ["note mixed_verbs retrieve_customer"]],
];

describe("a tool's name that", () => {
  test.each(cases)("%s", async (_, names, want) => {
    expect(await find(names)).toStrictEqual(want);
  });

  test("says again what stands in the prefix", async () => {
    expect(await find(["list_shop_orders"], "prefix: shop_")).toStrictEqual([
      "note name_repeats_prefix list_shop_orders",
    ]);
  });

  test("is another's in another namespace is no second of it", async () => {
    expect(await find(["shop.get_order", "stock.get_orders"], "expose: grouped")).toStrictEqual([]);
  });
});
