import type { Schema } from "../../model/schema.ts";
import { pathStep } from "../shape/path-step.ts";
import { foldName, singular } from "../word/nouns.ts";
import { isScalar, type View, type ViewSchema } from "./view-schema.ts";

/** What an operation answers, and where in it the thing itself is. */
export type Body =
  | {
      readonly kind: "rows";
      /** JMESPath from the body to the list. */
      readonly rows: string;
      readonly row: View;
      /** What stands around the list; absent where the body is the list. */
      readonly around?: View;
    }
  | {
      readonly kind: "object";
      /** JMESPath from the body to the object, with a dot at its end; empty where the body is the object. */
      readonly within: string;
      readonly object: View;
    };

const LIST_NAMES =
  /^(data|items|results?|values?|records|rows|entries|list|elements|hits|objects|content|members|resources|documents|matches|collection)$/i;
/** `ResultsByTime` beside lists that explain it. */
const LIKE_LIST = /^([Rr]esults?|[Ii]tems|[Rr]ecords|[Rr]ows|[Ee]ntries|[Mm]atches|[Hh]its)(?=[A-Z_])/;
const WRAPPER_NAMES = /^(data|result|results|response|item|object|value|body|payload|_embedded|embedded)$/i;
/** What stands beside a list and is not the subject. */
const ENVELOPE_NAMES =
  /^(ok|success|status|error|errors|message|meta|metadata|_meta|page.*|paging|pagination|links?|_links|next.*|prev.*|has.*|total.*|count|limit|offset|cursor.*|start|size|first|last|object|kind|type|url|self|version|code|warnings?|incomplete.*|response_metadata|apiversion|@odata.*|.*uri|end|order.*|sort|per_page|fields|cache_ts|requestid|request_id|.*token|.*marker)$/i;

const PAGE_NAMES =
  /^(has_?more|next|next_?(page|cursor|url|link|token|page_?token)|response_metadata|paging|pagination|page_?info)$/i;

/** A name that tells of the answer, and nothing of its subject. */
export function isOfEnvelope(name: string): boolean {
  return ENVELOPE_NAMES.test(name);
}

/** Finds the list or the object that a body is about. `noun` is the name of the resource, `isOne` whether the path picks one of them. */
export function findBody(schema: Schema, noun: string, isOne: boolean, viewOf: ViewSchema): Body | undefined {
  const body = viewOf(schema);
  const list = findList(body, noun, isOne, viewOf, 0);
  if (list !== undefined) return list;
  return body.properties.size === 0 ? undefined : unwrap(body, noun, viewOf);
}

function findList(body: View, noun: string, isOne: boolean, viewOf: ViewSchema, depth: number): Body | undefined {
  if (body.items !== undefined) return rowsAt("@", viewOf(body.items), undefined);
  const lists = [...body.properties].flatMap(([name, one]) => {
    const { items } = viewOf(one);
    const item = items === undefined ? undefined : viewOf(items);
    // Lists in a list are read as one: hits, each with what stands beside it.
    const row = item?.items === undefined ? item : viewOf(item.items);
    if (row === undefined || (row.properties.size === 0 && !isScalar(row))) return [];
    return [{ name, row, rows: item === row ? pathStep(name) : `${pathStep(name)}[]` }];
  });
  const chosen = chooseList(lists, body, noun, isOne);
  if (chosen !== undefined) return rowsAt(chosen.rows, chosen.row, body);
  if (depth > 0) return undefined;
  for (const [name, one] of body.properties) {
    if (!WRAPPER_NAMES.test(name)) continue;
    const inner = findList(viewOf(one), noun, isOne, viewOf, depth + 1);
    if (inner?.kind === "rows") return { ...inner, rows: join(name, inner.rows), around: inner.around ?? body };
  }
  return undefined;
}

interface NamedList {
  readonly name: string;
  readonly row: View;
  /** JMESPath to them. */
  readonly rows: string;
}

function chooseList(lists: readonly NamedList[], body: View, noun: string, isOne: boolean): NamedList | undefined {
  const objects = lists.filter(({ row }) => row.properties.size > 0);
  const others = [...body.properties.keys()].filter(
    (name) => !ENVELOPE_NAMES.test(name) && !lists.some((list) => list.name === name),
  );
  // What says whether more comes is about a list, whatever else stands beside it.
  const isPage = objects.length === 1 && [...body.properties.keys()].some((name) => PAGE_NAMES.test(name));
  const isEnvelope = others.length <= 2 || isPage;
  const generic = objects.find(({ name }) => LIST_NAMES.test(name));
  const own = objects.find(({ name }) => isNamed(name, noun));
  // `/tags/{type}` answers the tags of a type.
  if (isOne) return isEnvelope ? (generic ?? (others.length === 0 ? own : undefined)) : undefined;
  // `threads` beside `members`, where threads are asked for.
  if (own !== undefined && isEnvelope) return own;
  const named = own ?? objects.find(({ name }) => LIKE_LIST.test(name));
  if (generic !== undefined && (isEnvelope || named === undefined) && others.length <= 8) return generic;
  if (named !== undefined) return named;
  if (!isEnvelope) return undefined;
  return objects.length === 1 ? objects[0] : objects.length === 0 && lists.length === 1 ? lists[0] : undefined;
}

function isNamed(name: string, noun: string): boolean {
  const [one, other] = [foldName(singular(name.toLowerCase())), foldName(singular(noun))];
  return one.length > 2 && other.length > 2 && (one === other || one.endsWith(other) || other.endsWith(one));
}

function rowsAt(rows: string, row: View, around: View | undefined): Body {
  return { kind: "rows", rows, row, ...(around !== undefined && { around }) };
}

function join(name: string, inner: string): string {
  return inner === "@" ? pathStep(name) : `${pathStep(name)}.${inner}`;
}

/** `{ droplet: {…} }` and `{ ok: true, channel: {…} }` are about what they hold. */
function unwrap(body: View, noun: string, viewOf: ViewSchema): Body {
  const subjects = [...body.properties].filter(
    ([name, one]) => !ENVELOPE_NAMES.test(name) || (isNamed(name, noun) && viewOf(one).properties.size > 0),
  );
  const objects = subjects.flatMap(([name, one]) => {
    const object = viewOf(one);
    return object.properties.size > 0 ? [{ name, object }] : [];
  });
  const [only] = objects;
  const hasScalars = subjects.some(([, one]) => isScalar(viewOf(one)));
  const isWrapper =
    only !== undefined &&
    (subjects.length === 1 || (objects.length === 1 && !hasScalars)) &&
    (subjects.length > 1 || WRAPPER_NAMES.test(only.name) || isNamed(only.name, noun) || body.properties.size <= 3);
  return isWrapper
    ? { kind: "object", within: `${pathStep(only.name)}.`, object: only.object }
    : { kind: "object", within: "", object: body };
}
