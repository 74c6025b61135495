import { describe, expect, test } from "vitest";
import type { Binding, Call, OperationPlan, PagePlan } from "../../../src/model/call.ts";
import { ExpressionFailed, ToolError } from "../../../src/model/errors.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Totals } from "../../../src/model/shape.ts";
import type { Answer } from "../../../src/run/exchange/ask-upstream.ts";
import type { ListRead } from "../../../src/run/list/list-read.ts";
import { isSameRequest } from "../../../src/run/totals/is-same-request.ts";
import { readTotal, type TotalOptions } from "../../../src/run/totals/read-total.ts";
import { column, expression, part, rootsOf, value, whole } from "../shape-fixture.ts";
import { aggregate } from "./totals-fixture.ts";

const operation = (key: string): OperationPlan => ({
  key,
  method: "GET",
  path: `/${key}`,
  server: "https://api.test",
  parameters: [],
  accept: "application/json",
  security: [],
  safe: true,
});
const query = (name: string, given: Json): Binding => ({
  place: { in: "query", name, pointer: [] },
  value: { kind: "literal", value: given },
  pinned: false,
  type: "any",
  required: false,
  nullable: false,
});
const LIST: Call = { operation: 0, bindings: [query("group", "service")] };
const TOKEN_PAGES: PagePlan = {
  style: "token",
  send: { place: { in: "query", name: "page", pointer: [] }, type: "string" },
  next: expression("next"),
};

const answer = (body: Json): Answer => ({
  status: 200,
  headers: new Map(),
  bytes: 9,
  body: { kind: "json", value: body },
});

interface Scene {
  readonly totals: Totals;
  readonly list?: ListRead | Promise<ListRead>;
  readonly call?: Call;
  readonly answers?: readonly (Json | Error)[];
  readonly options?: Partial<TotalOptions>;
}

/** Reads a total of an upstream that gives these answers in turn, and tells what was sent. */
function scene({ totals, list = whole([]), call = LIST, answers = [], options }: Scene) {
  const sent: Call[] = [];
  const asking = {
    toolset: { operations: [operation("list"), operation("total")] },
    access: { upstream: { headers: [], credentials: new Map(), secrets: [] } },
    wire: rootsOf(),
    caller: { key: {}, signal: new AbortController().signal },
    deadlineAt: Number.POSITIVE_INFINITY,
  } as unknown as TotalOptions["asking"];
  const total = readTotal({
    totals,
    shape: { rows: expression("rows") },
    columns: [{ kind: "column", name: "cost", path: expression("cost"), unit: value("currency") }],
    call,
    isSame: totals.kind === "aggregate" && isSameRequest(totals.call, { call, asking }),
    list: Promise.resolve(list),
    send: async (one) => {
      sent.push(one);
      const next = answers[sent.length - 1];
      if (next instanceof Error) throw next;
      return answer(next ?? null);
    },
    asking,
    roots: rootsOf(),
    ...options,
  });
  return { total, sent };
}

const amounts = async (total: ReturnType<typeof readTotal>) => {
  const read = await total;
  if (read.kind !== "values") return read;
  return Object.fromEntries(read.values.map(({ unit, amount }) => [unit ?? "-", amount.exact.toFixed()]));
};

const rows = (...costs: number[]) => costs.map((cost) => ({ cost, currency: "USD" }));

