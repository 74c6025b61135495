import type { Curation, ResultEntry, ToolEntry, ValueEntry } from "../../curation/format.ts";
import type { Api, Operation } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { Said } from "../../model/said.ts";
import type { PortableSchema, Schema } from "../../model/schema.ts";
import type { Shape, ShapeLimits, ValueTemplate } from "../../model/shape.ts";
import type { Input } from "../../model/tool.ts";
import { objectOf } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { buildList, type ListCall, type NamedBody } from "../lists/build-list.ts";
import { type EntryPath, openReport, type Report } from "../open-report.ts";
import type { StepType } from "../steps/step-types.ts";
import { stripHidden } from "../words/plain-text.ts";
import { replaceToolNames, type ToolNames } from "../words/tool-names.ts";
import { type BuiltFields, buildFields } from "./build-fields.ts";
import { buildOutputSchema, type ReplyKind, sayReply } from "./build-output-schema.ts";
import { buildRest } from "./build-rest.ts";
import { readSuccessBody } from "./response-schema.ts";
import { openChecker, type ShapeChecker } from "./shape-checker.ts";

export interface ShapeContext {
  readonly curation: Curation;
  readonly api: Api;
  /** Undefined for `describe_access`, which sends nothing. */
  readonly operation?: Operation;
  /** What is known of the request, where the reply is a list. */
  readonly list?: ListCall;
  /** Of a workflow: what its steps give. The reply is then made of the roots. */
  readonly steps?: readonly StepType[];
  /** All that a caller may set, the built-in ones too. */
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  readonly names: ToolNames;
  readonly structured: boolean;
  /** Whether what is said of the reply is told to its end, for who compares it. */
  readonly comparable: boolean;
}

export interface BuiltShape {
  readonly shape: Shape;
  /** The type of a row, or of the whole reply. */
  readonly shown: Schema;
  /** Absent where the spec says nothing of it. */
  readonly said?: Said;
  /** Absent where the server gives no structured content. */
  readonly output?: PortableSchema;
  readonly problems: readonly Problem[];
}

/** 1 kB is 1,000 bytes (contract section 4). */
const DEFAULT_BUDGET = 25_000;

/** How a tool's body becomes its reply, every expression checked against the spec, and what the reply will look like. */
export function buildShape(tool: ToolEntry, at: EntryPath, context: ShapeContext): BuiltShape {
  const report = openReport(context.curation);
  const { steps } = context;
  const roots = typeRoots(context.inputs, context.pins, steps && { steps });
  const check = openChecker(context.api, report, roots, tool.unchecked === true && steps === undefined);
  const answer = readSuccessBody(context.operation, tool.accept);
  const body = steps === undefined ? answer : { ...answer, schema: roots.schema };
  const label = steps === undefined ? "the body" : "the roots";
  const result = tool.result ?? {};
  const here = [...at, "result"];
  checkNeedsRows(tool, at, check);
  const limits = buildLimits(tool, result);
  const { shape, reply, upstream } = buildKind(
    withToolNames(result, here, context.names, report),
    here,
    { schema: body.schema, label },
    limits,
    context.list,
    check,
  );
  const isList = reply.kind === "list";
  const { curation, names } = context;
  const companions = { curation, names, body: body.schema, label, isList };
  const shown = reply.kind === "list" ? reply.row : reply.type;
  // Told to callers, or to who compares it; else nobody hears of it.
  const said = context.structured || context.comparable ? sayReply(reply, upstream, context) : {};
  const rest = result.rest && buildRest(result.rest, [...here, "rest"], { ...companions, shown }, check);
  return {
    shape: rest === undefined ? shape : { ...shape, rest },
    shown,
    ...(Object.keys(said).length > 0 && { said }),
    ...(context.structured && { output: buildOutputSchema(reply, said, body) }),
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
  /** Of columns in the upstream's own form: what the spec says of them. */
  readonly upstream?: BuiltFields["upstream"];
}

function buildKind(
  result: ResultEntry,
  at: EntryPath,
  body: NamedBody,
  limits: ShapeLimits,
  list: ListCall | undefined,
  check: ShapeChecker,
): Kind {
  if (result.rows !== undefined) return buildList(result, result.rows, at, body, limits, list, check);
  if (result.value !== undefined) {
    const { template, type, entries } = buildValue(result.value, [...at, "value"], body, check);
    return { shape: { kind: "value", value: template, ...limits }, reply: { kind: "value", type, columns: entries } };
  }
  if (result.fields === undefined)
    return { shape: { kind: "object", ...limits }, reply: { kind: "object", type: body.schema, columns: 0 } };
  const built = buildFields(result.fields, [...at, "fields"], body.schema, body.label, check);
  for (const [name] of built.columns) checkRootName(name, [...at, "fields", name], check);
  return {
    shape: { kind: "object", fields: built.fields, ...limits },
    reply: { kind: "object", type: objectOf(built.columns), columns: built.columns.length },
    upstream: built.upstream,
  };
}

interface BuiltValue {
  readonly template: ValueTemplate;
  readonly type: Schema;
  /** How many names the author gave. */
  readonly entries: number;
}

function buildValue(entry: ValueEntry, at: EntryPath, body: NamedBody, check: ShapeChecker): BuiltValue {
  const build = (one: ValueEntry, here: EntryPath): BuiltValue => {
    if (typeof one === "string") {
      const expression = { jmespath: one };
      const type = check.typeOf(expression, here, body.schema, body.label);
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
function checkNeedsRows({ result = {}, pages }: ToolEntry, at: EntryPath, check: ShapeChecker): void {
  if (result.rows !== undefined) return;
  const needs = (key: string, here: EntryPath) => {
    const message = `\`${key}\` is about rows, and this result has none.`;
    check.report.add("error", "needs_rows", here, message, "Say in `rows` where the list is.");
  };
  for (const key of ABOUT_ROWS) if (result[key] !== undefined) needs(key, [...at, "result", key]);
  if (pages !== undefined && pages !== "none") needs("pages", [...at, "pages"]);
}

const ABOUT_ROWS = ["search", "all", "group", "order", "totals", "limit", "emptyNote"] as const;
