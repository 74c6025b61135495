import type { Binding, FilledPlace, PagePlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { placeText } from "../../model/place.ts";
import type { Expression } from "../../model/value.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Answer } from "../exchange/ask-upstream.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { isTrue } from "../is-true.ts";
import type { PageCursor } from "../list/list-read.ts";
import { convertValue } from "../request/convert-value.ts";
import { parseContentRange } from "./parse-content-range.ts";
import { NOT_FOLLOWED, NOWHERE, nextAt, nextByLink } from "./parse-link.ts";

/** One page as it is asked for; `size` is what is sent, where something is. */
export interface AskedPage {
  readonly cursor: PageCursor;
  readonly size?: number;
}

export interface AnsweredPage {
  readonly reply: Pick<Answer, "headers" | "status" | "url">;
  readonly body: Json;
  /** Rows, as the upstream counts them; undefined where that cannot be said. */
  readonly count: number | undefined;
  /** The last row, where there is one. */
  readonly last?: Json;
  /** What the body says the sum of a measure is: no count of rows. */
  readonly sum?: Json | undefined;
}

/** What a request of one page has beside the call's own bindings. */
export interface LaidPage {
  readonly bindings: readonly Binding[];
  readonly target?: string;
}

export interface Following {
  /** Where the next page would begin; absent where nobody could ask for it. */
  readonly cursor?: PageCursor;
  /** Whether there is one, where the answer says so. */
  readonly says?: boolean;
}

interface PageStyle<P extends PagePlan> {
  readonly first: (plan: P) => PageCursor;
  readonly lay: (plan: P, asked: AskedPage) => LaidPage;
  readonly follow: (plan: P, asked: AskedPage, answered: AnsweredPage, roots: Roots) => Following;
}

const FIRST: PageCursor = { kind: "first" };
const NOTHING: LaidPage = { bindings: [] };

/** To add a style of paging: its keys in `curation/format-api.ts`, a kind of `PagePlan`, one row here. */
const STYLES: { readonly [S in PagePlan["style"]]: PageStyle<PagePlan & { readonly style: S }> } = {
  page: {
    first: ({ first }) => ({ kind: "number", number: first }),
    lay: ({ send, first }, { cursor }) => lay(send, numberOf(cursor, first)),
    follow: ({ first }, { cursor }) => ({ cursor: { kind: "number", number: numberOf(cursor, first) + 1 } }),
  },
  offset: {
    first: () => ({ kind: "number", number: 0 }),
    lay: ({ send }, { cursor }) => lay(send, numberOf(cursor, 0)),
    follow: (_, { cursor }, { count }) => ({ cursor: { kind: "number", number: numberOf(cursor, 0) + (count ?? 0) } }),
  },
  token: {
    first: () => FIRST,
    lay: (plan, asked) => layLink(asked) ?? layValue(plan, asked),
    follow: ({ next, send }, { cursor }, { reply, body, count }, roots) => {
      const value = tokenIn(evaluateExpression(next, body, roots), send);
      if (isWholeAddress(value, send)) return followTo(nextAt(value, reply.url));
      // Some upstreams end a list by giving the token back that they were sent.
      const isEnd = count === 0 && cursor.kind === "value" && canonicalJson(cursor.value) === canonicalJson(value);
      return isTrue(value) && !isEnd && !isBeginning(value)
        ? { cursor: { kind: "value", value }, says: true }
        : { says: false };
    },
  },
  last: {
    first: () => FIRST,
    lay: layValue,
    follow: (plan, _, { last }, roots) => {
      const cursor = last === undefined ? undefined : cursorBehind(plan, last, roots);
      return cursor === undefined ? {} : { cursor };
    },
  },
  link: {
    first: () => FIRST,
    lay: (_, asked) => layLink(asked) ?? NOTHING,
    follow: (_plan, _asked, { reply }) => {
      const target = nextByLink(reply.headers.get("link"), reply.url);
      return target === undefined ? { says: false } : followTo(target);
    },
  },
  range: {
    first: () => ({ kind: "number", number: 0 }),
    lay: ({ unit }, { cursor, size }) => {
      const first = numberOf(cursor, 0);
      const last = size === undefined ? "" : first + size - 1;
      return lay({ place: { in: "header", name: "Range", pointer: [] }, type: "string" }, `${unit}=${first}-${last}`);
    },
    follow: (_, asked, { reply, count }) => followRange(asked, reply, count ?? 0),
  },
};

/** Where the next page is named by its whole address, as in HAL, JSON:API or OData, the token is what that sends in its place. */
function tokenIn(next: Json, { place }: FilledPlace): Json {
  const isAddress = typeof next === "string" && /^(https?:\/\/|[/?])/i.test(next) && URL.canParse(next, NOWHERE);
  if (!isAddress || place.in !== "query" || place.pointer.length > 0) return next;
  return new URL(next, NOWHERE).searchParams.get(place.name) ?? next;
}

/** One that does not say what the place takes, as Graph's with a `$skiptoken` where the document knows `$skip` alone: it is followed as it stands. */
function isWholeAddress(next: Json, { place, type }: FilledPlace): next is string {
  const isAddress = typeof next === "string" && /^https?:\/\//i.test(next);
  return isAddress && place.in === "query" && convertValue(next, type) === undefined;
}

function followTo(target: string | typeof NOT_FOLLOWED): Following {
  return target === NOT_FOLLOWED ? { says: true } : { cursor: { kind: "link", target }, says: true };
}

function layLink({ cursor }: AskedPage): LaidPage | undefined {
  return cursor.kind === "link" ? { bindings: [], target: cursor.target } : undefined;
}

/** Cursors that begin at zero end there too (Redis' SCAN, Twitter's lists): it never names a page behind another one. */
function isBeginning(value: Json): boolean {
  return value === 0 || value === "0";
}

function styleOf(plan: PagePlan): PageStyle<PagePlan> {
  return STYLES[plan.style] as PageStyle<PagePlan>;
}

export function firstPage(plan: PagePlan): PageCursor {
  return styleOf(plan).first(plan);
}

export function placePage(plan: PagePlan, asked: AskedPage): LaidPage {
  return styleOf(plan).lay(plan, asked);
}

export function followPage(plan: PagePlan, asked: AskedPage, answered: AnsweredPage, roots: Roots): Following {
  return styleOf(plan).follow(plan, asked, answered, roots);
}

/** Of `last`: where the list goes on behind a row; undefined where the row does not say. */
export function cursorBehind(
  { next }: { readonly next: Expression },
  row: Json,
  roots: Roots,
): Extract<PageCursor, { kind: "value" }> | undefined {
  const value = evaluateExpression(next, row, roots);
  return isTrue(value) ? { kind: "value", value } : undefined;
}

/** The number of the first row that came: a server that does not know ranges sends the list from its beginning (RFC 9110 14.2). */
export function firstInRange(asked: AskedPage, { headers, status }: AnsweredPage["reply"]): number {
  const range = parseContentRange(headers.get("content-range"));
  if (range !== undefined) return range.rows?.first ?? numberOf(asked.cursor, 0);
  return status === 206 ? numberOf(asked.cursor, 0) : 0;
}

function followRange(asked: AskedPage, reply: AnsweredPage["reply"], count: number): Following {
  const range = parseContentRange(reply.headers.get("content-range"));
  const next = range?.rows === undefined ? firstInRange(asked, reply) + count : range.rows.last + 1;
  const cursor: PageCursor = { kind: "number", number: next };
  if (range === undefined) return reply.status === 206 ? { cursor } : { says: false };
  if (range.rows === undefined) return { says: false };
  return range.total === undefined ? { cursor } : { cursor, says: next < range.total };
}

/** What the upstream names as its next page is its own word: where its place cannot take it, no caller is to blame. */
function layValue({ send }: { readonly send: FilledPlace }, { cursor }: AskedPage): LaidPage {
  if (cursor.kind !== "value") return NOTHING;
  if (convertValue(cursor.value, send.type) !== undefined) return lay(send, cursor.value);
  throw new ToolError("upstream_bad_response", {
    message: `The upstream names a next page that cannot be asked for: \`${placeText(send.place)}\` takes no such value.`,
    recover: "Arguments do not change this: tell the user that the API's pages cannot be followed.",
    retryable: false,
  });
}

function lay(send: FilledPlace, value: Json): LaidPage {
  return { bindings: [fillPlace(send, value)] };
}

export function fillPlace({ place, type }: FilledPlace, value: Json): Binding {
  return { place, type, value: { kind: "literal", value }, pinned: false, required: false, nullable: false };
}

export function numberOf(cursor: PageCursor, otherwise: number): number {
  return cursor.kind === "number" ? cursor.number : otherwise;
}
