import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PagePlan, PageSize } from "../../../src/model/call.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Ask } from "../../../src/run/exchange/ask-upstream.ts";
import { identifyRows } from "../../../src/run/list/identify-row.ts";
import type { ListRead, Position } from "../../../src/run/list/list-read.ts";
import { type PartWanted, readPart } from "../../../src/run/list/read-part.ts";
import {
  failure,
  planOf,
  reply,
  rowsWithIds,
  type Script,
  STYLES,
  type Style,
  scriptList,
  sourceOf,
} from "../pages/scripted-list.ts";
import { expression } from "../shape-fixture.ts";

type Part = Extract<ListRead, { kind: "part" }>;
type Token = NonNullable<PartWanted["token"]>;

/** What one call shows, and the token of the next one. */
interface Shown {
  readonly read: Part;
  readonly rows: readonly Json[];
  readonly token?: Token;
}

async function show(
  plan: PagePlan,
  send: Ask,
  limit: number | undefined,
  fit: number,
  token?: Token,
  path = "rows",
): Promise<Shown> {
  const wanted = { most: 50, ...(limit !== undefined && { limit }), ...(token && { token }) };
  const read = await readPart(sourceOf(plan, path), plan, send, wanted);
  if (read === undefined) throw new Error("There is no body.");
  const shown = Math.min(limit ?? read.rows.length, read.rows.length, fit);
  const rows = read.rows.slice(0, shown);
  const position = read.after(shown) as Extract<Position, { kind: "page" }>;
  const last = rows.at(-1);
  const anchor = last === undefined ? token?.anchor : identifyRows(read.rows)(last);
  const goesOn = shown < read.rows.length || read.more;
  return { read, rows, ...(goesOn && { token: { position, ...(anchor !== undefined && { anchor }) } }) };
}

/** Every reply of a walk, from the first to the one that has no more. */
async function walk(
  plan: PagePlan,
  send: Ask,
  steps: readonly { limit?: number; fit: number }[],
  path?: string,
): Promise<Shown[]> {
  const walked: Shown[] = [];
  let token: Token | undefined;
  for (let step = 0; step < 2_000; step += 1) {
    const { limit, fit } = steps[step % steps.length]!;
    const shown: Shown = await show(plan, send, limit, fit, token, path);
    walked.push(shown);
    token = shown.token;
    if (token === undefined) return walked;
  }
  throw new Error("The walk does not end.");
}

const rowsOf = (walked: readonly Shown[]) => walked.flatMap(({ rows }) => rows);

