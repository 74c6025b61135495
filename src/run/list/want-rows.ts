import type { PagePlan } from "../../model/call.ts";
import { expressionsOf } from "../../model/expressions-of.ts";
import type { Json } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { Expression } from "../../model/value.ts";
import { namesRead } from "../expressions/names-read.ts";
import type { RowsWanted, RowWindow } from "../rows/rows-wanted.ts";
import type { Column } from "../shape/list-columns.ts";
import { measureLeast, mostBytes, mostRows } from "../shape/most-rows.ts";
import { findIdentity } from "./identify-row.ts";
import type { PageToken } from "./list-read.ts";
import { readsMember } from "./reads-member.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

export interface ListWanted {
  readonly shape: ListShape;
  readonly columns: readonly Column[] | undefined;
  /** Of the call; absent where one request gives all that there is. */
  readonly plan?: PagePlan;
  /** Rows are looked at together before any is shown. */
  readonly needsAll: boolean;
  /** The list's own body is what the total is read from. */
  readonly isTotal: boolean;
  readonly limit?: number;
  readonly token?: Pick<PageToken, "position" | "anchor">;
}

/** What the reply needs of a body of the list, where that is less than all of it; undefined where it may be anything. */
export function wantRows(wanted: ListWanted): RowsWanted | undefined {
  const path = pathOf(wanted.shape.rows);
  if (path === undefined || wanted.isTotal) return undefined;
  if (!readBeside(wanted).every((one) => standsBeside(one, path))) return undefined;
  const { columns, plan } = wanted;
  const reads = readsMember(columns, plan?.style === "last" ? [namesRead(plan.next)] : []);
  const window = windowOf(wanted);
  if (reads === undefined && window === undefined) return undefined;
  return { path, ...(reads !== undefined && { reads }), ...(window !== undefined && { window }) };
}

const PLAIN_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

function pathOf({ jmespath }: Expression): readonly string[] | undefined {
  const path = jmespath.trim();
  if (path === "@") return [];
  return PLAIN_PATH.test(path) ? path.split(".") : undefined;
}

/** Expressions over the body. */
function readBeside({ shape: { totals }, plan }: ListWanted): readonly Expression[] {
  const paging = [plan?.more, ...(plan?.style === "token" ? [plan.next] : [])];
  const counting = totals?.kind === "count" ? [totals.count, totals.exactWhen] : [];
  const measuring =
    totals === undefined || totals.kind === "count"
      ? []
      : [
          ...(totals.kind === "aggregate" ? [totals.value] : []),
          ...(totals.unit ? expressionsOf(totals.unit) : []),
          ...totals.caveats.map(({ when }) => when),
        ];
  return [...paging, ...counting, ...measuring].filter((one) => one !== undefined);
}

/** Names, comparisons, words of logic: nothing that can go through a list, and not the name of this one. */
const PLAIN = /^[\w\s.$"'`=!<>&|-]*$/;

function standsBeside({ jmespath }: Expression, [first]: RowsWanted["path"]): boolean {
  return PLAIN.test(jmespath) && (first === undefined || !new RegExp(`\\b${first}\\b`).test(jmespath));
}

/** Of a position in rows. */
const LONGEST_TOKEN = 1_000;

/** The rows that are shown, the one before them, which tells whether they moved, and the one behind, which tells that there are more. */
function windowOf({ shape, columns, plan, needsAll, limit, token }: ListWanted): RowWindow | undefined {
  const { totals } = shape;
  if (plan !== undefined || needsAll || limit === undefined || totals?.kind === "walk") return undefined;
  const position = token?.position ?? { kind: "row", at: 0 };
  if (position.kind !== "row") return undefined;
  const { at } = position;
  const anchor = at > 0 ? token?.anchor : undefined;
  return {
    from: anchor ? at - 1 : at,
    to: at + Math.min(limit, mostRows(shape.budget, columns, LONGEST_TOKEN)) + 1,
    ...(anchor && { isExpected: (first: Json) => findIdentity([first], anchor, 0, readsMember(columns)) === 0 }),
    // Sums of all rows are compared with the total.
    onlyOfLarge: totals?.kind === "aggregate",
    mayStop: totals?.kind !== "count",
    ...(columns && { room: { bytes: mostBytes(shape.budget, LONGEST_TOKEN), leastOf: measureLeast(columns) } }),
  };
}
