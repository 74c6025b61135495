import type { PortableSchema, Schema } from "../../model/schema.ts";
import type { Totals } from "../../model/shape.ts";

/** What the reply of a list holds. */
export interface ListReply {
  readonly kind: "list";
  readonly row: Schema;
  /** How many names are the author's own; without any, rows are shown as they come. */
  readonly columns: number;
  /** Where a total comes from. */
  readonly totals?: Totals["kind"];
  /** A page token may lead to further rows. */
  readonly goesOn: boolean;
  /** A caller's filter is echoed. */
  readonly filtered: boolean;
}

/** The keys of a list's reply, in the order in which they come (contract section 4), `outline` a row's; whatever does not apply is absent. */
export function listKeys(reply: ListReply, outline: PortableSchema): Record<string, PortableSchema> {
  return {
    ...(reply.totals !== undefined && totalKeys(reply.totals)),
    rowCount: { type: "integer" },
    hasMore: { type: "boolean" },
    ...(reply.goesOn && {
      nextPageToken: { type: "string", description: "Pass it as pageToken for what comes next." },
    }),
    note: { type: "string" },
    ...(reply.filtered && { appliedFilter: { type: "object" } }),
    omitted: { type: "array", items: { type: "object" } },
    data: { type: "array", items: reply.columns > 0 ? { type: "object", ...outline } : outline },
  };
}

/** Amounts have no type: one with more digits than a number holds comes as text. */
function totalKeys(totals: Totals["kind"]): Record<string, PortableSchema> {
  const withheld: PortableSchema = {
    type: "object",
    description: "Why there is no total.",
    properties: { code: { type: "string" }, reason: { type: "string" } },
  };
  const caveat: PortableSchema = { type: "object", properties: { code: {}, note: {} } };
  const ends = {
    returned: { type: "integer" },
    measure: { type: "string" },
    caveats: { type: "array", items: caveat },
    totalWithheld: withheld,
  } as const;
  const whole = { description: "Of all that matches, also of what is not shown." };
  if (totals === "count") {
    const atLeast = { description: "So many are known of." };
    return { summary: { type: "object", properties: { total: whole, atLeast, ...ends } } };
  }
  const shown = { sumReturned: {}, pctOfTotalShown: {} };
  const unit = { currency: {}, unit: {} };
  const gross = { type: "object", properties: { positive: {}, negative: {} } } as const;
  const compared = { gross, sumOfRows: {}, difference: {} };
  const perUnit: PortableSchema = {
    type: "array",
    description: "One a currency or unit.",
    items: { type: "object", properties: { measure: {}, ...unit, total: {}, ...shown, ...compared } },
  };
  return {
    summary: { type: "object", properties: { total: whole, ...shown, ...compared, ...unit, totals: perUnit, ...ends } },
    other: { type: "object", description: "All that is not shown.", properties: { sum: {}, pct: {} } },
  };
}
