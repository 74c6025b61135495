import type { Curation, ToolEntry } from "../../curation/format.ts";
import { type Json, ownValue } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { emittedName, type ToolNames } from "../words/tool-names.ts";

export interface Companion {
  readonly tool: string;
  readonly args?: Readonly<Record<string, Json>> | undefined;
}

export interface CompanionContext {
  readonly curation: Curation;
  readonly names: ToolNames;
}

/** A tool that another one leads to, as callers see it: it exists and takes the arguments. */
export function findCompanion(
  { tool, args = {} }: Companion,
  at: EntryPath,
  { names, curation }: CompanionContext,
  report: Report,
): string {
  const emitted = emittedName(tool, names);
  if (emitted === undefined) {
    const hint = hintFor(nearestNames(tool, [...names.keys()]), [...names.keys()]);
    report.add("error", "unknown_tool_name", [...at, "tool"], `There is no tool \`${tool}\`.`, hint);
    return tool;
  }
  const [name] = [...names].find(([, one]) => one === emitted) ?? [tool];
  const isWhole = !curation.leftOut.some(({ path }) => isOfInputs(path, name));
  const inputs = inputsOf(ownValue(curation.content.tools, name));
  for (const given of Object.keys(args))
    if (isWhole && !inputs.includes(given)) {
      const message = `\`${name}\` has no input \`${given}\`.`;
      const hint = hintFor(nearestNames(given, inputs), inputs);
      report.add("error", "unknown_input", [...at, "args", given], message, hint);
    }
  return emitted;
}

/** The tool, its inputs or one of them. */
function isOfInputs([root, tool, key = "input", , ...inside]: EntryPath, name: string): boolean {
  return root === "tools" && tool === name && key === "input" && inside.length === 0;
}

/** The built-in ones too, where the tool may have them. */
function inputsOf(tool: ToolEntry | undefined): readonly string[] {
  if (tool === undefined) return [];
  const filter = tool.filter !== undefined && tool.filter.hidden !== true ? ["filter"] : [];
  return [...Object.keys(tool.input ?? {}), ...filter, ...(tool.result?.limit === undefined ? [] : ["limit"])];
}
