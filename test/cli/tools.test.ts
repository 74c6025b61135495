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
    tokens: expect.any(Number),
  });
  expect(manifest.tools).toMatchObject([
    {
      name: "shop_get_item",
      conduct: { operations: ["GET /items/{itemId}"] },
      annotations: { readOnlyHint: true },
      tokens: expect.any(Number),
    },
    { name: "shop_list_items", conduct: { operations: ["GET /items"], limit: { default: 2, max: 10 }, budget: 4000 } },
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

test("the listing ends with what each tool and the list cost in three encodings, beside one tool an operation", async () => {
  const { out } = await run(["tools", fixture("shop.yaml")]);
  const table = out.slice(out.indexOf("\ncost "));
  expect(table).toMatch(/^\ncost +bytes +o200k_base +cl100k_base +p50k_base\n/);
  expect(table).toMatch(/\nshop_get_item +[\d,]+ +[\d,]+ +[\d,]+ +[\d,]+\n/);
  expect(table).toMatch(/\nthe list of 2 tools +[\d,]+ +[\d,]+ +[\d,]+ +[\d,]+\n/);
  expect(table).toMatch(/\none tool for each of the \d+ operations +[\d,]+ +[\d,]+ +[\d,]+ +[\d,]+\n$/);
  const [, tokens] = /\((?:\d+) tools, (\d+) tokens\)/.exec(out)!;
  expect(table).toContain(`  ${Number(tokens).toLocaleString("en-US")}  `);
});

test("a profile shows the names that a client shows, and what it refuses", async () => {
  const { code, out, err } = await run(["tools", fixture("shop.yaml"), "--profile", "claude-code"]);
  expect([code, err]).toStrictEqual([0, ""]);
  expect(out).toContain("  mcp__shop__shop_get_item  24 of 64 characters\n");
  expect(out).toContain("Nothing is refused or cut.");
});

test("a profile with a dialect of its own gives the manifest in it; any other the canonical one", async () => {
  const strict = JSON.parse((await run(["tools", "--json", fixture("shop.yaml"), "--profile", "openai-strict"])).out);
  expect(strict.tools[0].inputSchema).toMatchObject({ additionalProperties: false, required: expect.any(Array) });
  const canonical = await run(["tools", "--json", fixture("shop.yaml")]);
  expect((await run(["tools", "--json", fixture("shop.yaml"), "--profile", "cursor"])).out).toBe(canonical.out);
});

test("a profile that there is not is a mistake of usage, which names those that there are", async () => {
  const { code, err } = await run(["tools", fixture("shop.yaml"), "--profile", "claud"]);
  expect(code).toBe(2);
  expect(err).toContain("claude-code");
});
