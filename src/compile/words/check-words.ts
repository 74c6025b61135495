import type { ToolEntry } from "../../curation/format.ts";
import type { Problem } from "../../model/problem.ts";
import type { EntryPath } from "../open-report.ts";
import { buildErrors } from "../reply/build-errors.ts";
import type { ToolContext } from "../tool-context.ts";
import { describeTool } from "./describe-tool.ts";

/** Of a tool without an operation only the texts can be looked at. */
export function checkWords(
  name: string,
  entry: ToolEntry,
  at: EntryPath,
  { curation, api, names, pins }: ToolContext,
): Problem[] {
  const inputs = Object.keys(entry.input ?? {}).map((input) => ({
    name: input,
    required: false,
    type: { kind: "json" } as const,
  }));
  const known = { curation, api, names, inputs, pins: pins.map((pin) => pin.name) };
  return [...describeTool(name, entry, at, { curation, names }).problems, ...buildErrors(entry, at, known).problems];
}
