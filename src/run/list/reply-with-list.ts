import type { Call } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { ReplyBody } from "../../model/exchange.ts";
import { once } from "../../model/once.ts";
import type { Shape } from "../../model/shape.ts";
import type { Arguments } from "../arguments/validate-arguments.ts";
import type { CursorKeys } from "../cursor/cursor-keys.ts";
import { ANY_DIGEST, digestCall } from "../cursor/digest-call.ts";
import { checkBound, type OpenedToken, takesPageToken } from "../cursor/open-page-token.ts";
import { measurePageToken, sealPageToken } from "../cursor/seal-page-token.ts";
import type { Ask, Asking } from "../exchange/ask-upstream.ts";
import { watchTold } from "../exchange/watch-told.ts";
import type { Column } from "../shape/list-columns.ts";
import type { Omission } from "../shape/omit.ts";
import { shapeList } from "../shape/shape-list.ts";
import { shapeReply } from "../shape/shape-reply.ts";
import type { Shaped } from "../shape/shaped.ts";
import { tellReplaced } from "../shape/tell-replaced.ts";
import { suggestNext } from "../suggest/suggest-next.ts";
import { isSameRequest } from "../totals/is-same-request.ts";
import { readTotal } from "../totals/read-total.ts";
import type { TotalRead } from "../totals/total-read.ts";
import type { ListRead, Position, ResolvedFilter } from "./list-read.ts";
import { readList } from "./read-list.ts";

export interface ListCall {
  readonly shape: Extract<Shape, { kind: "list" }>;
  /** Neither filter nor page laid on. Absent where the rows are made of what steps gave: `made`. */
  readonly call?: Call;
  readonly made?: MadeRows;
  readonly columns: readonly Column[] | undefined;
  readonly given: Arguments;
  readonly filter: ResolvedFilter;
  /** The moment at which relative defaults were resolved. */
  readonly now: Date;
  readonly token?: OpenedToken;
  readonly asking: Asking;
  readonly cursorKeys: () => CursorKeys;
  /** Sends a call with its filter laid on. */
  readonly send: Ask;
}

export interface MadeRows {
  readonly read: ListRead;
  /** What the steps left out. */
  readonly omitted: readonly Omission[];
  /** Why the rows may not be added up. */
  readonly withheld?: TotalRead;
}

const NO_ROWS: ListRead = { kind: "whole", rows: [], body: null, unreachable: false };

/** Reads a list and its total, and shapes both into a reply. Throws ToolError, `invalid_cursor` for a token of another call among them. */
export async function replyWithList(options: ListCall): Promise<Shaped> {
  const { shape, columns, given, filter, token, made, asking } = options;
  const { roots, tool } = asking;
  const canGoOn = takesPageToken(tool);
  // Few replies give a token, or were asked for with one.
  const digest = once(() => (canGoOn ? digestCall(asking, given, filter) : ""));
  if (token !== undefined) checkBound(token, digest());
  const [read, total] = await readBoth(options);
  if (!isList(read)) return shapeReply(tool, { kind: "object", budget: shape.budget }, undefined, read, roots);
  const context = {
    limit: given.limit ?? Number.POSITIVE_INFINITY,
    ...(token !== undefined && { token }),
    ...(total !== undefined && { total }),
    ...(filter.applied !== undefined && { applied: filter.applied }),
    ...(made !== undefined && { omitted: made.omitted }),
    canGoOn,
    repeatable: tool.annotations.readOnlyHint,
    ...writeTokens(options, read, digest),
  };
  const shapeWith = (fitted: typeof shape) => shapeList(fitted, columns, read, roots, context);
  const isReplaced = asking.replaced?.isSeen() ?? false;
  return suggestNext(shape, asking, (fitted) => tellReplaced(fitted, isReplaced, shapeWith));
}

async function readBoth(options: ListCall) {
  const { shape, call, columns, made, asking, send } = options;
  const { roots } = asking;
  const { totals } = shape;
  const isSame = totals?.kind === "aggregate" && call !== undefined && isSameRequest(totals.call, { call, asking });
  const reading = made === undefined ? readRows(options, isSame) : Promise.resolve(made.read);
  if (totals === undefined) return [await reading] as const;
  if (made?.withheld !== undefined && totals.kind !== "aggregate") return [made.read, made.withheld] as const;
  const list = reading.then((read) => (isList(read) ? read : NO_ROWS));
  // It is told once, by `reading`.
  list.catch(() => {});
  const totalling = readTotal({
    totals,
    shape,
    columns,
    list,
    send,
    asking,
    roots,
    isSame,
    ...(call !== undefined && { call }),
  });
  return Promise.all([reading, totalling] as const);
}

async function readRows(options: ListCall, isTotal: boolean): Promise<ListRead | ReplyBody> {
  const { shape, columns, call, given, token, asking } = options;
  const { tool, toolset, roots } = asking;
  if (call === undefined) throw new Error(`The list of ${tool.name} has no request.`);
  const { send, last } = watchTold(options.send);
  const reading = readList({
    tool,
    shape,
    columns,
    isTotal,
    call,
    operations: toolset.operations,
    roots,
    send,
    ...(given.limit !== undefined && { limit: given.limit }),
    ...(token !== undefined && { token }),
  });
  const read = await reading.catch((error: unknown) => {
    // What is accepted only has no rows yet, whatever comes with it.
    if (last().kind === "empty" || !(error instanceof ToolError) || error.code !== "upstream_bad_response") throw error;
  });
  return read ?? last();
}

function isList(read: ListRead | ReplyBody): read is ListRead {
  return read.kind === "whole" || read.kind === "part";
}

const LONGEST_ANCHOR = "anchored";

/** Gives the token of a position, and the most characters that one of this list may have. */
function writeTokens({ asking, now, cursorKeys, given }: ListCall, read: ListRead, digest: () => string) {
  const made = asking.outside.now();
  const base = { now, made };
  const lengths = possiblePositions(read, given.limit).map((position) =>
    measurePageToken({ digest: ANY_DIGEST, position, anchor: LONGEST_ANCHOR, ...base }),
  );
  return {
    tokenFor: (position: Position, anchor: string) =>
      sealPageToken(cursorKeys(), { ...base, digest: digest(), position, anchor }),
    tokenBytes: Math.max(...lengths),
  };
}

/** Where the list may go on behind a reply; of positions in rows the one that is longest to write. */
function possiblePositions(read: ListRead, limit: number | undefined): readonly Position[] {
  const rows = read.rows.length;
  if (read.kind === "whole") return [{ kind: "row", at: rows }];
  const end = read.after(rows);
  if (end.kind === "row") return [{ kind: "row", at: read.counted?.total ?? end.at }];
  return Array.from({ length: Math.min(limit ?? rows, rows) + 1 }, (_, shown) => read.after(shown));
}
