import type { Curation, RestEntry } from "../../curation/format.ts";
import type { Schema } from "../../model/schema.ts";
import type { Rest } from "../../model/shape.ts";
import { elementsOf } from "../expressions/type-algebra.ts";
import type { EntryPath } from "../open-report.ts";
import type { ToolNames } from "../words/tool-names.ts";
import { findCompanion } from "./find-companion.ts";
import type { ShapeChecker } from "./shape-checker.ts";

export interface RestContext {
  readonly curation: Curation;
  readonly names: ToolNames;
  /** What `of` reads, and how messages call it. */
  readonly body: Schema;
  readonly label: string;
  /** What paths lead into: the reply, or a row of it. */
  readonly shown: Schema;
  readonly isList: boolean;
}

/** The companions of a summary: the paths exist, the tools too and take the arguments. */
export function buildRest(
  entries: Readonly<Record<string, RestEntry>>,
  at: EntryPath,
  context: RestContext,
  check: ShapeChecker,
): readonly Rest[] {
  return Object.entries(entries).map(([path, entry]) => buildOne(path, entry, [...at, path], context, check));
}

function buildOne(path: string, entry: RestEntry, at: EntryPath, context: RestContext, check: ShapeChecker): Rest {
  const { body, label, shown, isList } = context;
  const { args = {}, max, of } = entry;
  const quoted = path.split(".").map((name) => JSON.stringify(name));
  const type = check.typeOf({ jmespath: quoted.join(".") }, at, shown, isList ? "a row" : "the reply");
  if (max !== undefined || of !== undefined) checkCounts(path, entry, type, at, context, check);
  if (of !== undefined) check.typeOf({ jmespath: of }, [...at, "of"], body, label);
  return {
    path,
    tool: findCompanion(entry, at, context, check.report),
    args: Object.entries(args).map(([name, value]) => [name, check.readValue(value, [...at, "args", name]).value]),
    ...(max !== undefined && { max }),
    ...(of !== undefined && { of: { jmespath: of } }),
  };
}

function checkCounts(
  path: string,
  { max }: RestEntry,
  type: Schema,
  at: EntryPath,
  { isList }: RestContext,
  check: ShapeChecker,
): void {
  if (isList) {
    const here = [...at, max === undefined ? "of" : "max"];
    const message = "How many items a row shows is not said here.";
    check.report.add("error", "not_for_rows", here, message, "Take `max` and `of` out; rows have `limit`.");
  } else if (elementsOf(type, check.api) === undefined) {
    const message = `\`${path}\` is never a list.`;
    check.report.add("error", "rest_not_a_list", at, message, "Name a list of the reply.");
  }
}
