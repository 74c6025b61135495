import type { ResultEntry, ToolEntry } from "../../curation/format.ts";
import type { ListCall } from "../lists/build-list.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { OpenStep } from "./open-steps.ts";

/** What a workflow replies: what its result says over the roots, or else what its last step gives. */
export function resultOf(
  { result: written = {} }: ToolEntry,
  steps: readonly OpenStep[],
  at: EntryPath,
  report: Report,
): ResultEntry {
  const here = [...at, "result"];
  const { all, ...result } = written;
  if (all !== undefined) {
    const message = "`all` reads the pages of one request, and here several are sent.";
    report.add("error", "conflicting_keys", [...here, "all"], message, "Write it on the step that reads the list.");
  }
  if (result.rows !== undefined || result.value !== undefined) return result;
  if (result.fields !== undefined) {
    const message = "`fields` needs rows: a reply of several steps has no body of its own.";
    report.add(
      "error",
      "needs_rows",
      [...here, "fields"],
      message,
      "Say in `rows` where the list is, or write `value`.",
    );
  }
  const { fields: _fields, ...rest } = result;
  const last = steps.at(-1)?.entry.id;
  return last === undefined ? rest : { ...rest, value: `steps.${last}` };
}

/** The list of a workflow is there whole, once its steps have run; a caller goes on in it by running them again. */
export function flowList(safe: boolean, report: Report): ListCall {
  return {
    operation: "the steps",
    unpaged: true,
    made: true,
    goesOn: safe,
    filtered: false,
    aggregate: (_total, at) => {
      const message = "A request of its own gives the total of one other request, and here several are sent.";
      const hint = "Send it in a step, and read it with `count`; or add the rows up with `walk`.";
      report.add("error", "conflicting_keys", at, message, hint);
      return undefined;
    },
  };
}
