import { setImmediate as turn } from "node:timers/promises";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { measureList, openMeasure } from "../../surface/measure-cost.ts";
import type { Cost, PageClient } from "../../web/page-data.ts";
import { listClients } from "./list-clients.ts";

/** What is measured for the page: a tool list, or the tokens of a text. */
export type MeasureJob =
  | { readonly kind: "list"; readonly seen: Toolset }
  | { readonly kind: "tokens"; readonly text: string };

export interface MeasuredList {
  readonly list: Cost;
  /** In the order of the list. */
  readonly tools: readonly Cost[];
  readonly instructions: Cost;
  readonly clients: readonly PageClient[];
}

export function measurePage(job: MeasureJob): Promise<MeasuredList | number> {
  return job.kind === "list" ? measureTools(job.seen) : countTokens(job.text);
}

async function measureTools(seen: Toolset): Promise<MeasuredList> {
  const { tools, server } = exposeToolset(seen);
  const costs = await measureList(tools.map((tool) => listedTool(tool, server.structured)));
  const cost = await openMeasure();
  return { ...costs, instructions: cost(server.instructions), clients: await listClients(seen) };
}

/** Characters that are counted at a time: some milliseconds. */
const PIECE = 16_384;

/** Of a long text piece by piece, for whoever shares the thread; where two pieces meet a token may count twice. */
async function countTokens(text: string): Promise<number> {
  const measure = await openMeasure();
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await turn();
    tokens += measure(text.slice(at, at + PIECE)).tokens;
  }
  return tokens;
}
