import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Field, Shape, Totals } from "../../../src/model/shape.ts";
import type { ListRead } from "../../../src/run/list/list-read.ts";
import { readAmount } from "../../../src/run/totals/read-amount.ts";
import type { CaveatShown, TotalRead } from "../../../src/run/totals/total-read.ts";
import { column, expression, list, type Reply, replyWith, TOKENS, value, whole } from "../shape-fixture.ts";

type ListShape = Extract<Shape, { kind: "list" }>;
type Aggregate = Extract<Totals, { kind: "aggregate" }>;

export const aggregate = (more: Partial<Aggregate> = {}): Aggregate => ({
  kind: "aggregate",
  measure: "cost",
  additive: true,
  caveats: [],
  call: { operation: 0, bindings: [] },
  value: expression("total"),
  ...more,
});

/** Rows of a name and a cost in a currency. */
export const spend = (
  more: Partial<ListShape> = {},
  cost: Partial<Extract<Field, { kind: "column" }>> = {},
): ListShape =>
  list({
    fields: [column("name"), column("cost", { round: 2, unit: value("currency"), ...cost })],
    order: [{ by: [{ column: "cost", descending: true }] }],
    totals: aggregate(),
    ...more,
  });

/** What the upstream says, `unit: amount` each; the unit `-` is none. */
export function says(amounts: Readonly<Record<string, Json>>, caveats: readonly CaveatShown[] = []): TotalRead {
  const values = Object.entries(amounts).map(([unit, amount]) => {
    const read = readAmount(amount);
    if (!read) throw new Error(`${JSON.stringify(amount)} is no amount.`);
    return { unit: unit === "-" ? undefined : unit, amount: read };
  });
  return { kind: "values", values, caveats };
}

/** Rows of these costs, all in one currency unless an object says another. */
export function costs(given: readonly (Json | JsonObject)[], currency: Json = "USD"): JsonObject[] {
  return given.map((cost, at) => ({
    name: `n${at}`,
    currency,
    ...(typeof cost === "object" && cost !== null ? (cost as JsonObject) : { cost }),
  }));
}

/** The reply to rows of these costs beside a total. */
export function replyBeside(
  total: TotalRead,
  rows: readonly Json[] | ListRead,
  limit?: number,
  shape: ListShape = spend(),
): Reply {
  const read = Array.isArray(rows) ? whole(rows) : (rows as ListRead);
  return replyWith(shape, read, limit === undefined ? {} : { limit }, { ...TOKENS, total });
}

export const facts = ({ structured: { summary, other } }: Reply): JsonObject => ({
  ...(summary !== undefined && { summary }),
  ...(other !== undefined && { other }),
});

export const codesOf = ({ structured }: Reply): string[] => {
  const { caveats = [] } = structured.summary as { caveats?: { code: string }[] };
  return caveats.map(({ code }) => code);
};
