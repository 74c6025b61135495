import type { Api, OperationEntry } from "../../model/api.ts";
import { endpointTools } from "../../surface/endpoint-tools.ts";
import { openMeasure } from "../../surface/measure-cost.ts";

/** Operations that are counted; of more than these the cost is worked out from as many. */
const COUNTED = 24;

/** About how many tokens a list of one tool for each operation would cost. */
export async function estimateEndpoints(api: Api): Promise<number> {
  const { index } = api;
  const sample = spread(index);
  const measure = await openMeasure();
  let tokens = 0;
  for (const tool of endpointTools({ ...api, index: sample })) tokens += measure(JSON.stringify(tool)).tokens;
  if (sample.length === index.length) return tokens;
  const about = (tokens / sample.length) * index.length;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(about)) - 1);
  return Math.round(about / digit) * digit;
}

/** Evenly over the document. */
function spread(index: readonly OperationEntry[]): readonly OperationEntry[] {
  if (index.length <= COUNTED) return index;
  return Array.from({ length: COUNTED }, (_, at) => index[Math.floor(((at + 0.5) * index.length) / COUNTED)]!);
}
