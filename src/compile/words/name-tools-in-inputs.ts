import type { ToolEntry } from "../../curation/format.ts";
import { ownValue } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { stripHidden } from "./plain-text.ts";
import { replaceToolNames, type ToolNames } from "./tool-names.ts";

/** What an author says of an input leads to tools by the names that callers see; what a spec says of one knows of no tools. */
export function nameToolsInInputs(
  inputs: readonly Input[],
  tool: ToolEntry,
  at: EntryPath,
  names: ToolNames,
  report: Report,
): Input[] {
  return inputs.map((input) => {
    const { description } = input.type;
    if (description === undefined || ownValue(tool.input ?? {}, input.name)?.describe === undefined) return input;
    const here = [...at, "input", input.name, "describe"];
    const named = replaceToolNames(stripHidden(description), here, names, report);
    return { ...input, type: { ...input.type, description: named } };
  });
}
