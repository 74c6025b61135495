import type { ResultEntry } from "../../curation/format.ts";
import type { Schema } from "../../model/schema.ts";
import type { Shape, ShapeLimits } from "../../model/shape.ts";
import { listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf, objectOf } from "../expressions/type-algebra.ts";
import type { EntryPath } from "../open-report.ts";
import { type BuiltFields, buildFields } from "../reply/build-fields.ts";
import { buildOrder, type Columns } from "../reply/build-order.ts";
import type { ShapeChecker } from "../reply/shape-checker.ts";
import type { BoundPages } from "./bind-pages.ts";
import { buildGroup } from "./build-group.ts";
import { buildTotals, type TotalSources } from "./build-totals.ts";
import { checkPages } from "./check-pages.ts";
import { columnsOf, type ListColumns } from "./columns.ts";
import type { ListReply } from "./list-output.ts";

/** What is known of the request whose body holds the list. */
export interface ListCall extends Pick<TotalSources, "operation" | "aggregate" | "made"> {
  readonly pages?: BoundPages;
  /** One answer holds the whole list; not so where pages were said that do not fit. */
  readonly unpaged: boolean;
  /** A page token may lead to further rows: the request only reads. */
  readonly goesOn: boolean;
  /** Callers may filter. */
  readonly filtered: boolean;
}

/** What `rows` reads, and how messages call it. */
export interface NamedBody {
  readonly schema: Schema;
  readonly label: string;
}

interface BuiltList {
  readonly shape: Shape;
  readonly reply: ListReply;
  readonly upstream?: BuiltFields["upstream"];
}

/** How the rows of a body become a reply: columns, search, order, and how much of them. */
export function buildList(
  result: ResultEntry,
  rows: string,
  at: EntryPath,
  body: NamedBody,
  limits: ShapeLimits,
  call: ListCall | undefined,
  check: ShapeChecker,
): BuiltList {
  const row = typeOfRow(rows, at, body, check);
  const pages = call?.pages;
  if (call !== undefined && pages !== undefined) checkPages(pages, body.schema, row, call.operation, check);
  const built =
    result.fields === undefined ? undefined : buildFields(result.fields, [...at, "fields"], row, "a row", check);
  const ofRows = columnsOf(built, row, check.api);
  const grouped = result.group && buildGroup(result.group, [...at, "group"], ofRows, check);
  const columns = grouped?.columns ?? ofRows;
  const order = buildOrder(result.order, [...at, "order"], orderable(columns), check);
  if (order !== undefined && call?.unpaged === false) checkOrder(result, at, check);
  if (result.all !== undefined && call?.unpaged) warnUnpaged(call, at, check);
  const sources = call && {
    ...call,
    body: body.schema,
    columns,
    ...(grouped && { group: grouped.group }),
  };
  const totals = result.totals && sources && buildTotals(result.totals, [...at, "totals"], sources, check);
  const search = result.search === undefined ? undefined : check.readValue(result.search, [...at, "search"]).value;
  const shape: Shape = {
    kind: "list",
    rows: { jmespath: rows },
    ...(built !== undefined && { fields: built.fields }),
    ...(search !== undefined && { search }),
    ...(result.all !== undefined && { all: result.all }),
    ...(grouped !== undefined && { group: grouped.group }),
    ...(order !== undefined && { order }),
    ...(totals !== undefined && { totals }),
    ...(result.limit !== undefined && { limit: result.limit }),
    ...(result.emptyNote !== undefined && { emptyNote: result.emptyNote }),
    ...limits,
  };
  const isAsItComes = built === undefined && grouped === undefined;
  const shown = isAsItComes ? row : objectOf([...columns.types]);
  const chosen = columns.types.size + Number(columns.spread !== undefined);
  const { goesOn = false, filtered = false } = call ?? {};
  const kind = { kind: "list", ...(totals !== undefined && { totals: totals.kind }), goesOn, filtered } as const;
  const reply = { ...kind, row: shown, columns: isAsItComes ? 0 : chosen };
  return { shape, reply, ...(built !== undefined && { upstream: built.upstream }) };
}

function orderable({ types, spread, open }: ListColumns): Columns {
  return { names: [...types.keys()], spreads: spread !== undefined, open };
}

function typeOfRow(rows: string, at: EntryPath, { schema: body, label }: NamedBody, check: ShapeChecker): Schema {
  const type = check.typeOf({ jmespath: rows }, [...at, "rows"], body, label);
  if (elementsOf(type, check.api) === undefined) reportNoList(rows, type, [...at, "rows"], check);
  return elementsOf(check.meantType({ jmespath: rows }, body) ?? type, check.api) ?? ANY;
}

function reportNoList(rows: string, type: Schema, at: EntryPath, check: ShapeChecker): void {
  const types = listAlternatives(type, check.api).filter((one) => one.type !== "null");
  const inside = types.flatMap(propertyNames);
  const hint =
    inside.length > 0 ? `It has ${inside.slice(0, 12).join(", ")}.` : "Name the list of the body that holds the rows.";
  check.report.add("error", "rows_not_a_list", at, `\`${rows}\` is never a list.`, hint);
}

/** Rows of one page in order would be taken for the first of all rows. */
function checkOrder(result: ResultEntry, at: EntryPath, check: ShapeChecker): void {
  if (result.all !== undefined || result.group !== undefined) return;
  const message = "The upstream gives this list in pages, and rows can be ordered only when all of them are read.";
  const hint =
    "Read every page first with `all: { max: 10000 }`, add rows up with `group`, or keep the upstream's order with `order: upstream`.";
  check.report.add("error", "order_needs_all", [...at, "order"], message, hint);
}

function warnUnpaged({ operation }: ListCall, at: EntryPath, check: ShapeChecker): void {
  const message = `Nothing says how \`${operation}\` cuts its list into pages, so \`all\` reads one answer only.`;
  check.report.add("warning", "all_unpaged", [...at, "all"], message, "Say it in `pages`, or take `all` out.");
}