describe("an aggregate of its own", () => {
  const OWN: Call = { operation: 1, bindings: [] };

  test("is sent while the list is still being read", async () => {
    let arrive = (_: ListRead) => {};
    const list = new Promise<ListRead>((resolve) => {
      arrive = resolve;
    });
    const { total, sent } = scene({ totals: aggregate({ call: OWN }), list, answers: [{ total: 12.5 }] });
    expect(sent).toEqual([OWN]);
    expect(await amounts(total)).toEqual({ "-": "12.5" });
    arrive(whole([]));
  });

  test("needs no list: one that fails is told elsewhere", async () => {
    const list = Promise.reject(new ToolError("upstream_timeout", { message: "late", recover: "" }));
    list.catch(() => {});
    expect(await amounts(scene({ totals: aggregate({ call: OWN }), list, answers: [{ total: 1 }] }).total)).toEqual({
      "-": "1",
    });
  });

  const given: readonly (readonly [title: string, value: string, body: Json, want: object])[] = [
    ["a number", "total", { total: 5 }, { "-": "5" }],
    ["a decimal text", "total", { total: "1234567890123456789.01" }, { "-": "1234567890123456789.01" }],
    [
      "one value a unit",
      "rows[].{value: cost, unit: currency}",
      {
        rows: [
          { cost: 5, currency: "usd" },
          { cost: 7, currency: "EUR" },
        ],
      },
      { USD: "5", EUR: "7" },
    ],
    ["values of the same unit", "rows[].{value: cost, unit: currency}", { rows: rows(0.1, 0.2) }, { USD: "0.3" }],
    ["null: nothing to add up", "total", { total: null }, {}],
    ["no value in any unit", "rows[].{value: cost, unit: currency}", { rows: [] }, {}],
    ["a sum over nothing", "rows[].{value: cost, unit: currency}", { rows: [{ cost: null, currency: "USD" }] }, {}],
    ["a text that is no number", "total", { total: "1,234.5" }, { withheld: { code: "BAD_ROWS" } }],
    ["infinity", "total", { total: Number.POSITIVE_INFINITY }, { withheld: { code: "BAD_ROWS" } }],
    ["an expression that fails", "sum(rows)", { rows: ["a"] }, { withheld: { code: "BAD_ROWS" } }],
    [
      "one value among several missing",
      "rows[].{value: cost, unit: currency}",
      { rows: [{ cost: 5 }, {}] },
      { withheld: { code: "BAD_ROWS" } },
    ],
    [
      "a sum over a page that has more behind it",
      "sum(rows[].cost)",
      { rows: rows(5), next_cursor: "x" },
      { withheld: { code: "PARTIAL_PAGES" } },
    ],
    ["what the upstream states of the whole, on such a page", "total", { total: 5, next_cursor: "x" }, { "-": "5" }],
  ];
  test.each(given)("%s", async (_, jmespath, body, want) => {
    const totals = aggregate({ call: OWN, value: expression(jmespath) });
    const read = await amounts(scene({ totals, answers: [body] }).total);
    if ("withheld" in want) expect(read).toMatchObject(want);
    else expect(read).toEqual(want);
  });

  test("has the unit that the curation reads from its body", async () => {
    const totals = aggregate({ call: OWN, unit: value("currency") });
    expect(await amounts(scene({ totals, answers: [{ total: 5, currency: "eur" }] }).total)).toEqual({ EUR: "5" });
  });

  test("has the caveats that hold of its body", async () => {
    const caveats = [
      { when: expression("estimated"), code: "ESTIMATED", note: "It is." },
      { when: expression("sampled"), code: "SAMPLED", note: "It is not." },
      { code: "STALE", note: "Always." },
    ];
    const { total } = scene({ totals: aggregate({ call: OWN, caveats }), answers: [{ total: 5, estimated: true }] });
    expect(await total).toMatchObject({
      caveats: [
        { code: "ESTIMATED", note: "It is." },
        { code: "STALE", note: "Always." },
      ],
    });
  });
});

describe("an aggregate with pages", () => {
  const PAGED: Call = { operation: 1, bindings: [], pages: TOKEN_PAGES };
  const perUnit = aggregate({ call: PAGED, value: expression("rows[].{value: cost, unit: currency}") });
  const page = (cost: number, next?: string): Json => ({ rows: rows(cost), ...(next !== undefined && { next }) });

  test("is read whole", async () => {
    const { total, sent } = scene({ totals: perUnit, answers: [page(1, "a"), page(2, "b"), page(4)] });
    expect(await amounts(total)).toEqual({ USD: "7" });
    expect(sent).toHaveLength(3);
  });

  test("is withheld where it has too many", async () => {
    const answers = Array.from({ length: 30 }, (_, at) => page(at, `p${at}`));
    const { total, sent } = scene({ totals: perUnit, answers });
    expect(await total).toMatchObject({ withheld: { code: "PARTIAL_PAGES" } });
    expect(sent.length).toBeLessThan(12);
  });

  test("one number over a page of several is withheld, and no more pages are read", async () => {
    const { total, sent } = scene({
      totals: aggregate({ call: PAGED, value: expression("sum(rows[].cost)") }),
      answers: [page(1, "a"), page(2)],
    });
    expect(await total).toMatchObject({ withheld: { code: "PARTIAL_PAGES" } });
    expect(sent).toHaveLength(1);
  });

  test("one number over a page that is not full is whole: its rows are those of the list", async () => {
    const size = { place: { in: "query", name: "size", pointer: [] }, type: "integer" } as const;
    const pages: PagePlan = { ...TOKEN_PAGES, style: "page", first: 1, size, sizeMax: 10 };
    const totals = (value: string) => aggregate({ call: { ...LIST, bindings: [], pages }, value: expression(value) });
    const short = scene({ totals: totals("rows[0].cost"), list: part(rows(1), { more: true }), answers: [page(5)] });
    expect(await amounts(short.total)).toEqual({ "-": "5" });
    expect(short.sent).toHaveLength(1);
    const full = { rows: rows(...Array.from({ length: 10 }, () => 1)) };
    const more = scene({
      totals: totals("sum(rows[].cost)"),
      list: part(rows(1), { more: true }),
      answers: [full, page(2), page(3)],
    });
    expect(await more.total).toMatchObject({ withheld: { code: "PARTIAL_PAGES" } });
    const none = scene({
      totals: totals("sum(rows[].cost)"),
      list: part(rows(1), { more: true }),
      answers: [full, { rows: [] }],
    });
    expect(await amounts(none.total)).toEqual({ "-": "10" });
  });

  test("one number that the upstream states is taken from the first", async () => {
    const { total, sent } = scene({ totals: aggregate({ call: PAGED }), answers: [{ total: 9, next: "a" }] });
    expect(await amounts(total)).toEqual({ "-": "9" });
    expect(sent).toHaveLength(1);
  });

  test("totals that it states on every page are not added up", async () => {
    const totals: Json = [{ value: 9, unit: "USD" }];
    const answers: Json[] = [
      { totals, rows: [1], next: "a" },
      { totals, rows: [2], next: "b" },
      { totals, rows: [3] },
    ];
    const { total, sent } = scene({ totals: aggregate({ call: PAGED, value: expression("totals") }), answers });
    expect(await amounts(total)).toEqual({ USD: "9" });
    expect(sent).toHaveLength(2);
  });
});

