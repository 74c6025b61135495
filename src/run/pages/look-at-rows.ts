import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Expression } from "../../model/value.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { findRows } from "../shape/find-rows.ts";

/** What the body of one page holds. */
export interface PageRows {
  readonly rows: readonly Json[];
  /** Rows, as the upstream counts them; undefined where that cannot be said. */
  readonly count: number | undefined;
  /** Every row is one that the upstream counts, so that numbers of rows are positions. */
  readonly counted: boolean;
  /** The last row, where there is one. */
  readonly last?: Json;
}

/** The rows of a body. Throws `upstream_bad_response` where it has no list of rows. */
export function lookAtRows(path: Expression, body: Json, roots: Roots): PageRows {
  const rows = findRows(path, body, roots);
  const list = findCountedList(path, body);
  const counted = list === undefined || (list.length === rows.length && rows.every((row, at) => row === list[at]));
  const last = rows.at(-1) ?? list?.at(-1);
  return { rows, count: list?.length ?? rows.length, counted, ...(last !== undefined && { last }) };
}

/** What a path of rows begins with before it selects, unfolds or rebuilds. */
const LIST_PATH = /^((?:[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*)?\s*\[/;

/**
 * The list that the upstream counts its pages by: where `rows` selects among it (`items[?open]`) or unfolds it, that is not the list of rows.
 * Undefined where it is.
 */
function findCountedList({ jmespath }: Expression, body: Json): readonly Json[] | undefined {
  const found = LIST_PATH.exec(jmespath.trim());
  if (found === null) return undefined;
  let here: Json | undefined = body;
  for (const name of found[1]?.split(".") ?? []) here = isJsonObject(here) ? ownValue(here, name) : undefined;
  return Array.isArray(here) ? here : undefined;
}
