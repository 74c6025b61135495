import { describe, expect, test } from "vitest";
import { readSecrets } from "../../src/cli/read-secrets.ts";
import { fixture, run } from "./fake-shell.ts";

const SHOP = { SHOP_URL: "http://127.0.0.1:9", SHOP_KEY: "k", SHOP_TRACE: "t" };
const ONE = "0123456789abcdef";
const TWO = "fedcba9876543210";

describe("VITRINE_SECRET", () => {
  const read: [given: string | undefined, want: string[]][] = [
    [undefined, []],
    ["", []],
    [ONE, [ONE]],
    [`${ONE},${TWO}`, [ONE, TWO]],
    [` ${ONE} , ${TWO} `, [ONE, TWO]],
  ];
  test.each(read)("%j", (given, want) => {
    expect(readSecrets({ VITRINE_SECRET: given })).toStrictEqual(want);
  });

  const refused = ["short", ONE.slice(1), `${ONE},`, `${ONE},short`, `${ONE},${TWO},${ONE}`, ","];
  test.each(refused)("%j ends with 2 and one line that does not hold it", async (given) => {
    const ran = await run(["call", fixture("shop.yaml"), "list_items"], { env: { ...SHOP, VITRINE_SECRET: given } });
    expect([ran.code, ran.out]).toStrictEqual([2, ""]);
    expect(ran.err).toMatch(/^vitrine: VITRINE_SECRET must be one secret of at least 16 characters.*\n$/);
    expect(ran.err).not.toContain(ONE.slice(2, 14));
  });
});