describe("walking a list gives every row once, in its order, whatever limit, page size and budget are", () => {
  const step = fc.record({ limit: fc.integer({ min: 1, max: 50 }), fit: fc.integer({ min: 1, max: 60 }) });
  const upstream = fc.record({
    length: fc.integer({ min: 0, max: 120 }),
    size: fc.integer({ min: 1, max: 40 }),
    bound: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    isBoundKnown: fc.boolean(),
    fixed: fc.boolean(),
    isSized: fc.boolean(),
    more: fc.boolean(),
    total: fc.boolean(),
    gaps: fc.boolean(),
    ids: fc.boolean(),
    beyond: fc.constantFrom(undefined, 404 as const),
  });

  test.each(STYLES)("%s", async (style) => {
    const property = fc.asyncProperty(
      upstream,
      fc.array(step, { minLength: 1, maxLength: 4 }),
      async (given, steps) => {
        const { length, bound, more, size, fixed, ids, isSized, ...rest } = given;
        const isBoundKnown = given.isBoundKnown && (isSized || style === "range");
        // A bound that nobody tells is found out by its round number alone.
        const kept = bound !== undefined && !isBoundKnown ? Math.ceil(bound / 10) * 10 : bound;
        const list: JsonObject[] =
          ids || style === "last" ? rowsWithIds(length) : rowsWithIds(length).map(({ at = 0 }) => ({ at }));
        const script: Script = {
          rows: () => list,
          size: kept === undefined ? size : Math.min(size, kept),
          more,
          ...rest,
          ...(kept !== undefined && { bound: kept }),
        };
        const sizes: PageSize = {
          ...(more && style !== "token" && style !== "link" && style !== "range" && { more: expression("more") }),
          ...(kept !== undefined && isBoundKnown && { sizeMax: kept }),
          ...(fixed && { sizeFixed: script.size ?? size }),
        };
        const { size: sizePlace, ...plan } = planOf(style, sizes);
        const paged = { ...plan, ...(isSized && !fixed && sizePlace && { size: sizePlace }) } as PagePlan;
        const walked = await walk(paged, scriptList(style, script).send, steps);
        expect(rowsOf(walked)).toStrictEqual(list);
        expect(walked.every(({ read }) => !read.drifted && !read.unreachable)).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  test.each(STYLES)("%s, without a limit", async (style) => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 90 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 60 }),
      async (length, size, fit) => {
        const list = rowsWithIds(length);
        const { send } = scriptList(style, { rows: () => list, size, bound: size });
        const { size: _, ...plan } = planOf(style, style === "range" ? { sizeMax: size } : {});
        expect(rowsOf(await walk(plan as PagePlan, send, [{ fit }]))).toStrictEqual(list);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  const selections: [path: string, select: (rows: JsonObject[]) => Json[]][] = [
    ["rows[?at > `9`]", (rows) => rows.filter(({ at }) => Number(at) > 9)],
    ["rows[].{at: at}", (rows) => rows.map(({ at = null }) => ({ at }))],
    ["rows[].[at, at][]", (rows) => rows.flatMap(({ at = null }) => [at, at])],
  ];
  test.each(STYLES.flatMap((style) => selections.map(([path, select]) => [style, path, select] as const)))(
    "%s, of the rows %s",
    async (style, path, select) => {
      if (style === "last" && path.includes(".[")) return;
      const property = fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(step, { minLength: 1, maxLength: 3 }),
        async (length, sizeMax, steps) => {
          const list = rowsWithIds(length);
          const { send } = scriptList(style, { rows: () => list, size: sizeMax, bound: sizeMax });
          const next = expression(path.includes("{") ? "join('', ['r', to_string(at)])" : "id");
          const plan = { ...planOf(style, { sizeMax }), ...(style === "last" && { next }) } as PagePlan;
          expect(rowsOf(await walk(plan, send, steps, path))).toStrictEqual(select(list));
        },
      );
      await fc.assert(property, { numRuns: 40 });
    },
  );

  test("range, of a server that knows none and always sends all", async () => {
    const list = rowsWithIds(25);
    const send: Ask = async () => reply({ rows: list }, "https://api.example.com/things");
    const walked = await walk(planOf("range", { sizeMax: 10 }), send, [{ limit: 7, fit: 7 }]);
    expect(rowsOf(walked)).toStrictEqual(list);
    expect(walked.map(({ read }) => read.drifted)).toStrictEqual([false, false, false, false]);
  });
});

describe("a reply asks for no more than it needs", () => {
  interface Case {
    readonly title: string;
    readonly style: Style;
    readonly sizes?: PageSize;
    readonly script?: Partial<Script>;
    readonly length: number;
    readonly limit: number;
    readonly asked: readonly string[];
  }
  const more = expression("more");
  const cases: Case[] = [
    {
      title: "one page that its token says is not the last",
      style: "token",
      length: 30,
      limit: 10,
      asked: ["size=10"],
    },
    {
      title: "one row more than the limit tells that there are more",
      style: "offset",
      length: 30,
      limit: 10,
      asked: ["size=11&offset=0"],
    },
    {
      title: "`more` tells it without another row",
      style: "offset",
      sizes: { more },
      script: { more: true },
      length: 30,
      limit: 10,
      asked: ["size=10&offset=0"],
    },
    { title: "a short page is the last", style: "page", length: 7, limit: 10, asked: ["size=11&page=1"] },
    {
      title: "the upstream's bound is kept to",
      style: "offset",
      sizes: { sizeMax: 4 },
      script: { bound: 4 },
      length: 30,
      limit: 9,
      asked: ["size=4&offset=0", "size=4&offset=4", "size=2&offset=8"],
    },
    {
      title: "pages keep their size",
      style: "page",
      sizes: { sizeMax: 4 },
      script: { bound: 4 },
      length: 30,
      limit: 9,
      asked: ["size=4&page=1", "size=4&page=2", "size=4&page=3"],
    },
    {
      title: "a full page is not known to be the last",
      style: "page",
      sizes: { sizeMax: 10 },
      length: 10,
      limit: 10,
      asked: ["size=10&page=1", "size=10&page=2"],
    },
    {
      title: "a round number of rows may be a bound",
      style: "page",
      script: { bound: 20 },
      length: 20,
      limit: 40,
      asked: ["size=41&page=1", "size=41&page=2"],
    },
    {
      title: "the size of the curation is left to it",
      style: "page",
      sizes: { sizeFixed: 5 },
      script: { size: 5 },
      length: 9,
      limit: 20,
      asked: ["page=1", "page=2"],
    },
    {
      title: "the tool's own limit is not gone beyond where no bound is known",
      style: "offset",
      length: 60,
      limit: 50,
      asked: ["size=50&offset=0", "size=1&offset=50"],
    },
  ];
  test.each(cases)("$title", async ({ style, sizes, script, length, limit, asked }) => {
    const { send, requests } = scriptList(style, { rows: () => rowsWithIds(length), ...script });
    const { read } = await show(planOf(style, sizes), send, limit, limit);
    expect(requests.map(({ url }) => new URL(url).search.slice(1))).toStrictEqual(asked);
    expect(read.rows.slice(0, limit)).toStrictEqual(rowsWithIds(Math.min(length, limit)));
    expect(read.more || read.rows.length > limit).toBe(length > limit);
    expect(read.complete).toBe(length <= limit);
  });

  test("the row before is read again where rows are counted", async () => {
    const { send, requests } = scriptList("offset", { rows: () => rowsWithIds(30) });
    const { token } = await show(planOf("offset"), send, 10, 10);
    await show(planOf("offset"), send, 5, 5, token);
    expect(requests.map(({ url }) => new URL(url).search)).toStrictEqual(["?size=11&offset=0", "?size=7&offset=9"]);
  });

  test("a page of a size that was asked for is asked for with it again, whatever the limit is now", async () => {
    const { send, requests } = scriptList("page", { rows: () => rowsWithIds(60) });
    const { token } = await show(planOf("page"), send, 10, 10);
    const { rows } = await show(planOf("page"), send, 20, 20, token);
    expect(requests.map(({ url }) => new URL(url).search.slice(1))).toStrictEqual([
      "size=11&page=1",
      "size=11&page=1",
      "size=11&page=2",
      "size=11&page=3",
    ]);
    expect(rows).toStrictEqual(rowsWithIds(20, 10));
  });
});

describe("rows that move between two replies are noticed", () => {
  const added = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ id: `n${at}`, at: -1 }));
  type Change = (rows: readonly JsonObject[]) => readonly JsonObject[];
  const changes: [title: string, change: Change, want: readonly number[] | undefined][] = [
    ["nothing moved", (rows) => rows, undefined],
    ["one row was added before", (rows) => [...added(1), ...rows], [10, 11, 12]],
    ["two rows were added before", (rows) => [...added(2), ...rows], [10, 11, 12]],
    ["the row shown last was deleted", (rows) => rows.filter(({ at }) => at !== 9), [10, 11, 12]],
    ["a row was added behind", (rows) => [...rows, ...added(1)], undefined],
  ];
  test.each(
    STYLES.filter((style) => style === "page" || style === "offset" || style === "range").flatMap((style) =>
      changes.map(([title, change, want]) => [style, title, change, want] as const),
    ),
  )("%s: %s", async (style, _, change, want) => {
    let rows: readonly JsonObject[] = rowsWithIds(40);
    const { send } = scriptList(style, { rows: () => rows });
    const { token } = await show(planOf(style), send, 10, 10);
    rows = change(rows);
    const { read } = await show(planOf(style), send, 10, 10, token);
    expect(read.drifted).toBe(want !== undefined);
    expect(read.rows.slice(0, 3).map((row) => (row as JsonObject).at)).toStrictEqual(want ?? [10, 11, 12]);
  });

  test("inside a page of a token too, and in the page behind it", async () => {
    let rows: readonly JsonObject[] = rowsWithIds(40);
    const { send } = scriptList("token", { rows: () => rows });
    const { token } = await show(planOf("token"), send, 10, 9);
    rows = [...added(3), ...rows];
    const { read } = await show(planOf("token"), send, 10, 10, token);
    expect(read.drifted).toBe(true);
    expect(read.rows[0]).toStrictEqual({ id: "r9", at: 9 });
  });

  test("rows without an ID are told by all that they hold", async () => {
    let rows: readonly JsonObject[] = Array.from({ length: 30 }, (_, at) => ({ at }));
    const { send } = scriptList("offset", { rows: () => rows });
    const { token } = await show(planOf("offset"), send, 10, 10);
    rows = [{ at: -1 }, ...rows];
    const { read } = await show(planOf("offset"), send, 10, 10, token);
    expect(read.drifted).toBe(true);
    expect(read.rows[0]).toStrictEqual({ at: 10 });
  });
});

