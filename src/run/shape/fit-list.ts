import type { Json, JsonObject } from "../../model/json.ts";
import { cutInside } from "./cut-inside.ts";
import { cutToBudget, type WrittenHead } from "./cut-to-budget.ts";
import { cutToFit, SMALLEST_BUDGET, tryToFit } from "./cut-to-fit.ts";
import type { ShownRow } from "./entry.ts";
import { jsonBytes } from "./json-bytes.ts";
import { mergeOmissions, type Omission } from "./omit.ts";
import { addGet, type OpenRest } from "./open-rest.ts";
import type { Shaped } from "./shaped.ts";

/** What a list says of its first so many rows. */
export interface ListFacts {
  readonly summary?: JsonObject;
  readonly other?: JsonObject;
  readonly hasMore: boolean;
  /** A page token stands in the reply. */
  readonly reached: boolean;
  readonly note?: string;
  readonly omitted: readonly Omission[];
}

export interface Fitting {
  readonly budget: number;
  readonly factsOf: (shown: number) => ListFacts;
  readonly applied?: JsonObject;
  readonly tokenBytes: number;
  readonly tokenOf: (shown: number) => string;
  /** The way to the rest of what is cut in rows. */
  readonly rests: readonly OpenRest[];
}

/** What a summary takes, beside the smallest reply. */
const SUMMARY_BYTES = 600;

/**
 * The reply with as many of the rows as the budget holds, everything counted, and all facts about just these. Keys in the contract's order
 * (section 4), `data` last, so that a client that cuts the text still has the facts. One row that is too large is cut inside.
 */
export function fitList(shown: readonly ShownRow[], fitting: Fitting): Shaped {
  const { budget, tokenBytes, factsOf } = fitting;
  const fitted = fitWithin(shown, fitting, budget, tryRow);
  if (fitted !== undefined) return fitted;
  const least = SMALLEST_BUDGET + tokenBytes + (factsOf(0).summary ? SUMMARY_BYTES : 0);
  return fitWithin(shown, fitting, Math.max(budget, least), cutToFit)!;
}

/** Undefined where the facts take so many bytes that nothing of the row is left. */
function tryRow(...[row, path, budget, build]: Parameters<typeof tryToFit>): JsonObject | undefined {
  const reply = tryToFit(row, path, budget, build);
  return jsonBytes(reply?.["data"] ?? null) > EMPTIED_BYTES ? reply : undefined;
}

/** What `[{}]` takes. */
const EMPTIED_BYTES = 4;

/** Undefined where `cutRow` has nothing left of the first row. */
function fitWithin(
  shown: readonly ShownRow[],
  fitting: Fitting,
  budget: number,
  cutRow: typeof tryToFit,
): Shaped | undefined {
  const rows = shown.map(({ row }) => row);
  const head = openHead(shown, fitting, budget);
  const room = "t".repeat(fitting.tokenBytes);
  const fitted = cutToBudget(rows, budget, (count) => head(count, room));
  const count = fitted.data === undefined ? 1 : fitted.shown;
  const { reached } = fitting.factsOf(count);
  const token = reached ? fitting.tokenOf(count) : "";
  if (fitted.data !== undefined) {
    // Without a token in it, what was measured is what is sent.
    const { head: structured, text } = (!reached && fitted.head) || write(head(count, token));
    return {
      structured: { ...structured, data: rows.slice(0, count) },
      text: `${text.slice(0, -1)},"data":${fitted.data}}`,
    };
  }
  const build = (row: Json, inside: readonly Omission[]) => ({
    ...head(1, token, inside),
    data: row === null ? [{}] : [row],
  });
  const structured = cutRow(rows[0]!, "data[0]", budget, build);
  return structured && { structured };
}

function write(head: JsonObject): WrittenHead {
  return { head, text: JSON.stringify(head) };
}

type Head = (count: number, token: string, inside?: readonly Omission[]) => JsonObject;

function openHead(shown: readonly ShownRow[], { factsOf, applied, rests }: Fitting, budget: number): Head {
  // The caller's own filter, and totals in very many units, must leave room for rows.
  const most = Math.floor(budget / 3);
  const filter = applied && cutInside(applied, most, "appliedFilter");
  return (count, token, inside = []) => {
    const { summary, other, hasMore, reached, note, omitted: left } = factsOf(count);
    const cut = summary && cutTotals(summary, most);
    // Mostly none, and flattening takes as long for a row without any.
    const cutRows = shown.slice(0, count).filter(({ omitted }) => omitted.length > 0);
    const clipped = mergeOmissions(cutRows.flatMap(({ omitted }) => omitted));
    const told = [...left, ...(cut?.omitted ?? []), ...(filter?.omitted ?? []), ...inside, ...clipped];
    const omitted = addGet(told, rests);
    return {
      ...(cut && { summary: cut.summary }),
      ...(other && { other }),
      rowCount: count,
      hasMore,
      ...(reached && { nextPageToken: token }),
      ...(note !== undefined && { note }),
      ...(filter && { appliedFilter: filter.value }),
      ...(omitted.length > 0 && { omitted: omitted.map((one) => ({ ...one })) }),
    };
  };
}

function cutTotals(
  summary: JsonObject,
  most: number,
): { readonly summary: JsonObject; readonly omitted: readonly Omission[] } {
  const { totals } = summary;
  if (totals === undefined || jsonBytes(totals) <= most) return { summary, omitted: [] };
  const { value, omitted } = cutInside(totals, most, "summary.totals");
  return { summary: { ...summary, totals: value }, omitted };
}