describe("an aggregate that is the list's own request", () => {
  const same = aggregate({
    call: { ...LIST, bindings: [...LIST.bindings, query("page", "x")], pages: TOKEN_PAGES },
    value: expression("rows[].{value: cost, unit: currency}"),
  });
  const call: Call = { ...LIST, pages: TOKEN_PAGES };

  test("is read from a complete list's body: nothing else is sent", async () => {
    const { total, sent } = scene({ totals: same, call, list: whole(rows(3, 4)) });
    expect(await amounts(total)).toEqual({ USD: "7" });
    expect(sent).toEqual([]);
  });

  test("is read from all pages of a complete list, however many", async () => {
    const bodies = Array.from({ length: 30 }, (_, at) => ({ rows: rows(at, 1) }));
    const list = whole(
      bodies.flatMap((one) => one.rows),
      { body: bodies[0]!, laterBodies: bodies.slice(1) },
    );
    const { total, sent } = scene({ totals: same, call, list });
    expect(await amounts(total)).toEqual({ USD: "465" });
    expect(sent).toEqual([]);
  });

  test("is one number too, where only pages without rows come behind the first", async () => {
    const totals = aggregate({ call, value: expression("sum(rows[].cost)") });
    for (const later of [null, { rows: [] }]) {
      const { total, sent } = scene({ totals, call, list: whole(rows(3, 4), { laterBodies: [later] }) });
      expect(await amounts(total)).toEqual({ "-": "7" });
      expect(sent).toEqual([]);
    }
  });

  test("is read from any page, where the upstream states it there", async () => {
    const totals = aggregate({ call, value: expression("meta.total") });
    const list = part(rows(3), { more: true, body: { rows: rows(3), meta: { total: "9.50" } } });
    const { total, sent } = scene({ totals, call, list });
    expect(await amounts(total)).toEqual({ "-": "9.5" });
    expect(sent).toEqual([]);
    const silent = scene({ totals, call, list: part(rows(3), { more: true }), answers: [{ meta: { total: 9 } }] });
    expect(await amounts(silent.total)).toEqual({ "-": "9" });
  });

  test.each([
    ["a list that has more", part(rows(3, 4), { more: true })],
    ["a list of which a part is out of reach", whole(rows(3, 4), { unreachable: true })],
    ["a list that took several pages", whole(rows(3, 4), { body: { rows: rows(3) } })],
  ])("is asked beside %s", async (_, list) => {
    const { total, sent } = scene({
      totals: same,
      call,
      list,
      answers: [{ rows: rows(3), next: "a" }, { rows: rows(4, 5) }],
    });
    expect(await amounts(total)).toEqual({ USD: "12" });
    expect(sent).toHaveLength(2);
  });

  test.each([
    ["another argument", aggregate({ call: { operation: 0, bindings: [query("group", "region")] } })],
    ["another operation", aggregate({ call: { operation: 1, bindings: LIST.bindings } })],
    [
      "a filter that goes elsewhere",
      aggregate({ call: { ...LIST, filter: { target: { dialect: "odata" } as never } } }),
    ],
  ])("is another with %s, and asked", async (_, totals) => {
    const { total, sent } = scene({ totals, list: whole(rows(1)), answers: [{ total: 5 }] });
    expect(await amounts(total)).toEqual({ "-": "5" });
    expect(sent).toHaveLength(1);
  });
});