describe("a look ahead", () => {
  const thirty = () => rowsWithIds(10);
  test("that the upstream refuses leaves it open whether there is more", async () => {
    const { send } = scriptList("page", { rows: thirty });
    const refusing: Ask = async (call) => {
      const answer = await send(call);
      if (answer.url?.endsWith("page=2")) throw failure(422);
      return answer;
    };
    const { read } = await show(planOf("page", { sizeMax: 10 }), refusing, 10, 10);
    expect(read.rows).toHaveLength(10);
    expect(read.more).toBe(true);
  });

  test("that the caller cancelled ends the call", async () => {
    const { send } = scriptList("page", { rows: thirty });
    const cancelled: Ask = async (call) => {
      const answer = await send(call);
      const detail = { message: "Cancelled.", recover: "Call again.", retryable: true };
      if (answer.url?.endsWith("page=2")) throw new ToolError("cancelled", detail);
      return answer;
    };
    const reading = show(planOf("page", { sizeMax: 10 }), cancelled, 10, 10);
    await expect(reading).rejects.toMatchObject({ code: "cancelled" });
  });

  test("at a page that the upstream names and then has no body for ends the list", async () => {
    const { send } = scriptList("token", { rows: thirty });
    const emptying: Ask = async (call) => {
      const answer = await send(call);
      return answer.url?.includes("token=") ? { ...answer, body: { kind: "empty" } } : answer;
    };
    const { rows, token } = await show(planOf("token", { sizeMax: 6 }), emptying, 10, 10);
    expect([rows, token]).toStrictEqual([rowsWithIds(6), undefined]);
  });

  test("that is needed fails the call", async () => {
    const { send } = scriptList("page", { rows: thirty, bound: 5 });
    const refusing: Ask = async (call) => {
      const answer = await send(call);
      if (answer.url?.endsWith("page=2")) throw failure(422);
      return answer;
    };
    await expect(show(planOf("page", { sizeMax: 5 }), refusing, 10, 10)).rejects.toMatchObject({
      code: "upstream_rejected",
    });
  });
});

