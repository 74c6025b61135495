import type { JsonObject } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import { pathStep } from "../shape/path-step.ts";
import type { Slot } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { View, ViewSchema } from "../survey/view-schema.ts";
import { foldName } from "../word/nouns.ts";

/** How one list is paged: a style as a curation writes it. */
export interface ReadPages {
  readonly style: JsonObject;
  /** Places that belong to pages, and so are no inputs. */
  readonly places: readonly string[];
  /** What could not be told from the document. */
  readonly doubt?: string;
  /** The place that asks for a further page, where there is a doubt. */
  readonly send?: string;
  /** The document describes an answer without what names the next page. */
  readonly isUntold?: boolean;
}

const SIZE =
  /^(limit|perpage|pagesize|maxresults|maxitems|max|size|count|take|first|top|pagelimit|resultsperpage|maxkeys|itemsperpage|pageitems)$/;
const TOKEN =
  /^(pagetoken|nextpagetoken|nexttoken|cursor|nextcursor|pagecursor|startcursor|continue|continuationtoken|marker|nextmarker|bookmark|scrollid|after|pageafter|startingafter|paginationtoken)$/;
/** Names that mean a token only where the body calls its own the same. */
const MAYBE_TOKEN = /^(position|start|offset|from|since|key)$/;
const LAST = /^(startingafter|after|sinceid|afterid|lastid)$/;
const PAGE = /^(page|pagenumber|pageindex|pageno|pagenum|currentpage|p)$/;
const OFFSET = /^(offset|skip|startindex|startat|startposition)$/;
/** Names that mean a number of rows only where they are numbers. */
const MAYBE_OFFSET = /^(start|from|first)$/;
/** In the body, the token of the next page. */
const NEXT =
  /^(nextpagetoken|nexttoken|nextcursor|nextpage|next|cursor|continue|continuationtoken|nextmarker|after|bookmark|endcursor|nextpagecursor|scrollid|offset|nextposition|nextkey)$/;
const NEXT_ADDRESS = /^(?:odata)?next(?:page)?(link|url|uri|href|)$/;
const HOLDERS = /meta|pag|cursor|next|links/i;
const MORE = /^(hasmore|hasnext|hasnextpage|more|istruncated|truncated)$/;

/** The style of a list's pages by its parameters and by what stands around its rows; undefined where nothing speaks of pages. */
export function readPages(fact: Fact, viewOf: ViewSchema): ReadPages | undefined {
  if (fact.body.kind !== "rows") return undefined;
  const slots = fact.slots.filter((slot) => (slot.in === "query" || slot.in === "body") && isPlain(slot));
  const find = (pattern: RegExp) => slots.find(({ name }) => pattern.test(foldName(name)));
  const said = find(TOKEN);
  const sizes = slots.filter(({ name, view }) => SIZE.test(foldName(name)) && view.type !== "string");
  const hasTwo = said !== undefined && find(PAGE) !== undefined;
  // Beside numbered pages a cursor has a size of its own, which is called `limit`.
  const size = sizes.find(({ name }) => hasTwo && name === "limit") ?? sizes[0] ?? find(SIZE);
  const sized = sizeOf(size);
  const around = fact.body.around;
  const next = (around && findNext(around, viewOf)) ?? (said && nextInWords(said.description));
  const address = around && findAddress(around, viewOf);
  const more = around && findScalar(around, MORE, viewOf, ["boolean"]);
  const withMore = more === undefined ? {} : { more };
  const token = said ?? slots.find(({ name }) => MAYBE_TOKEN.test(foldName(name)) && lastName(next) === foldName(name));
  if (token !== undefined && next !== undefined && tokenFits(token, next)) {
    const isUntold = around === undefined || !isDescribed(around, next, viewOf);
    return {
      ...pages({ style: "token", send: token.place, next, ...sized }, token, size),
      ...(isUntold && { isUntold }),
    };
  }
  const last = find(LAST);
  const page = find(PAGE);
  if (page !== undefined && page !== size) {
    const own = hasTwo ? (sizes.find(({ name }) => name !== "limit") ?? size) : size;
    return pages({ style: "page", send: page.place, ...firstPage(page), ...sizeOf(own), ...withMore }, page, own);
  }
  const id = idOf(fact.body.row);
  if (last !== undefined && id !== undefined && (more !== undefined || isOfForm(last, fact.body.row, id, viewOf)))
    return pages({ style: "last", send: last.place, next: id, ...sized, ...withMore }, last, size);
  if (said !== undefined && address !== undefined)
    return pages({ style: "token", send: said.place, next: address, ...sized }, said, size);
  const offset =
    find(OFFSET) ?? slots.find(({ name, view }) => MAYBE_OFFSET.test(foldName(name)) && view.type === "integer");
  if (offset !== undefined && offset !== size && (offset.view.type !== "string" || size !== undefined))
    return address === undefined
      ? pages({ style: "offset", send: offset.place, ...sized, ...withMore }, offset, size)
      : pages({ style: "token", send: offset.place, next: address, ...sized }, offset, size);
  if (token !== undefined && /cursor|token|after|continue|marker|bookmark|scroll/i.test(token.name))
    return /\blink (header|relation)|\bnext link\b/i.test(token.description)
      ? pages({ style: "link", ...sized }, token, size)
      : {
          ...pages({ style: "link", ...sized }, token, size),
          send: token.place,
          doubt: `\`${token.name}\` asks for a further page, and the document does not say where its value comes from: a Link header is taken for it.`,
        };
  // A list that can be asked for more rows has pages; where nothing else tells the way, RFC 8288 does, or nothing.
  return size === undefined || size.required ? undefined : { style: { style: "link", ...sized }, places: [size.place] };
}

