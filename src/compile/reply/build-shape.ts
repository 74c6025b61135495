import type { Curation, ResultEntry, ToolEntry, ValueEntry } from "../../curation/format.ts";
import type { Api, Operation } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { PortableSchema, Schema } from "../../model/schema.ts";
import type { Input, Shape, ShapeLimits, ValueTemplate } from "../../model/tool.ts";
import { isOpen, listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf, objectOf } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { type EntryPath, openReport, type Report } from "../open-report.ts";
import { stripHidden } from "../words/plain-text.ts";
import { replaceToolNames, type ToolNames } from "../words/tool-names.ts";
import { type BuiltFields, buildFields } from "./build-fields.ts";
import { buildOrder, type Columns } from "./build-order.ts";
import { buildOutputSchema, type ReplyKind } from "./build-output-schema.ts";
import { readSuccessBody } from "./response-schema.ts";
import { openChecker, type ShapeChecker } from "./shape-checker.ts";

export interface ShapeContext {
  readonly curation: Curation;
  readonly api: Api;
  /** Undefined for `describe_access`, which sends nothing. */
  readonly operation?: Operation;
  /** All that a caller may set, the built-in ones too. */
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  readonly names: ToolNames;
  readonly structured: boolean;
}

export interface BuiltShape {
  readonly shape: Shape;
  /** Absent where the server gives no structured content. */
  readonly output?: PortableSchema;
  readonly problems: readonly Problem[];
}

/** 1 kB is 1,000 bytes (contract section 4). */
const DEFAULT_BUDGET = 25_000;

/** How a tool's body becomes its reply, every expression checked against the spec, and what the reply will look like. */
export function buildShape(tool: ToolEntry, at: EntryPath, context: ShapeContext): BuiltShape {
  const report = openReport(context.curation);
  const check = openChecker(context.api, report, typeRoots(context.inputs, context.pins), tool.unchecked === true);
  const body = readSuccessBody(context.operation, tool.accept);
  const result = tool.result ?? {};
  const here = [...at, "result"];
  checkNeedsRows(result, here, check);
  const limits = buildLimits(tool, result);
  const { shape, reply } = buildKind(
    withToolNames(result, here, context.names, report),
    here,
    body.schema,
    limits,
    check,
  );
  return {
    shape,
    ...(context.structured && { output: buildOutputSchema(reply, body, context.api) }),
    problems: report.problems,
  };
}

function withToolNames(result: ResultEntry, at: EntryPath, names: ToolNames, report: Report): ResultEntry {
  if (result.emptyNote === undefined) return result;
  const emptyNote = replaceToolNames(stripHidden(result.emptyNote), [...at, "emptyNote"], names, report);
  return { ...result, emptyNote };
}

interface Kind {
  readonly shape: Shape;
  readonly reply: ReplyKind;
}

function buildKind(result: ResultEntry, at: EntryPath, body: Schema, limits: ShapeLimits, check: ShapeChecker): Kind {
  if (result.rows !== undefined) return buildList(result, result.rows, at, body, limits, check);
  if (result.value !== undefined) {
    const { template, type, entries } = buildValue(result.value, [...at, "value"], body, check);
    return { shape: { kind: "value", value: template, ...limits }, reply: { kind: "value", type, columns: entries } };
  }
  const built = fieldsOf(result, at, body, "the body", check);
  if (built === undefined)
    return { shape: { kind: "object", ...limits }, reply: { kind: "object", type: body, columns: 0 } };
  for (const [name] of built.columns) checkRootName(name, [...at, "fields", name], check);
  return {
    shape: { kind: "object", fields: built.fields, ...limits },
    reply: { kind: "object", type: objectOf(built.columns), columns: built.columns.length },
  };
}

