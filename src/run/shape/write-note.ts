import type { Shape } from "../../model/shape.ts";
import type { Value } from "../../model/value.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Summarized } from "../totals/summarize-total.ts";
import type { Omission } from "./omit.ts";
import { tellCoverage } from "./tell-coverage.ts";

export type ListShape = Extract<Shape, { kind: "list" }>;

export interface RowCounts {
  /** Rows in the reply. */
  readonly shown: number;
  /** Rows of the list before them; undefined where nobody counted. */
  readonly start?: number | undefined;
  /** All rows of the list; undefined where nobody knows. */
  readonly total?: number | undefined;
  /** Rows that the upstream sent; undefined where they were not read from the first to the last. */
  readonly found: number | undefined;
  /** Rows come behind these, or are out of reach. */
  readonly hasMore: boolean;
  /** A page token leads to the rows behind these. */
  readonly reached: boolean;
  /** The tool only reads, so it may be called again. */
  readonly repeatable: boolean;
  /** More rows would have been shown, had there been room. */
  readonly full: boolean;
  /** The upstream has rows that no token reaches. */
  readonly unreachable: boolean;
  /** Why the upstream's list was not read to its end, a phrase. */
  readonly cut?: string | undefined;
  /** Why there are rows that were not made, a sentence; what made them tells it among what is left out. */
  readonly stopped?: string | undefined;
  readonly drifted: boolean;
  /** Rows moved while the pages were read. */
  readonly moved: boolean;
  /** What was searched for; empty where nothing was. */
  readonly searched: string;
  /** Rows were ranked or added up over the whole list, not only those that are shown. */
  readonly ordered: boolean;
  /** Infinity where rows are not limited. */
  readonly limit: number;
  readonly noun: "rows" | "groups";
  /** The measure by which the largest rows come first. */
  readonly ranked?: string | undefined;
  readonly summarized?: Summarized | undefined;
}

export interface Told {
  readonly note?: string;
  readonly omitted: readonly Omission[];
}

const MOVED = "Rows moved while the pages were read (SNAPSHOT_DRIFT): some may be missing or come twice.";
const DRIFT = "Rows moved since the page before (SNAPSHOT_DRIFT): some may be missing or come twice.";

/** What a list says of itself: why it is empty, how much of the whole it shows, and how to get the rest. */
export function tellRows(counts: RowCounts, shape: ListShape): Told {
  const { drifted, moved, unreachable, stopped } = counts;
  const sentences = [
    ...(moved ? [MOVED] : drifted ? [DRIFT] : []),
    ...tellShown(counts, shape),
    ...(unreachable ? [tellUnreachable(counts, shape)] : []),
    ...(stopped !== undefined ? [`${stopped} ${wayToNarrow(counts, shape)} to see others.`] : []),
  ];
  return { ...(sentences.length > 0 && { note: sentences.join(" ") }), omitted: tellOmitted(counts, shape) };
}

function tellShown(counts: RowCounts, shape: ListShape): string[] {
  const { shown, hasMore, reached, start = 0, total, unreachable, stopped, full } = counts;
  if (shown === 0 && !hasMore) return [counts.start === 0 ? tellEmpty(counts, shape) : "No rows are left here."];
  const isLast = !reached && (total === undefined ? isAllSent(counts, shape) : start + shown >= total);
  if (!hasMore || ((unreachable || stopped !== undefined) && isLast)) return [];
  const why = full ? `: the reply is full at ${shape.budget} bytes` : "";
  const rest = reached ? "for more" : "for the others";
  return [`${tellCoverage(counts)}${why}. ${wayToMore(counts, shape)} ${rest}.`];
}

/** All rows that the upstream sent are shown, and another limit would bring no others. */
function isAllSent({ shown, found, limit, unreachable, full }: RowCounts, { limit: bound }: ListShape): boolean {
  const mayRaise = bound !== undefined && limit < bound.max;
  return unreachable && !full && !mayRaise && found !== undefined && shown >= found;
}

/** No page token reaches what the upstream did not send. */
function tellUnreachable(counts: RowCounts, shape: ListShape): string {
  const { found, searched, ordered, cut } = counts;
  const way = wayToNarrow(counts, shape);
  if (cut !== undefined) return `The upstream's list was not read to its end: ${cut}. ${way} to see others.`;
  const seen =
    found === undefined || (searched === "" && !ordered) ? "" : ` Only the ${found} rows that it sent were looked at.`;
  return `The upstream has more rows than it sent.${seen} ${way} to see others.`;
}

/** Rows that no page token reaches. */
function tellOmitted(counts: RowCounts, shape: ListShape): Omission[] {
  const { shown, total, found, reached, unreachable, cut, stopped, start = 0 } = counts;
  const first = found === undefined ? "a part" : `the first ${found}`;
  const further: Omission[] = cut === undefined ? [] : [{ what: "items", kept: `${first} of the upstream's: ${cut}` }];
  if (!counts.hasMore || (reached && !unreachable)) return further;
  const isLast = reached || total === undefined || start + shown >= total;
  if (isLast && (unreachable ? cut : stopped) !== undefined) return further;
  const get = isLast ? wayToNarrow(counts, shape) : wayToMore(counts, shape);
  if (isLast)
    return [
      ...further,
      { what: "rows", kept: `${reached ? (found ?? shown) : shown}, and the upstream has more`, get },
    ];
  return [...further, { what: "rows", kept: `${shown} of ${total}${unreachable ? " or more" : ""}`, get }];
}

/** The author's words are about a list without rows; where a search left none, or the total knows better, that is said. */
function tellEmpty({ found = 0, searched, summarized }: RowCounts, shape: ListShape): string {
  if (found > 0 && searched !== "") {
    const search = shape.search && inputName(shape.search);
    const advice = search ? ` Try another word, or leave \`${search}\` out.` : "";
    return `None of the ${found} rows matches ${JSON.stringify(clipCharacters(searched, 100))}.${advice}`;
  }
  if (summarized?.total === "some")
    return "No row came, and yet the total is not zero: there is data that the rows do not show.";
  if (shape.emptyNote !== undefined) return shape.emptyNote;
  if (summarized?.total === "none") return "There is no data: the list is empty, and the total has no value.";
  if (summarized?.total === "zero" || summarized?.count === 0) return "Nothing matches: the total is 0.";
  return "The list is empty: nothing matches, or there is no data.";
}

function wayToMore(counts: RowCounts, shape: ListShape): string {
  const { full, limit, reached, repeatable } = counts;
  if (!repeatable) return READ_ELSEWHERE;
  const raise =
    !full && shape.limit && limit < shape.limit.max ? `Raise \`limit\` (max ${shape.limit.max})` : undefined;
  const follow = "pass nextPageToken as `pageToken`";
  if (reached) return raise ? `${raise} or ${follow}` : follow.replace("p", "P");
  return raise ?? wayToNarrow(counts, shape);
}

const READ_ELSEWHERE = "Use a tool that only reads, not this one again,";

function wayToNarrow({ repeatable }: RowCounts, { search }: ListShape): string {
  if (!repeatable) return READ_ELSEWHERE;
  const name = search && inputName(search);
  return name ? `Narrow with \`${name}\`` : "Narrow the arguments";
}

/** The input that a value is; undefined where it is made of more. */
function inputName(value: Value): string | undefined {
  if (value.kind !== "expression") return undefined;
  return /^(?:\$\.)?input\.([A-Za-z]\w*)$/.exec(value.expression.jmespath.trim())?.[1];
}