describe("a failure of the aggregate", () => {
  const OWN = aggregate({ call: { operation: 1, bindings: [] } });
  test.each([
    [
      "of the upstream",
      new ToolError("upstream_unavailable", { message: "It is down.", recover: "", retryable: true }),
      /upstream_unavailable\): It is down\. Call again/,
    ],
    [
      "that will not pass",
      new ToolError("upstream_rejected", { message: "No.", recover: "", retryable: false }),
      /upstream_rejected\): No\.$/,
    ],
    ["of an expression in its arguments", new ExpressionFailed("wrong type"), /wrong type/],
  ])("%s withholds the total", async (_, error, reason) => {
    expect(await scene({ totals: OWN, answers: [error] }).total).toMatchObject({
      withheld: { code: "PART_FAILED", reason: expect.stringMatching(reason) },
    });
  });

  const late = new ToolError("upstream_timeout", { message: "late", recover: "" });
  const aborted = { key: {}, signal: AbortSignal.abort() };
  test.each([
    ["a cancelled call", new ToolError("cancelled", { message: "", recover: "" }), {}],
    ["a caller who went away", late, { caller: aborted }],
    ["a deadline that is over", late, { deadlineAt: 0 }],
    ["a fault of ours", new TypeError("ours"), {}],
  ])("but %s ends the whole", async (_, error, asking) => {
    const first = scene({ totals: OWN, answers: [error] });
    await first.total.catch(() => {});
    const base = { caller: { key: {}, signal: new AbortController().signal }, deadlineAt: Number.POSITIVE_INFINITY };
    const options = {
      asking: {
        toolset: { operations: [operation("list"), operation("total")] },
        ...base,
        ...asking,
      } as unknown as TotalOptions["asking"],
    };
    await expect(scene({ totals: OWN, answers: [error], options }).total).rejects.toBe(error);
  });
});

describe("a count", () => {
  const count = (more: object = {}): Totals => ({ kind: "count", count: expression("hits.total"), ...more });
  const read = (body: Json, totals = count()) => scene({ totals, list: whole([], { body }) }).total;
  test.each([
    ["a number", { hits: { total: 7 } }, { kind: "count", count: 7, exact: true }],
    ["digits", { hits: { total: "7" } }, { count: 7 }],
    ["nothing there", { hits: {} }, { withheld: { code: "BAD_ROWS" } }],
    ["no whole number", { hits: { total: 7.5 } }, { withheld: { code: "BAD_ROWS" } }],
    ["below zero", { hits: { total: -1 } }, { withheld: { code: "BAD_ROWS" } }],
    ["a relation of at least", { hits: { total: 7, relation: "gte" } }, { exact: false }],
    ["results that are not complete", { hits: { total: 7 }, incomplete_results: true }, { exact: false }],
    ["results that are", { hits: { total: 7, relation: "eq" }, incomplete_results: false }, { exact: true }],
  ] as const)("%s", async (_, body, want) => {
    expect(await read(body)).toMatchObject(want);
  });

  test("is exact only where the curation's condition holds", async () => {
    const totals = count({ exactWhen: expression("exact") });
    expect(await read({ hits: { total: 7 }, exact: true }, totals)).toMatchObject({ exact: true });
    expect(await read({ hits: { total: 7 } }, totals)).toMatchObject({ exact: false });
  });

  test("is a bound where a later page says so, and not where that page says nothing of it", async () => {
    const of = (later: Json, totals = count()) =>
      scene({ totals, list: whole([], { body: { hits: { total: 7 }, exact: true }, laterBodies: [later] }) }).total;
    expect(await of({ hits: { total: 7 }, incomplete_results: true })).toMatchObject({ exact: false });
    const totals = count({ exactWhen: expression("exact") });
    expect(await of({ hits: { total: 7 }, exact: false }, totals)).toMatchObject({ exact: false });
    expect(await of({ rows: [] }, totals)).toMatchObject({ exact: true });
  });
});