function buildList(
  result: ResultEntry,
  rows: string,
  at: EntryPath,
  body: Schema,
  limits: ShapeLimits,
  check: ShapeChecker,
): Kind {
  const type = check.typeOf({ jmespath: rows }, [...at, "rows"], body, "the body");
  const row = elementsOf(check.meantType({ jmespath: rows }, body) ?? type, check.api) ?? ANY;
  if (elementsOf(type, check.api) === undefined) reportNoList(rows, type, [...at, "rows"], check);
  const built = fieldsOf(result, at, row, "a row", check);
  const order = buildOrder(result.order, [...at, "order"], columnsOf(built, row, check), check);
  const search = result.search === undefined ? undefined : check.readValue(result.search, [...at, "search"]).value;
  const shape: Shape = {
    kind: "list",
    rows: { jmespath: rows },
    ...(built !== undefined && { fields: built.fields }),
    ...(search !== undefined && { search }),
    ...(order !== undefined && { order }),
    ...(result.limit !== undefined && { limit: result.limit }),
    ...(result.emptyNote !== undefined && { emptyNote: result.emptyNote }),
    ...limits,
  };
  const shown = built === undefined ? row : objectOf(built.columns);
  return { shape, reply: { kind: "list", row: shown, columns: built?.fields.length ?? 0 } };
}

function fieldsOf(result: ResultEntry, at: EntryPath, row: Schema, label: string, check: ShapeChecker) {
  return result.fields === undefined ? undefined : buildFields(result.fields, [...at, "fields"], row, label, check);
}

function columnsOf(built: BuiltFields | undefined, row: Schema, check: ShapeChecker): Columns {
  if (built !== undefined) return { names: built.columns.map(([name]) => name), spreads: built.spreads, open: false };
  const alternatives = listAlternatives(row, check.api);
  return { names: alternatives.flatMap(propertyNames), spreads: false, open: alternatives.some(isOpen) };
}

function reportNoList(rows: string, type: Schema, at: EntryPath, check: ShapeChecker): void {
  const types = listAlternatives(type, check.api).filter((one) => one.type !== "null");
  const inside = types.flatMap(propertyNames);
  const hint =
    inside.length > 0 ? `It has ${inside.slice(0, 12).join(", ")}.` : "Name the list of the body that holds the rows.";
  check.report.add("error", "rows_not_a_list", at, `\`${rows}\` is never a list.`, hint);
}

interface BuiltValue {
  readonly template: ValueTemplate;
  readonly type: Schema;
  /** How many names the author gave. */
  readonly entries: number;
}

function buildValue(entry: ValueEntry, at: EntryPath, body: Schema, check: ShapeChecker): BuiltValue {
  const build = (one: ValueEntry, here: EntryPath): BuiltValue => {
    if (typeof one === "string") {
      const expression = { jmespath: one };
      const type = check.typeOf(expression, here, body, "the body");
      return { template: { kind: "expression", expression }, type, entries: 0 };
    }
    const built = Object.entries(one).map(([name, below]) => [name, build(below, [...here, name])] as const);
    return {
      template: { kind: "object", entries: built.map(([name, { template }]) => [name, template] as const) },
      type: objectOf(built.map(([name, { type }]) => [name, type] as const)),
      entries: built.reduce((sum, [, below]) => sum + 1 + below.entries, 0),
    };
  };
  if (typeof entry !== "string") for (const name of Object.keys(entry)) checkRootName(name, [...at, name], check);
  return build(entry, at);
}

/** What was left out is said beside an object's own names. */
function checkRootName(name: string, at: EntryPath, check: ShapeChecker): void {
  if (name !== "omitted") return;
  check.report.add("error", "reserved_name", at, '"omitted" says what a reply left out.', "Call it something else.");
}

function buildLimits(tool: ToolEntry, result: ResultEntry): ShapeLimits {
  const text = result.text ?? tool.text;
  return { budget: result.budget ?? DEFAULT_BUDGET, ...(text !== undefined && { text }) };
}

/** That other keys exclude each other is seen to when the curation is read. */
function checkNeedsRows(result: ResultEntry, at: EntryPath, check: ShapeChecker): void {
  if (result.rows !== undefined) return;
  for (const key of ["search", "order", "limit", "emptyNote"] as const) {
    const message = `\`${key}\` is about rows, and this result has none.`;
    if (result[key] !== undefined)
      check.report.add("error", "needs_rows", [...at, key], message, "Say in `rows` where the list is.");
  }
}
