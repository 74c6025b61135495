import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layOut, NODE_HEIGHT } from "../../../src/web/page/chain/lay-out.ts";
import { findChanges, sayChanges } from "../../../src/web/page/find-changes.ts";
import { findDifference } from "../../../src/web/page/parts/find-difference.ts";
import { formatBytes, formatMs, formatShare } from "../../../src/web/page/parts/numbers.ts";
import { readRoute, TABS, VIEWS, writeRoute } from "../../../src/web/page/route.ts";
import type { PageChain } from "../../../src/web/page-data.ts";
import { hostileData } from "./hostile-data.ts";

test("where a person is survives the way through the address", () => {
  const route = fc.record(
    {
      view: fc.constantFrom(...VIEWS),
      tab: fc.constantFrom(...TABS),
      tool: fc.string({ unit: "grapheme" }),
      action: fc.string(),
    },
    { requiredKeys: ["view", "tab"], noNullPrototype: true },
  );
  fc.assert(
    fc.property(route, (one) => {
      expect(readRoute(writeRoute(one))).toStrictEqual(one);
    }),
  );
});

test("an address of somebody else's making leads to the tools", () => {
  expect(readRoute("#view=__proto__&tab=constructor&x=%ff")).toStrictEqual({ view: "tools", tab: "agent" });
});

test("head, middle and tail make both texts again", () => {
  const words = fc.array(fc.constantFrom("a", "b", " ", "\n", "longer"), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const { head, gone, come, tail } = findDifference(before, after);
      expect([head + gone + tail, head + come + tail]).toStrictEqual([before, after]);
      if (before === after) expect([gone, come]).toStrictEqual(["", ""]);
    }),
  );
  expect(findDifference("List the items.", "List all the items.")).toMatchObject({ gone: "", come: "all " });
});

test("numbers are short and not made nothing", () => {
  expect([0, 999, 1_000, 279_400, 2_500_000].map(formatBytes)).toStrictEqual([
    "0 B",
    "999 B",
    "1 kB",
    "279 kB",
    "2.5 MB",
  ]);
  expect([null, 12.34, 1_700].map(formatMs)).toStrictEqual(["–", "12.3 ms", "1.7 s"]);
  expect([formatShare(1, 3), formatShare(1, 100_000), formatShare(0, 0)]).toStrictEqual(["33.3 %", "< 0.1 %", "–"]);
});

test("tools that came, changed and went are told by name", () => {
  const [before, now] = [hostileData("r1"), hostileData("r2")];
  const [first, group] = now.tools;
  const changes = findChanges(before, {
    ...now,
    tools: [first!, { ...group!, listed: { ...group!.listed, name: "new" } }],
  });
  expect([...changes.byTool].map(([, { kind }]) => kind)).toStrictEqual(["changed", "added"]);
  expect(changes.removed).toStrictEqual(["group"]);
  expect(sayChanges(changes)).toContain("Added: new.");
  expect(sayChanges(findChanges(now, now))).toBeUndefined();
});

describe("the drawn chain", () => {
  const links = fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 9 }).map(String),
      to: fc.integer({ min: 0, max: 9 }).map(String),
      kind: fc.constantFrom("identifier", "values", "next", "suggests"),
    }),
    { maxLength: 30 },
  );
  const chainOf = (all: PageChain["links"]): PageChain => ({
    nodes: Array.from({ length: 10 }, (_, at) => ({ id: String(at), tool: String(at), runs: "tries" })),
    links: all,
  });

  test("has every node once, none over another, all within the picture, also where links go round", () => {
    fc.assert(
      fc.property(links, (all) => {
        const { nodes, width, height } = layOut(chainOf(all));
        const placed = [...nodes.values()];
        expect(placed).toHaveLength(10);
        for (const one of placed) {
          expect(one.x + one.width).toBeLessThanOrEqual(width);
          expect(one.y + NODE_HEIGHT).toBeLessThanOrEqual(height);
          const over = placed.filter(({ x, y }) => x === one.x && Math.abs(y - one.y) < NODE_HEIGHT);
          expect(over).toStrictEqual([one]);
        }
      }),
    );
  });

  test("goes from left to right, past what stands between", () => {
    const kind = "identifier";
    const drawn = layOut(
      chainOf([
        { from: "0", to: "1", kind },
        { from: "1", to: "2", kind },
        { from: "0", to: "2", kind },
      ]),
    );
    const [a, b, c] = ["0", "1", "2"].map((id) => drawn.nodes.get(id)!);
    expect(a!.x).toBeLessThan(b!.x);
    expect(b!.x).toBeLessThan(c!.x);
    const via = drawn.via("0", "2");
    expect(via.map(({ x }) => x)).toStrictEqual([b!.x, b!.x + b!.width]);
    expect(via.every(({ y }) => y < b!.y || y > b!.y + NODE_HEIGHT)).toBe(true);
    expect(drawn.via("0", "1")).toStrictEqual([]);
  });
});
