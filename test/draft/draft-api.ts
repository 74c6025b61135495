import { type Draft, type DraftOptions, draftCuration } from "../../src/draft/draft-curation.ts";
import type { Api } from "../../src/model/api.ts";
import { exposeToolset } from "../../src/model/group/expose-toolset.ts";
import { listedTool } from "../../src/model/listed-tool.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { checkLint } from "../../src/surface/lint/check-lint.ts";
import { measureList } from "../../src/surface/measure-cost.ts";
import { openSpec } from "../spec/open-spec.ts";

/** The tokens of the whole list of tools, and of each. */
export async function costOf(
  toolset: Toolset,
): Promise<{ readonly list: number; readonly tools: ReadonlyMap<string, number> }> {
  const { tools, server } = exposeToolset(toolset);
  const cost = await measureList(tools.map((tool) => listedTool(tool, server.structured)));
  return { list: cost.list.tokens, tools: new Map(tools.map(({ name }, at) => [name, cost.tools[at]!.tokens])) };
}

export function draftApi(api: Api, options: Partial<DraftOptions> = {}): Promise<Draft> {
  return draftCuration(api, { spec: "./spec.json", ...options }, { cost: costOf, lint: checkLint });
}

/** The draft of a document in a file. */
export async function draftFile(file: string): Promise<Draft> {
  return draftApi(await loadApi(file, {}));
}

/** The draft of a document that is written out. */
export async function draftText(document: object): Promise<Draft> {
  return draftApi(await openSpec(document));
}
