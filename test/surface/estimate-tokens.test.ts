import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { estimateTokens, openMeasure } from "../../src/surface/measure-cost.ts";

let measure: Awaited<ReturnType<typeof openMeasure>>;
beforeAll(async () => {
  measure = await openMeasure();
});

const tool = (words: readonly string[], description: string) => ({
  name: words.join("_"),
  description,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(words.map((word) => [word, { type: "string", description }])),
    required: words.slice(0, 1),
    additionalProperties: false,
  },
});

describe("an estimate of tokens without the table", () => {
  const lists: [what: string, tools: object[]][] = [
    ["a list of plain tools", [tool(["list", "orders", "customer"], "See which orders of one customer there are.")]],
    [
      "camelCase, dates and numbers",
      [tool(["getCostAndUsage", "TimePeriod", "accountID2"], "From 2026-01-31T00:00:00Z, at most 1,000 rows.")],
    ],
    ["marks and addresses", [tool(["q"], 'As in `status:open (a|b)`; see https://example.com/a_b-c?d=e&f=%20 \\ "…"')]],
  ];
  test.each(lists)("is near the count for %s", (_, tools) => {
    const text = JSON.stringify(tools);
    const { tokens } = measure(text);
    expect(estimateTokens(text) / tokens).toBeGreaterThan(0.95);
    expect(estimateTokens(text) / tokens).toBeLessThan(1.2);
  });

  test("is not below the count for texts in other alphabets", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("价格列表查询", "список заказов клиента", "注文の一覧を見る", "لائحة الطلبات", "🎉✅🚀"),
        (words) => {
          const text = JSON.stringify([tool(["orders"], words.repeat(8))]);
          expect(estimateTokens(text)).toBeGreaterThanOrEqual(measure(text).tokens * 0.95);
        },
      ),
    );
  });
});
