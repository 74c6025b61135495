import { expressionRoots, valueRoots } from "../../curation/expression.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Shape } from "../../model/shape.ts";
import type { ValueSource } from "../../model/tool.ts";
import type { Expression } from "../../model/value.ts";
import type { CallList } from "../calls/draft-call.ts";
import { isOpen, listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { elementsOf } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { type EntryPath, hintFor, type Report, UNHEARD } from "../open-report.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import { openChecker } from "../reply/shape-checker.ts";
import type { CompiledTool, ToolContext } from "../tool-context.ts";
import type { EntityEntry } from "./entity-context.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

/** Reports a tool that is no list, or that has no such column. */
export function checkListing(
  { from, field }: EntityEntry,
  at: EntryPath,
  lister: CompiledTool,
  context: ToolContext,
  report: Report,
): void {
  const { shape } = lister.tool;
  if (shape.kind !== "list") {
    const message = `\`${from}\` has no rows, so it lists nothing.`;
    report.add("error", "not_a_list", [...at, "from"], message, "Name a tool whose `result` has `rows`.");
    return;
  }
  const columns = columnsOf(shape, lister, context);
  if (columns.open || columns.names.includes(field)) return;
  const message = `\`${from}\` has no column "${field}".`;
  const hint = hintFor(nearestNames(field, columns.names), columns.names) ?? "Name it in its `fields`.";
  report.add("error", "unknown_column", [...at, "field"], message, hint);
}

/**
 * The same list without arguments: undefined where it needs some, where conditions of its filter narrow it (they would not hold), or where nothing
 * says what of a row is the identifier. Its request goes to `calls`.
 */
export function bindSource({ field }: EntityEntry, lister: CompiledTool, calls: CallList): ValueSource | undefined {
  const { plan, shape, filter, name, inputs } = lister.tool;
  if (plan.kind !== "call" || shape.kind !== "list" || shape.group !== undefined) return undefined;
  if (filter !== undefined && (filter.always.length > 0 || filter.required === true)) return undefined;
  const draft = lister.calls[plan.call.operation];
  const path = pathOf(field, shape);
  if (draft?.plan.safe !== true || path === undefined) return undefined;
  if ([shape.rows, path].some((one) => expressionRoots(one, "data").some(({ root }) => root === "input")))
    return undefined;
  const { filter: _filter, bindings, ...call } = plan.call;
  const asked = bindings.filter(({ value }) => valueRoots(value).some(({ root }) => root === "input"));
  if (asked.some(({ required }) => required) || inputs.some(({ required }) => required)) return undefined;
  const kept = bindings.filter((one) => !asked.includes(one));
  const { accept, server, body } = draft.plan;
  const choices = { accept, server, safe: true, ...(body !== undefined && { contentType: body.mediaType }) };
  const { operation: _operation, ...rest } = call;
  const bound = calls.add({ ...rest, bindings: kept }, draft.target, choices);
  return { call: bound, rows: shape.rows, field: path, tool: name };
}

/** The path of a column; of rows that are shown as they come, the property of that name. */
function pathOf(field: string, { fields }: ListShape): Expression | undefined {
  if (fields === undefined) return { jmespath: JSON.stringify(field) };
  const column = fields.find((one) => one.kind === "column" && one.name === field);
  return column?.kind === "column" && column.form === undefined ? column.path : undefined;
}

function columnsOf(
  shape: ListShape,
  { tool, calls }: CompiledTool,
  { api, pins }: ToolContext,
): { readonly names: readonly string[]; readonly open: boolean } {
  const { fields, group } = shape;
  if (group !== undefined) {
    const names = group.by.filter((one) => typeof one === "string");
    return { names, open: names.length < group.by.length };
  }
  if (fields !== undefined)
    return { names: fields.flatMap((one) => (one.kind === "column" ? one.name : [])), open: false };
  const operation = tool.plan.kind === "call" ? calls[tool.plan.call.operation]?.target.operation : undefined;
  if (operation === undefined) return { names: [], open: true };
  const roots = typeRoots(
    tool.inputs,
    pins.map(({ name }) => name),
  );
  const check = openChecker(api, UNHEARD, roots, false);
  const row = elementsOf(check.typeOf(shape.rows, [], readSuccessBody(operation).schema, "the body"), api);
  const alternatives = row === undefined ? [] : listAlternatives(row, api);
  return { names: alternatives.flatMap(propertyNames), open: row === undefined || alternatives.some(isOpen) };
}
