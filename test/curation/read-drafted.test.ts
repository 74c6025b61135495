import { expect, test } from "vitest";
import { readMade } from "../../src/curation/load-curation.ts";
import { readDrafted } from "../../src/curation/read-drafted.ts";
import type { JsonObject } from "../../src/model/json.ts";

function drafted(list: JsonObject): JsonObject {
  return {
    vitrine: 1,
    api: { spec: "./shop.yaml" },
    server: { name: "shop" },
    tools: {
      list_orders: { operation: "listOrders", use: "List orders.", ...list },
      get_shop: { operation: "getShop" },
    },
  };
}

test("what drafting writes becomes what the format's schema makes of it", () => {
  const written: JsonObject[] = [
    {},
    { input: { status: { enum: ["open", "paid"] }, since: { type: "date", as: "unix" } } },
    {
      result: { rows: "orders", fields: { id: "id", note: { path: "note", clip: "first-sentence" } }, budget: "12kB" },
    },
    { result: { budget: "1.5MB", limit: { default: 20, max: 100 } } },
    { confirm: { text: "Cancel ${input.id}?", human: true }, input: { id: {} } },
  ];
  for (const one of written) {
    const made = readMade("draft", drafted(one));
    expect([one, made?.content]).toStrictEqual([one, readDrafted("draft", drafted(one)).content]);
  }
});

test("a draft whose entries or expressions have a mistake is thrown, for it is ours", () => {
  const faults: [list: JsonObject, says: string][] = [
    [{ input: { limit: {} } }, "The draft is no curation: reserved_name: `limit` is the name of a built-in input."],
    [{ result: { rows: "orders[" } }, "The draft is no curation: bad_expression: "],
  ];
  for (const [list, says] of faults) expect(() => readDrafted("draft", drafted(list))).toThrow(says);
});
