import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fixture, run } from "./fake-shell.ts";
import { openShop, SHOP_KEY, SHOP_TRACE, type Shop } from "./shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(() => {
  shop.seen.length = 0;
});
afterAll(() => shop.close());

const call = (args: string[], more: Parameters<typeof run>[1] = {}) =>
  run(["call", fixture("shop.yaml"), ...args], { env: shop.env, ...more });

test("prints the reply and nothing else", async () => {
  const { code, out, err } = await call(["shop_list_items", '{"colour":"red"}']);
  expect([code, err]).toStrictEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({
    rowCount: 2,
    data: [
      { id: "a", price: 0.5 },
      { id: "b", price: 1.5 },
    ],
  });
  expect(shop.seen).toMatchObject([
    { url: "/v1/items?colour=red", headers: { "x-shop-key": SHOP_KEY, "x-client": "vitrine" } },
  ]);
});

test("reads the arguments from stdin with -", async () => {
  const { code, out } = await call(["shop_get_item", "-"], { stdin: '{"itemId":"c"}' });
  expect([code, JSON.parse(out)]).toMatchObject([0, { id: "c", price: 2.5 }]);
});

test("a tool error is printed as a reply and ends with 1", async () => {
  const { code, out, err } = await call(["shop_get_item", "{}"]);
  expect([code, err]).toStrictEqual([1, ""]);
  expect(JSON.parse(out)).toMatchObject({ error: "invalid_arguments" });
  expect(shop.seen).toStrictEqual([]);
});

test("an unknown tool ends with 2 and names the nearest", async () => {
  const { code, out, err } = await call(["shop_get_items"]);
  expect([code, out]).toStrictEqual([2, ""]);
  expect(err).toBe("vitrine: Unknown tool: shop_get_items. Did you mean shop_get_item?\n");
});

test("a setting that is missing ends with 2, names it, and nothing is sent", async () => {
  const { SHOP_KEY: _, ...env } = shop.env;
  const { code, out, err } = await call(["shop_list_items"], { env });
  expect([code, out]).toStrictEqual([2, ""]);
  expect(err).toMatch(/SHOP_KEY/);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(shop.seen).toStrictEqual([]);
});

test("--raw shows the upstream's own answer beside the reply, with the cost of both", async () => {
  const { code, out } = await call(["shop_list_items", "--raw"]);
  expect(code).toBe(0);
  const raw = JSON.parse(out);
  expect(Object.keys(raw)).toStrictEqual(["reply", "upstream", "bytes", "tokens"]);
  expect(raw.reply.rowCount).toBe(2);
  expect(raw.upstream).toMatchObject([
    {
      request: { method: "GET", operation: "GET /items" },
      status: 200,
      body: { items: [{}, {}, { secretNote: "not selected" }] },
    },
  ]);
  expect(raw.bytes.upstream).toBeGreaterThan(raw.bytes.reply / 2);
  expect(raw.tokens.upstream).toBeGreaterThan(0);
  expect(out).not.toContain(SHOP_KEY);
  expect(out).not.toContain(SHOP_TRACE);
});

test("--raw shows no secret that the upstream says back", async () => {
  const { code, out } = await call(["shop_get_item", '{"itemId":"zzz"}', "--raw"]);
  expect(code).toBe(1);
  expect(JSON.parse(out).upstream).toMatchObject([{ status: 404 }]);
  expect(out).not.toContain(SHOP_KEY);
});

test("--dry-run shows the request with its credentials hidden, and sends none", async () => {
  const { code, out, err } = await call(["shop_list_items", '{"colour":"blue"}', "--dry-run"]);
  expect([code, err]).toStrictEqual([0, ""]);
  const { SHOP_URL } = shop.env;
  expect(JSON.parse(out)).toMatchObject([
    {
      operation: "GET /items",
      method: "GET",
      url: `${SHOP_URL}/items?colour=blue`,
      headers: { "x-shop-key": "***", "x-trace": "***", "x-client": "vitrine" },
    },
  ]);
  expect(out).not.toContain("canary");
  expect(shop.seen).toStrictEqual([]);
});

test("--dry-run with wrong arguments says what is wrong", async () => {
  const { code, out } = await call(["shop_list_items", '{"colour":"green"}', "--dry-run"]);
  expect([code, JSON.parse(out).error]).toStrictEqual([1, "invalid_arguments"]);
});

test("--as gives the claims that a curation reads", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-as-"));
  const claims = join(folder, "me.yaml");
  writeFileSync(claims, "claims:\n  shopUrl: x\n");
  const { code } = await call(["shop_list_items", "--as", claims]);
  expect(code).toBe(0);
});
