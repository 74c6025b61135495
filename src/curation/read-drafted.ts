import { isJsonObject, type JsonObject } from "../model/json.ts";
import { checkEntries } from "./check-entries.ts";
import { checkExpressions } from "./check-expressions.ts";
import type { Curation, CurationFile } from "./format.ts";
import { bytesOf } from "./measure-text.ts";

/**
 * A curation that our own drafting made, whose shape nobody has to judge: loading what judges it takes as long as reading a small document. What the
 * format's schema would make of it is made here. A mistake in its entries or expressions is a defect of ours, and thrown.
 */
export function readDrafted(file: string, value: JsonObject): Curation {
  const [found] = [...checkEntries(value), ...checkExpressions(value)];
  if (found !== undefined) throw new Error(`The draft is no curation: ${found.code}: ${found.message}`);
  const tools = Object.entries(value["tools"] as JsonObject).map(([name, tool]) => [
    name,
    readTool(tool as JsonObject),
  ]);
  const content = { ...value, tools: Object.fromEntries(tools) } as unknown as CurationFile;
  return { file, content, leftOut: [], sha256: "", locate: () => ({ file, line: 1, column: 1 }) };
}

function readTool(tool: JsonObject): JsonObject {
  const { result } = tool;
  if (!isJsonObject(result) || typeof result.budget !== "string") return tool;
  return { ...tool, result: { ...result, budget: bytesOf(result.budget) } };
}
