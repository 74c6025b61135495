import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { Operation } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import { openTarget } from "../calls/open-target.ts";
import { compileCall } from "../compile-call.ts";
import { listAlternatives, propertyNames, propertyOf } from "../expressions/list-alternatives.ts";
import { UNHEARD } from "../open-report.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import type { CompiledTool, ToolContext } from "../tool-context.ts";
import { CALL } from "./explore-tools.ts";
import { isPaged, wholeEntry } from "./whole-entry.ts";

/** Findings whose entry is an input that the spec leaves open. */
const OPEN_INPUT = new Set(["union_needs_type", "place_needs_type"]);

/**
 * One operation as the tool that sends it for `explore`. Undefined where it cannot be sent: a pin has no place in it (`unpinned` does not count
 * here), what it needs no caller may fill, or the spec breaks it.
 */
export function compileOperation(operation: Operation, context: ToolContext): CompiledTool | undefined {
  const target = openTarget({}, ["tools", CALL], operation, context, UNHEARD);
  const rows = rowsOf(operation, isPaged(target, context), context);
  const tried = rows === undefined ? undefined : attempt(rows);
  return tried ?? attempt(undefined);

  function attempt(where: string | undefined): CompiledTool | undefined {
    const choice = where === undefined ? {} : { rows: where };
    const first = compile(wholeEntry(target, context, { ...choice, open: new Set() }), context);
    const open = first.problems.filter(({ code }) => OPEN_INPUT.has(code)).flatMap(({ file }) => inputNamed(file));
    const outcome =
      open.length === 0 ? first : compile(wholeEntry(target, context, { ...choice, open: new Set(open) }), context);
    return outcome.problems.some(({ severity }) => severity === "error") ? undefined : outcome.compiled;
  }
}

function compile(entry: ToolEntry, context: ToolContext) {
  const { curation } = context;
  const { entities: _, ...content } = curation.content;
  const alone: Curation = {
    ...curation,
    content: { ...content, tools: { [CALL]: entry } },
    leftOut: [],
    // No text holds this entry: a finding names its path in place of a file.
    locate: (path) => ({ file: JSON.stringify(path), line: 1, column: 1 }),
  };
  return compileCall(CALL, entry, { ...context, curation: alone });
}

function inputNamed(file: Problem["file"]): string[] {
  const [tools, , key, name] = JSON.parse(file) as (string | number)[];
  return tools === "tools" && key === "input" && typeof name === "string" ? [name] : [];
}

/** A body that is a list; of an object its only list, where the API pages it. */
function rowsOf(operation: Operation, paged: boolean, { api }: ToolContext): string | undefined {
  const types = listAlternatives(readSuccessBody(operation).schema, api).filter((one) => one.type !== "null");
  const [body, second] = types;
  if (body === undefined || second !== undefined) return undefined;
  if (body.type === "array") return "@";
  if (body.type !== "object" || !paged) return undefined;
  const lists = propertyNames(body).filter((name) => {
    const type = propertyOf(body, name);
    return type !== undefined && listAlternatives(type, api).some((one) => one.type === "array");
  });
  return lists.length === 1 ? JSON.stringify(lists[0]) : undefined;
}
