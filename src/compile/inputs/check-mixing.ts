import { expressionRoots } from "../../curation/expression.ts";
import type { Input } from "../../model/tool.ts";
import type { Expression, Value } from "../../model/value.ts";
import type { EntryPath, Report } from "../open-report.ts";

/** Kinds whose values cannot carry a query language. */
const PLAIN: ReadonlySet<string> = new Set(["integer", "boolean", "enum"]);

/**
 * Beside other text only pins, integers, booleans and enums may be inserted: free text would reach whatever language the rest of the text
 * is in. A path segment is exempt, since it is escaped whole.
 */
export function checkMixing(
  value: Value,
  at: EntryPath,
  inputs: ReadonlyMap<string, Pick<Input, "type" | "identified">>,
  report: Report,
): void {
  switch (value.kind) {
    case "text":
      for (const part of value.parts) {
        const free = typeof part === "string" ? undefined : freeText(part, inputs);
        if (free !== undefined)
          report.add(
            "error",
            "free_text_in_text",
            at,
            `\`${free}\` is free text, which cannot stand beside other text.`,
            "Send it whole to a place of its own, give the input an `enum` or a number's `type`, or use `filter`.",
          );
      }
      return;
    case "object":
      for (const [, entry] of value.entries) checkMixing(entry, at, inputs, report);
      return;
    case "list":
      for (const item of value.items) checkMixing(item, at, inputs, report);
      return;
    case "literal":
    case "expression":
      return;
    default:
      value satisfies never;
  }
}

/** What in an expression may be free text: an input of another kind, or anything that is computed. */
function freeText(
  expression: Expression,
  inputs: ReadonlyMap<string, Pick<Input, "type" | "identified">>,
): string | undefined {
  const reads = expressionRoots(expression);
  if (reads.length > 0 && reads.every(({ root }) => root === "pins" || root === "env")) return undefined;
  const name = wholeInput(expression);
  const input = name === undefined ? undefined : inputs.get(name);
  const kind = (input?.identified ?? input)?.type.kind;
  // An input that does not exist is a finding of its own.
  if (name !== undefined && kind === undefined) return undefined;
  return kind !== undefined && PLAIN.has(kind) ? undefined : expression.jmespath;
}

/** The input that an expression is, as in `input.since`; undefined where it is more than that. */
export function wholeInput(expression: Expression): string | undefined {
  return /^\s*(?:\$\s*\.\s*)?input\s*\.\s*([A-Za-z_]\w*)\s*$/.exec(expression.jmespath)?.[1];
}
