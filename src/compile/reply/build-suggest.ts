import { parseValue, ROOTS, valueRoots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { PortableSchema, Schema } from "../../model/schema.ts";
import type { Shape } from "../../model/shape.ts";
import type { Input, Suggestion } from "../../model/tool.ts";
import { listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { ANY, BOOLEAN, listOf, NUMBER, objectOf, orNull, STRING } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { StepType } from "../steps/step-types.ts";
import { stripHidden } from "../words/plain-text.ts";
import { replaceToolNames } from "../words/tool-names.ts";
import { wrapped } from "./build-output-schema.ts";
import { type CompanionContext, findCompanion } from "./find-companion.ts";
import { openChecker } from "./shape-checker.ts";

export interface SuggestContext extends CompanionContext {
  readonly api: Api;
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  /** Of a workflow: what its steps give. */
  readonly steps?: readonly StepType[];
  readonly shape: Shape;
  /** The type of a row, or of the whole reply. */
  readonly shown: Schema;
}

type Entry = NonNullable<ToolEntry["suggest"]>[number];

/** The calls that a reply may propose: the tools exist and take the arguments, and what is read of the reply is there. */
export function buildSuggest(
  { suggest = [], unchecked = false }: ToolEntry,
  at: EntryPath,
  context: SuggestContext,
  report: Report,
): readonly Suggestion[] {
  if (suggest.length === 0) return [];
  const { api, inputs, pins, steps = [], shape, shown } = context;
  const isList = shape.kind === "list";
  const reply = isList ? listType(shown) : wrapped(shown, api);
  if (!isList) checkNext(reply, [...at, "suggest"], api, report);
  const item = isList ? shown : reply;
  const check = openChecker(api, report, typeRoots(inputs, pins, { steps, item: unchecked ? ANY : item }), unchecked);
  return suggest.map((entry, position) => {
    const here = [...at, "suggest", position];
    const { when, why, args = {} } = entry;
    if (when !== undefined) check.typeOf({ jmespath: when }, [...here, "when"], reply, "the reply");
    const said = replaceToolNames(stripHidden(why), [...here, "why"], context.names, report);
    return {
      tool: findCompanion(entry, here, context, report),
      args: Object.entries(args).map(([name, value]) => [name, check.readValue(value, [...here, "args", name]).value]),
      ...(when !== undefined && { when: { jmespath: when } }),
      why: said.replace(/\s*\n\s*/g, " ").trim(),
      ...(isList && readsItem(entry) && { ofItem: true as const }),
    };
  });
}

function listType(row: Schema): Schema {
  return objectOf([
    ["summary", ANY],
    ["other", ANY],
    ["rowCount", NUMBER],
    ["hasMore", BOOLEAN],
    ["nextPageToken", orNull(STRING)],
    ["note", orNull(STRING)],
    ["appliedFilter", ANY],
    ["omitted", orNull(listOf(ANY))],
    ["data", listOf(row)],
  ]);
}

/** Suggestions stand beside an object's own names. */
function checkNext(reply: Schema, at: EntryPath, api: Api, report: Report): void {
  if (!listAlternatives(reply, api).some((one) => propertyNames(one).includes("next"))) return;
  const message = "The reply has a `next` of its own, which is where suggestions stand.";
  report.add("error", "reserved_name", at, message, "Choose the reply's fields, and call that one otherwise.");
}

function readsItem({ args = {} }: Entry): boolean {
  const { value } = parseValue(args, ROOTS.item);
  return value !== undefined && valueRoots(value).some(({ root }) => root === "item");
}

/** What such a tool's reply may hold as well, where it stands on the wire. Beside an upstream's own names ours have no type. */
export function withNext(output: PortableSchema, isList: boolean): PortableSchema {
  const { data, ...others } = output.properties ?? {};
  if (!isList) return { ...output, properties: { ...output.properties, next: {} } };
  const next: PortableSchema = {
    type: "array",
    description: "Calls that make sense now.",
    items: {
      type: "object",
      properties: { tool: { type: "string" }, args: { type: "object" }, why: { type: "string" } },
    },
  };
  return { ...output, properties: { ...others, next, ...(data !== undefined && { data }) } };
}
