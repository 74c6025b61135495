import type { Shape } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Omission } from "./omit.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

export interface RowCounts {
  /** Rows in the reply. */
  readonly shown: number;
  /** Rows that match. */
  readonly total: number;
  /** Rows that the upstream sent. */
  readonly found: number;
  /** The upstream says that it has more. */
  readonly further: boolean;
  /** What was searched for; empty where nothing was. */
  readonly searched: string;
  /** Infinity where rows are not limited. */
  readonly limit: number;
}

export interface Told {
  readonly note?: string;
  readonly omitted?: Omission;
}

/** What a list says of itself: why it is empty, or how many rows it left out and how to get them. */
export function tellRows(counts: RowCounts, shape: ListShape): Told {
  const { shown, total, further } = counts;
  if (total === 0 && !further) return { note: tellEmpty(counts, shape) };
  if (shown === total) return further ? tellFurther(counts, shape) : {};
  const isFull = shown < Math.min(total, counts.limit);
  const way = wayToMore(isFull, counts, shape);
  const why = isFull ? `: the reply is full at ${shape.budget} bytes` : "";
  const of = further ? `${total} rows that the upstream sent (it has more)` : `${total} rows`;
  return {
    note: `${shown} of ${of}${why}. ${way} for the others.`,
    omitted: { what: "rows", kept: `${shown} of ${total}${further ? " or more" : ""}`, get: way },
  };
}

/** No page token reaches what the upstream did not send. */
function tellFurther({ shown, found, searched }: RowCounts, shape: ListShape): Told {
  const seen = searched === "" && !shape.order ? "" : ` Only the ${found} rows that it sent were looked at.`;
  return {
    note: `The upstream has more rows than it sent.${seen} Narrow the arguments to see others.`,
    omitted: { what: "rows", kept: `${shown}, and the upstream has more`, get: "Narrow the arguments" },
  };
}

/** The author's words are about a list without rows; where a search left none, that is said. */
function tellEmpty({ found, searched }: RowCounts, shape: ListShape): string {
  if (found === 0) return shape.emptyNote ?? "The list is empty: nothing matches, or there is no data.";
  const search = shape.search && inputName(shape.search);
  const advice = search ? ` Try another word, or leave \`${search}\` out.` : "";
  return `None of the ${found} rows matches ${JSON.stringify(clipCharacters(searched, 100))}.${advice}`;
}

function wayToMore(isFull: boolean, { limit }: RowCounts, shape: ListShape): string {
  const search = shape.search && inputName(shape.search);
  if (!isFull && shape.limit && limit < shape.limit.max) return `Raise \`limit\` (max ${shape.limit.max})`;
  return search ? `Narrow with \`${search}\`` : "Narrow the arguments";
}

/** The input that a value is; undefined where it is made of more. */
function inputName(value: Value): string | undefined {
  if (value.kind !== "expression") return undefined;
  return /^(?:\$\.)?input\.([A-Za-z]\w*)$/.exec(value.expression.jmespath.trim())?.[1];
}
