import type { PagePlan } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { isTrue } from "../is-true.ts";
import type { PageCursor } from "../list/list-read.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import { type AnsweredPage, type AskedPage, followPage } from "./page-styles.ts";

export interface NextPage {
  /** Absent where the list ends, or cannot be followed. */
  readonly next?: PageCursor;
  /** The upstream itself says that there is a next page. */
  readonly certain: boolean;
  /** There are more rows, or may be, and nothing says how to ask for them. */
  readonly unreachable: boolean;
  /** The page is too short to have one behind it, and yet its body says that there are more rows. */
  readonly doubted?: true;
}

/**
 * What comes behind a page: `more` decides where it says something, else what the style's own answer says, else its number of rows, unless its body
 * says otherwise. `longest` is the number of rows of the longest page that was read at the same size.
 */
export function nextPage(
  plan: PagePlan,
  asked: AskedPage,
  answered: AnsweredPage,
  longest: number,
  roots: Roots,
): NextPage {
  const { cursor, says } = followPage(plan, asked, answered, roots);
  const said = readMore(plan, answered, roots) ?? says;
  const isLast = said === undefined && isShort(plan, asked, answered.count, longest);
  const doubted = isLast && saysFurther(plan, asked, answered, longest);
  const goesOn = isLast && !doubted ? false : said;
  if (goesOn === false) return { certain: false, unreachable: false };
  if (cursor === undefined) return { certain: false, unreachable: true };
  return { next: cursor, certain: goesOn === true, unreachable: false, ...(doubted && { doubted }) };
}

/** What databases and query strings write for false: nobody says with it that there is more. */
const NO = new Set<Json>([0, "0", "false"]);

/** Undefined where there is no `more`, or nothing stands there. */
function readMore({ more }: PagePlan, { body }: AnsweredPage, roots: Roots): boolean | undefined {
  if (more === undefined) return undefined;
  const value = evaluateExpression(more, body, roots);
  return value === null ? undefined : isTrue(value) && !NO.has(value);
}

/**
 * Whether a short page says itself that there are rows behind it, in a flag, a cursor or a count: then the upstream gives fewer rows a page than
 * it was asked for, whatever the curation says of it.
 */
function saysFurther(
  plan: PagePlan,
  { cursor, size = 0 }: AskedPage,
  answered: AnsweredPage,
  longest: number,
): boolean {
  const { body, count = 0, reply, sum } = answered;
  const isBehind = (rows: number) => hasFurtherRows(body, rows, reply.headers, sum);
  if (count === 0) return false;
  if (cursor.kind !== "number") return isBehind(cursor.kind === "first" ? count : Number.POSITIVE_INFINITY);
  if (plan.style !== "page") return isBehind(cursor.number + count);
  const pages = cursor.number - plan.first;
  const asAsked = pages * size + count;
  const isAsAsked = !isBehind(asAsked) && isBehind(asAsked - 1);
  return !isAsAsked && isBehind(pages * (longest || count) + count);
}

function isShort(plan: PagePlan, asked: AskedPage, count: number | undefined, longest: number): boolean {
  if (count === undefined) return false;
  if (count === 0 || count < longest) return true;
  // Unless we or the curation said it, nobody knows how many rows a page has: a pin or a caller may have.
  const said = asked.size ?? plan.sizeFixed;
  if (said === undefined) return false;
  const size = Math.min(said, plan.sizeMax ?? said);
  if (count >= size) return false;
  return plan.sizeMax !== undefined || plan.sizeFixed !== undefined || !looksLikeBound(count);
}

/** Upstreams cut a size that is too large down to their own bound without a word, and such bounds are round numbers. */
function looksLikeBound(count: number): boolean {
  return count % 10 === 0 || count % 25 === 0 || (count >= 16 && Number.isInteger(Math.log2(count)));
}
