import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { listColumns } from "../../src/run/shape/list-columns.ts";
import { type ListContext, shapeList } from "../../src/run/shape/shape-list.ts";
import { writeReply } from "../../src/run/shape/write-reply.ts";
import { column, expression, list, part, rootsOf, TOKENS, value, whole } from "./shape-fixture.ts";

const rows = (count: number): Json[] =>
  Array.from({ length: count }, (_, at) => ({ id: at, name: at % 2 === 0 ? "even" : "odd" }));
const fields = [column("id"), column("name")];
const count = { kind: "count", count: expression("total"), additive: true, caveats: [] } as const;
const counted = (total: number) => ({ kind: "count", count: total, exact: true }) as const;
const group = { by: ["name"], sum: [], count: "n", maxPages: 9 };

type Case = [
  title: string,
  shape: Parameters<typeof list>[0],
  read: ReturnType<typeof whole>,
  context: Partial<ListContext>,
  want: number | undefined,
];

const cases: Case[] = [
  ["all rows are in the reply", {}, whole(rows(3)), {}, undefined],
  ["no rows", {}, whole([]), {}, undefined],
  ["a limit", {}, whole(rows(57)), { limit: 20 }, 37],
  [
    "a limit, on the second page too",
    {},
    whole(rows(57)),
    { ...TOKENS, limit: 20, token: { position: { kind: "row", at: 20 }, anchor: "" } },
    37,
  ],
  ["a budget", { budget: 1_000 }, whole(rows(100)), {}, undefined],
  ["a search", { search: value("'odd'") }, whole(rows(10)), { limit: 2 }, 3],
  ["groups", { group }, whole(rows(10)), { limit: 1 }, 1],
  ["a page of the upstream's", {}, part(rows(10), { more: true }), { ...TOKENS, limit: 10 }, undefined],
  [
    "a page of the upstream's, which counts its rows",
    { totals: count },
    part(rows(10), { more: true }),
    { ...TOKENS, limit: 10, total: counted(184) },
    174,
  ],
  [
    "a count of the upstream's that says nothing of what matches a search",
    { totals: count, search: value("'odd'") },
    whole(rows(10)),
    { limit: 2, total: counted(184) },
    3,
  ],
];

describe("rows that are known of and not in the reply are counted", () => {
  test.each(cases)("%s", (title, more, read, context, want) => {
    const shape = list({ fields, ...more });
    const tokens = { canGoOn: false, tokenBytes: 0, tokenFor: () => "" };
    const shaped = shapeList(shape, listColumns(fields, rootsOf()), read, rootsOf(), { ...tokens, ...context });
    const reply = writeReply(shaped, true);
    const known = title === "a budget" ? 100 - Number(shaped.structured["rowCount"]) : want;
    expect(reply).toMatchObject({ isError: false });
    expect("rowsOmitted" in reply ? reply.rowsOmitted : undefined).toBe(known);
    // For events alone: nothing of it is in the text.
    expect(reply.text).not.toContain("rowsOmitted");
  });
});