function pages(style: JsonObject, send: Slot, size: Slot | undefined): ReadPages {
  return { style, places: [send.place, ...(size === undefined ? [] : [size.place])] };
}

/** An ID of a form of its own that is asked for where rows have one: the last row's is meant. */
function isOfForm({ view: { schema } }: Slot, row: View, id: string, viewOf: ViewSchema): boolean {
  const own = viewOf(row.properties.get(id)!).schema;
  const isPattern = schema.pattern !== undefined && schema.pattern === own.pattern;
  return isPattern || (schema.format !== undefined && schema.format === own.format);
}

/** "A `next_cursor` attribute returned by the last answer's `response_metadata`" names both. */
function nextInWords(description: string): string | undefined {
  const [, name = "", holder = ""] =
    /[`'"](\w+)[`'"] (?:attribute|property|field|value)?[^`'".]{0,60}(?:'s [`"](\w+)[`"])/i.exec(description) ?? [];
  return NEXT.test(foldName(name)) && holder !== "" ? `${holder}.${name}` : undefined;
}

/** Whether the schema of an answer has a path; alternatives that stand in the place of items say nothing. */
function isDescribed(around: View, path: string, viewOf: ViewSchema): boolean {
  let view: View | undefined = around;
  for (const step of path.split(".")) {
    const schema: Schema | undefined = view?.properties.get(step.replaceAll('"', ""));
    view = schema === undefined ? undefined : viewOf(schema);
    if (view === undefined || view.schema.prefixItems !== undefined) return false;
  }
  return true;
}

function lastName(path = ""): string {
  return foldName(path.split(".").at(-1) ?? "");
}

/** A value in a form of its own, as a date, is no place in a list. */
function isPlain({ name, view: { type, schema } }: Slot): boolean {
  const isToken = TOKEN.test(foldName(name));
  if (schema.format?.startsWith("date") || (schema.pattern !== undefined && !isToken)) return false;
  return type === "string" || type === "integer" || type === "number" || type === undefined;
}

function sizeOf(size: Slot | undefined): JsonObject {
  if (size === undefined) return {};
  const { maximum } = size.view.schema;
  const said =
    /\b(?:max(?:imum)?|up to|no (?:more|larger) than|at most|between 1 and|1 (?:to|-|and))\b[^0-9.]{0,24}(\d{2,4})\b/i.exec(
      size.description,
    )?.[1];
  const most = maximum !== undefined && Number.isInteger(maximum) && maximum > 0 ? maximum : Number(said ?? 0);
  return { size: size.place, ...(most > 0 && { sizeMax: most }) };
}

function firstPage({ view: { schema }, description }: Slot): JsonObject {
  const isZero =
    schema.default === 0 ||
    schema.minimum === 0 ||
    /zero[- ]based|starts? (at|from|with) 0|0-(based|indexed)/i.test(description);
  return isZero ? { first: 0 } : {};
}

/** A number that counts rows is not sent a text from the body. */
function tokenFits(token: Slot, next: string): boolean {
  const isNumber = token.view.type === "integer" || token.view.type === "number";
  return !isNumber || /token|cursor|position|marker/i.test(`${token.name} ${next}`);
}

/** Around the rows, or one level inside what stands there: `next_cursor`, `meta.next`, `paging.next.after`. */
function findNext(around: View, viewOf: ViewSchema): string | undefined {
  return findScalar(around, NEXT, viewOf, ["string", "integer", undefined]);
}

/** `next` and `@odata.nextLink`, which name the next page by its whole address; also deeper: `_links.next.href`. */
function findAddress(around: View, viewOf: ViewSchema, depth = 0): string | undefined {
  const views = [...around.properties].map(([name, schema]) => [name, viewOf(schema)] as const);
  for (const [name, view] of views) {
    const [, kind] = NEXT_ADDRESS.exec(foldName(name)) ?? [];
    if (kind === undefined) continue;
    if (view.type === "string" && (kind !== "" || isAddress(view))) return pathStep(name);
    if (view.properties.has("href")) return `${pathStep(name)}.href`;
  }
  const holders = depth >= 2 ? [] : views.filter(([name, view]) => view.properties.size > 0 && HOLDERS.test(name));
  for (const [name, view] of holders) {
    const inner = findAddress(view, viewOf, depth + 1);
    if (inner !== undefined) return `${pathStep(name)}.${inner}`;
  }
  return undefined;
}

function findScalar(
  around: View,
  pattern: RegExp,
  viewOf: ViewSchema,
  types: readonly (View["type"] | undefined)[],
  depth = 0,
): string | undefined {
  for (const [name, schema] of around.properties) {
    const view = viewOf(schema);
    if (pattern.test(foldName(name)) && types.includes(view.type) && view.properties.size === 0 && !isAddress(view))
      return pathStep(name);
  }
  if (depth >= 2) return undefined;
  for (const [name, schema] of around.properties) {
    const view = viewOf(schema);
    if (view.properties.size === 0 || !HOLDERS.test(name)) continue;
    const inner = findScalar(view, pattern, viewOf, types, depth + 1);
    if (inner !== undefined) return `${pathStep(name)}.${inner}`;
  }
  return undefined;
}

/** A whole address is no value of a parameter. */
function isAddress({ schema: { format, description = "", examples = [] } }: View): boolean {
  return (
    format === "uri" ||
    format === "url" ||
    /\b(url|uri|link|href)\b/i.test(description) ||
    /^(https?:)?\//.test(String(examples[0] ?? ""))
  );
}

function idOf(row: View): string | undefined {
  return ["id", "gid", "sid"].find((name) => row.properties.has(name));
}
