import { expect, test } from "vitest";
import { fixture, run } from "./fake-shell.ts";

test("the listing says of each tool what it is for, what it takes and what it costs", async () => {
  const { code, out, err } = await run(["tools", fixture("shop.yaml")]);
  expect([code, err]).toStrictEqual([0, ""]);
  expect(out).toMatch(/^shop: The shop \(2 tools, \d+ tokens\)\n/);
  expect(out).toContain("Prices are in euro.");
  expect(out).toMatch(/\nshop_get_item {2}\d+ tokens\n {2}Get an item\n/);
  expect(out).toMatch(/\n {2}input {4}itemId \(\w+, required\)/);
  expect(out).toContain("  rows     2, at most 10\n");
  expect(out).toContain("  sends    GET /items\n");
});

test("the manifest is canonical: keys in order, and the same whatever the environment holds", async () => {
  const bare = await run(["tools", "--json", fixture("shop.yaml")]);
  const full = await run(["tools", "--json", fixture("shop.yaml")], {
    env: { SHOP_URL: "http://canary", SHOP_KEY: "canary", SHOP_TRACE: "canary" },
  });
  expect(bare).toStrictEqual(full);
  expect(bare.code).toBe(0);
  expect(bare.out).not.toContain("canary");
  expect(bare.out).not.toContain("\r");
  const keys = [...bare.out.matchAll(/^ {2}"(\w+)"/gm)].map(([, key]) => key);
  expect(keys).toStrictEqual(keys.toSorted());
  const manifest = JSON.parse(bare.out);
  expect(manifest).toMatchObject({
    manifest: 1,
    server: { name: "shop", structured: true },
    pins: [],
    entities: [],
    tokens: expect.any(Number),
  });
  expect(manifest.tools).toMatchObject([
    {
      name: "shop_get_item",
      operations: ["GET /items/{itemId}"],
      annotations: { readOnlyHint: true },
      tokens: expect.any(Number),
    },
    { name: "shop_list_items", operations: ["GET /items"], limit: { default: 2, max: 10 }, budget: 4000 },
  ]);
});

test("a tool that the spec breaks is left out, and stderr says so", async () => {
  const { code, out, err } = await run(["tools", fixture("half-broken.yaml")]);
  expect(code).toBe(0);
  expect(err).toMatch(/error +spec_fault/);
  expect(out).toContain("2 tools");
  expect(out).not.toContain("shop_get_broken");
});

test("a curation that does not compile has no tools: its findings are on stderr", async () => {
  const { code, out, err } = await run(["tools", fixture("broken.yaml")]);
  expect([code, out]).toStrictEqual([1, ""]);
  expect(err).toContain("broken.yaml:5:3");
});
