import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { Schema } from "../../model/schema.ts";
import type { ErrorRule, Input } from "../../model/tool.ts";
import { ANY, NUMBER, objectOf, orNull, STRING } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { type EntryPath, openReport } from "../open-report.ts";
import { stripHidden } from "../words/plain-text.ts";
import { replaceToolNames, type ToolNames } from "../words/tool-names.ts";
import { openChecker } from "./shape-checker.ts";

export interface ErrorContext {
  readonly curation: Curation;
  readonly api: Api;
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  readonly names: ToolNames;
}

/** What `when` of an error rule reads: the upstream's answer, its own code and words, and its body whatever it is. */
const ANSWER: Schema = objectOf([
  ["status", NUMBER],
  ["code", orNull({ anyOf: [STRING, NUMBER] })],
  ["message", orNull(STRING)],
  ["body", ANY],
]);

/** The tool's table of errors, in its order, with tool names as callers see them. */
export function buildErrors(
  tool: ToolEntry,
  at: EntryPath,
  context: ErrorContext,
): { readonly errors: readonly ErrorRule[]; readonly problems: readonly Problem[] } {
  const report = openReport(context.curation);
  const check = openChecker(context.api, report, typeRoots(context.inputs, context.pins), false);
  const errors = (tool.errors ?? []).map((entry, position): ErrorRule => {
    const here = [...at, "errors", position];
    const { status, when, error } = entry;
    if (when !== undefined) check.typeOf({ jmespath: when }, [...here, "when"], ANSWER, "the answer");
    const recover = replaceToolNames(stripHidden(entry.recover), [...here, "recover"], context.names, report);
    return {
      ...(status !== undefined && { status }),
      ...(when !== undefined && { when: { jmespath: when } }),
      error,
      recover,
    };
  });
  return { errors, problems: report.problems };
}
