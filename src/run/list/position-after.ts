import type { PagePlan } from "../../model/call.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { PageRead } from "../pages/open-pages.ts";
import { cursorBehind } from "../pages/page-styles.ts";
import type { PageCursor, Position } from "./list-read.ts";

/** A page that was read, and how many of its rows come before those to show. */
export interface Piece {
  readonly page: PageRead;
  readonly from: number;
}

type PagePosition = Extract<Position, { kind: "page" }>;

/**
 * Where the list goes on behind so many of the rows of these pages: at a page that the upstream names where there is one, else inside the page that
 * the last of them stands in. Without rows behind the pages that had none; `last` is the page read last.
 */
export function positionAfter(
  shown: number,
  pieces: readonly Piece[],
  last: PageRead,
  plan: PagePlan,
  roots: Roots,
): PagePosition {
  let before = 0;
  for (const { page, from } of pieces) {
    const here = page.rows.length - from;
    if (shown === 0 && here > 0) return inside(page, from);
    if (shown > 0 && before + here >= shown) return behindRow(page, from + shown - before - 1, plan, roots);
    before += here;
  }
  return last.next === undefined ? inside(last, last.rows.length) : at(last.next, last);
}

function behindRow(page: PageRead, index: number, plan: PagePlan, roots: Roots): PagePosition {
  const { cursor } = page.asked;
  if (plan.style === "last") {
    const next = cursorBehind(plan, page.rows[index]!, roots);
    if (next !== undefined) return { kind: "page", page: next, skip: 0 };
  }
  if ((plan.style === "offset" || plan.style === "range") && page.counted && cursor.kind === "number") {
    return { kind: "page", page: { kind: "number", number: cursor.number + index + 1 }, skip: 0 };
  }
  const isNamed = page.next !== undefined && page.next.kind !== "number";
  return isNamed && index === page.rows.length - 1 ? at(page.next, page) : inside(page, index + 1);
}

function inside(page: PageRead, skip: number): PagePosition {
  return { ...at(page.asked.cursor, page), skip };
}

/** Pages keep their meaning as long as they have the same size. */
function at(page: PageCursor, { asked }: PageRead): PagePosition {
  return { kind: "page", page, skip: 0, ...(asked.size !== undefined && { size: asked.size }) };
}