describe("a walk over all pages", () => {
  const walk = (more: object = {}): Totals => ({
    kind: "walk",
    measure: "cost",
    additive: true,
    caveats: [],
    maxPages: 3,
    ...more,
  });
  const call: Call = { ...LIST, pages: TOKEN_PAGES };
  const more = part(rows(1), { more: true });

  test.each([
    ["whole", whole(rows(1, 2))],
    ["a part that is all", part(rows(1, 2))],
  ])("of a list that is here %s sends nothing", async (_, list) => {
    const { total, sent } = scene({ totals: walk(), call, list });
    expect(await total).toEqual({ kind: "list", caveats: [] });
    expect(sent).toEqual([]);
  });

  test("of rows that moved between pages adds nothing up, whether the list or the walk read them", async () => {
    const withheld = { kind: "withheld", withheld: { code: "SNAPSHOT_DRIFT" } };
    const moved = whole(rows(1, 2), { moved: true });
    expect(await scene({ totals: walk(), call, list: moved }).total).toMatchObject(withheld);
    const again = { id: 1, cost: 1, currency: "USD" };
    const answers: Json[] = [{ rows: [again], next: "a" }, { rows: [again] }];
    expect(await scene({ totals: walk(), call, list: more, answers }).total).toMatchObject(withheld);
  });

  test("adds up the rows of every page, each unit for itself", async () => {
    const answers: Json[] = [{ rows: rows(1, 2), next: "a" }, { rows: [{ cost: "0.5", currency: "EUR" }, ...rows(4)] }];
    const read = await scene({ totals: walk(), call, list: more, answers }).total;
    if (read.kind !== "rows") throw new Error(read.kind);
    expect([...read.sums.units].map(([unit, { sum }]) => [unit, sum.exact.toFixed()])).toEqual([
      ["USD", "7"],
      ["EUR", "0.5"],
    ]);
  });

  test("of a list that is here has the caveats of its later pages too", async () => {
    const caveats = [{ when: expression("estimated"), code: "ESTIMATED", note: "." }];
    const list = whole(rows(1, 2), { laterBodies: [{ rows: rows(2), estimated: true }] });
    expect(await scene({ totals: walk({ caveats }), call, list }).total).toMatchObject({
      kind: "list",
      caveats: [{ code: "ESTIMATED" }],
    });
  });

  test("has the caveats that hold of any page", async () => {
    const caveats = [{ when: expression("estimated"), code: "ESTIMATED", note: "." }];
    const answers: Json[] = [
      { rows: rows(1), next: "a" },
      { rows: rows(2), estimated: true },
    ];
    expect(await scene({ totals: walk({ caveats }), call, list: more, answers }).total).toMatchObject({
      caveats: [{ code: "ESTIMATED" }],
    });
  });

  test.each([
    [
      "of more pages than the bound",
      call,
      [
        { rows: rows(1), next: "a" },
        { rows: rows(2), next: "b" },
        { rows: rows(3), next: "c" },
      ],
      "PARTIAL_PAGES",
    ],
    ["without pages", LIST, [], "PARTIAL_PAGES"],
    ["that fails", call, [new ToolError("upstream_unavailable", { message: "down", recover: "" })], "PART_FAILED"],
  ] as const)("%s is withheld", async (_, of, answers, code) => {
    expect(
      await scene({ totals: walk(), call: of, list: more, answers: answers as unknown as (Json | Error)[] }).total,
    ).toMatchObject({ withheld: { code } });
  });

  test("over what may not be added is withheld", async () => {
    expect(await scene({ totals: walk({ additive: false }), call }).total).toMatchObject({
      withheld: { code: "NOT_ADDITIVE" },
    });
  });
});

test("columns whose values are in minor units are added up in major ones", async () => {
  const form = { as: "minor", unit: value("currency") } as const;
  const columns = [{ ...column("cost", { form }) }] as TotalOptions["columns"];
  const totals: Totals = { kind: "walk", measure: "cost", additive: true, caveats: [], maxPages: 3 };
  const answers: Json[] = [
    {
      rows: [
        { cost: 1250, currency: "USD" },
        { cost: 5, currency: "JPY" },
      ],
    },
  ];
  const { total } = scene({
    totals,
    call: { ...LIST, pages: TOKEN_PAGES },
    list: part([], { more: true }),
    answers,
    options: { columns },
  });
  const read = await total;
  if (read.kind !== "rows") throw new Error(read.kind);
  expect([...read.sums.units].map(([unit, { sum }]) => [unit, sum.exact.toFixed()])).toEqual([
    ["USD", "12.5"],
    ["JPY", "5"],
  ]);
});
