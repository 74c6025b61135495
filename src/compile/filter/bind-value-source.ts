import type { FieldSourceEntry } from "../../curation/format.ts";
import type { Operation } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import type { ValueSource } from "../../model/tool.ts";
import type { Expression } from "../../model/value.ts";
import { bindSideCall, type SideContext } from "../calls/bind-side-call.ts";
import { pagePlaces } from "../calls/draft-call.ts";
import { listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { readArgs } from "../inputs/read-args.ts";
import { type BoundPages, bindPages } from "../lists/bind-pages.ts";
import { checkPages } from "../lists/check-pages.ts";
import { type EntryPath, hintFor, UNHEARD } from "../open-report.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import { openChecker, type ShapeChecker } from "../reply/shape-checker.ts";

/** Where the upstream lists values; without `rows` the body is the list, without `field` a row is the value. */
export type SourceEntry = FieldSourceEntry;

/** A value list with its request, every expression checked against what the operation answers. Undefined, and a finding, where it has none. */
export function bindValueSource(
  entry: SourceEntry,
  at: EntryPath,
  side: SideContext,
): (ValueSource & { readonly type?: Expression }) | undefined {
  const { context, report, tool, inputs } = side;
  let pages: BoundPages | undefined;
  const bound = bindSideCall(entry, at, side, (target) => {
    const sent = readArgs(entry.args, [...at, "args"], target, context.pins, UNHEARD);
    pages = bindPages({ sent, safe: true }, at, target, context, report);
    return { places: pagePlaces(pages?.plan), call: pages === undefined ? {} : { pages: pages.plan } };
  });
  if (bound === undefined) return undefined;
  const { call, target } = bound;
  const roots = typeRoots(
    inputs,
    context.pins.map(({ name }) => name),
  );
  const check = openChecker(context.api, report, roots, tool.unchecked === true);
  const body = readSuccessBody(target.operation).schema;
  const rows = { jmespath: entry.rows ?? "@" };
  const row = rowOf(rows, [...at, "rows"], body, check);
  if (pages !== undefined) checkPages(pages, body, row, target.operation.id ?? target.operation.key, check);
  const field = { jmespath: entry.field ?? "@" };
  const here = entry.field === undefined ? at : [...at, "field"];
  checkScalar(field, check.typeOf(field, here, row, "a row"), here, check);
  const type = entry.type === undefined ? undefined : { jmespath: entry.type };
  if (type !== undefined) checkScalar(type, check.typeOf(type, [...at, "type"], row, "a row"), [...at, "type"], check);
  const lister = findLister(target.operation, side);
  return { call, rows, field, ...(type !== undefined && { type }), ...(lister !== undefined && { tool: lister }) };
}

function rowOf(rows: Expression, at: EntryPath, body: Schema, check: ShapeChecker): Schema {
  const type = check.typeOf(rows, at, body, "the body");
  const row = elementsOf(check.meantType(rows, body) ?? type, check.api);
  if (elementsOf(type, check.api) === undefined) {
    const names = listAlternatives(type, check.api).flatMap(propertyNames);
    const hint = hintFor([], names) ?? "Name the list of the body that holds the values.";
    check.report.add("error", "rows_not_a_list", at, `\`${rows.jmespath}\` is never a list.`, hint);
  }
  return row ?? ANY;
}

/** What a caller can write in one word. */
function checkScalar({ jmespath }: Expression, type: Schema, at: EntryPath, check: ShapeChecker): void {
  const alternatives = listAlternatives(type, check.api).filter((one) => one.type !== "null");
  const isNever = alternatives.length > 0 && alternatives.every((one) => one.type === "object" || one.type === "array");
  if (!isNever) return;
  const names = alternatives.flatMap(propertyNames);
  const message = `\`${jmespath}\` is never a text or a number, so no caller can write it.`;
  check.report.add("error", "not_a_value", at, message, hintFor([], names) ?? "Name what of a row is the value.");
}

/** The tool of the curation that lists the same operation, by the name that callers see. */
function findLister(
  operation: Operation,
  { context: { curation, api, names }, tool }: SideContext,
): string | undefined {
  const found = Object.entries(curation.content.tools).filter(
    ([, entry]) => entry !== tool && entry.operation !== undefined && api.find(entry.operation)?.key === operation.key,
  );
  const [best] = found.toSorted(
    ([, a], [, b]) => Number(b.result?.rows !== undefined) - Number(a.result?.rows !== undefined),
  );
  return best && names.get(best[0]);
}