describe("pages without rows", () => {
  test("are walked over", async () => {
    const { send, requests } = scriptList("token", { rows: () => rowsWithIds(30), gaps: true });
    const { rows } = await show(planOf("token", { sizeMax: 5 }), send, 20, 20);
    expect(rows).toStrictEqual(rowsWithIds(20));
    expect(requests).toHaveLength(7);
  });

  test("end a reply after twenty, and another call goes on", async () => {
    let asked = 0;
    const send: Ask = async () => {
      asked += 1;
      const isLast = asked === 30;
      return {
        status: 200,
        headers: new Map(),
        bytes: 1,
        body: { kind: "json", value: { rows: isLast ? rowsWithIds(2) : [], next: isLast ? null : `t${asked}` } },
      };
    };
    const first = await show(planOf("token"), send, 10, 10);
    expect([asked, first.rows, first.read.more]).toStrictEqual([21, [], true]);
    const second = await show(planOf("token"), send, 10, 10, first.token);
    expect([asked, second.rows, second.token]).toStrictEqual([30, rowsWithIds(2), undefined]);
  });

  test("are the end of numbered ones where no row ever comes: no call would come any further", async () => {
    let asked = 0;
    const send: Ask = async () => {
      asked += 1;
      return { status: 200, headers: new Map(), bytes: 1, body: { kind: "json", value: { rows: [], more: true } } };
    };
    const plan = planOf("page", { more: expression("more") });
    await expect(show(plan, send, 10, 10)).rejects.toMatchObject({ code: "upstream_bad_response" });
    expect(asked).toBe(100);
  });
});
