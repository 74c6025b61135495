import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { listSums } from "../../../src/run/expressions/list-sums.ts";
import { startCall } from "../exchange/start-call.ts";
import { expression, list } from "../shape-fixture.ts";
import { compute, read, type Script, type Scripted, startFlow, values } from "./fixture.ts";

const items = [
  { v: 1, w: [1] },
  { v: 2, w: [2] },
];
const MORE: JsonObject = { items, has_more: true, id: 7 };
const ONE_PAGE = "no sum: the upstream has more than these 2 (PARTIAL_PAGES)";
const NOT_ALL = "no sum: not all of `a` was read (PARTIAL_PAGES)";

const answers =
  (bodies: Readonly<Record<string, Scripted>>): Script =>
  ({ path }) =>
    bodies[path.slice(1)] ?? { status: 500, body: {} };

describe("where an expression's sums come from", () => {
  test.each<[from: string, lists: readonly string[]]>([
    ["sum(steps.a.items[].v)", ["steps.a.items"]],
    ["avg(map(&v, steps.a))", ["steps.a"]],
    ["steps.a.items[?x].v | sum(@)", ["steps.a.items"]],
    ["$.steps.a.{t: sum(items[*].v), n: length(items)}", ["$.steps.a.items"]],
    ["let $x = steps.a.items in {t: sum($x[].v)}", ["steps.a.items"]],
    ["sum([steps.a.v, steps.b.v])", ["steps.a.v", "steps.b.v"]],
    ["steps.a.items[].{t: sum(w)}", [""]],
    ["length(steps.a.items)", []],
    ["round(sum(rows[].v), `2`) * `2`", ["rows"]],
  ])("%s", (jmespath, want) => {
    const found = listSums(expression(jmespath));
    expect(found.map(({ lists }) => lists.map((path) => path.join(".")).join())).toEqual(
      want.length > 1 ? [want.join()] : want,
    );
  });
});

describe("a workflow's sum over one page of several is withheld", () => {
  const ask = (a: Scripted, value: string) =>
    startFlow({ steps: [read("a")], script: answers({ a }), shape: values({ t: value }) }).ask();

  test.each<[of: string, answer: Scripted, value: string, kept: string, t: Json]>([
    ["a flag", { body: MORE }, "sum(steps.a.items[].v)", ONE_PAGE, null],
    ["a mean", { body: MORE }, "avg(steps.a.items[].v)", ONE_PAGE, null],
    ["a calculation", { body: MORE }, "sum(steps.a.items[].v) * `2`", ONE_PAGE, null],
    ["an entry alone", { body: MORE }, "{s: sum(steps.a.items[].v), id: steps.a.id}", ONE_PAGE, { s: null, id: 7 }],
    ["a count", { body: { items, total_count: 9 } }, "sum(steps.a.items[].v)", ONE_PAGE, null],
    ["a link", { body: { items }, headers: { link: '</a?p=2>; rel="next"' } }, "sum(steps.a.items[].v)", NOT_ALL, null],
    ["a list itself", { body: items, headers: { "x-total-count": "5" } }, "sum(steps.a[].v)", NOT_ALL, null],
  ])("by %s", async (_, answer, value, kept, t) => {
    const reply = await ask(answer, value);
    expect(reply.t).toEqual(t);
    expect(reply.omitted).toContainEqual({ what: "value", path: "t", kept });
  });

  test.each<[what: string, answer: Scripted, value: string, t: Json]>([
    ["a whole list", { body: { items, has_more: false } }, "sum(steps.a.items[].v)", 3],
    ["each row's own list", { body: MORE }, "steps.a.items[].sum(w)", [1, 2]],
    ["an amount called total", { body: { items, total: 3000 } }, "sum(steps.a.items[].v)", 3],
    ["what is no sum", { body: MORE }, "steps.a.items[].v", [1, 2]],
  ])("and not that over %s", async (_, answer, value, t) => {
    const reply = await ask(answer, value);
    expect(reply).toEqual({ t });
  });

  test("also where steps lie between", async () => {
    const { ask } = startFlow({
      steps: [read("a"), compute("open", "steps.a.items[?v > `0`]", [0]), compute("t", "sum(steps.open[].v)", [1])],
      script: answers({ a: { body: MORE } }),
      shape: values({ t: "steps.t", again: "sum(steps.open[].v)" }),
    });
    expect(await ask()).toEqual({
      omitted: [
        { what: "value", path: "t", kept: ONE_PAGE },
        { what: "value", path: "again", kept: ONE_PAGE },
      ],
      t: null,
      again: null,
    });
  });

  test("also over the items of a loop that were too many", async () => {
    const { ask } = startFlow({
      steps: [read("a"), read("each", { needs: [0], each: "steps.a.items", max: 1 })],
      script: answers({ a: { body: { items } }, each: { body: { v: 4 } } }),
      shape: values({ t: "sum(steps.each[].reply.v)" }),
    });
    expect(await ask()).toMatchObject({
      t: null,
      omitted: [
        { what: "items" },
        { what: "value", path: "t", kept: "no sum: not all of `each` was read (PARTIAL_PAGES)" },
      ],
    });
  });
});

test("a tool of one request withholds a sum over one page of several too, and no other", async () => {
  const shape = values({ t: "sum(items[].v)", n: "length(items)" });
  expect(await startCall(shape, { body: JSON.stringify(MORE) })).toEqual({
    omitted: [{ what: "value", path: "t", kept: ONE_PAGE }],
    t: null,
    n: 2,
  });
  expect(await startCall(shape, { body: JSON.stringify({ items, total: 3000 }) })).toEqual({ t: 3, n: 2 });
});

test("a list made of a step whose rows moved says that they moved, and not that the upstream has more", async () => {
  const pages = [
    [{ id: 1 }, { id: 2 }],
    [{ id: 2 }, { id: 3 }],
  ];
  const step = read("a", {
    all: { rows: expression("items"), max: 9 },
    call: {
      pages: {
        style: "page",
        first: 1,
        sizeMax: 2,
        send: { place: { in: "query", name: "page", pointer: [] }, type: "integer" },
      },
    },
  });
  const script: Script = ({ query }) => ({ body: { items: pages[Number(query.get("page")) - 1] ?? [] } });
  const reply = await startFlow({ steps: [step], script, shape: list({ rows: expression("steps.a") }) }).ask();
  expect(reply).toMatchObject({ rowCount: 4, hasMore: false, note: expect.stringContaining("SNAPSHOT_DRIFT") });
  expect(JSON.stringify(reply)).not.toContain("has more");
});

test("a list made of the items of a loop that were too many blames the bound, and not the upstream", async () => {
  const { ask } = startFlow({
    steps: [read("a"), read("each", { needs: [0], each: "steps.a.items", max: 1 })],
    script: answers({ a: { body: { items } }, each: { body: { v: 4 } } }),
    shape: list({
      rows: expression("steps.each[].reply"),
      totals: { kind: "walk", measure: "v", additive: true, maxPages: 1, caveats: [] },
    }),
  });
  const only = "Only 1 of 2 items of `each` were gone through.";
  expect(await ask()).toEqual({
    summary: {
      returned: 1,
      totalWithheld: { code: "PARTIAL_PAGES", reason: `${only} Narrow the arguments to get the total.` },
    },
    rowCount: 1,
    hasMore: true,
    note: `${only} Narrow the arguments to see others.`,
    omitted: [{ what: "items", path: "each", kept: "1 of 2" }],
    data: [{ v: 4 }],
  });
});
