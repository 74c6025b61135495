import type { Api, OperationEntry } from "../../model/api.ts";
import { endpointTools } from "../../surface/endpoint-tools.ts";
import { openMeasure } from "../../surface/measure-cost.ts";

/** Up to so many operations are all counted, so that `vitrine tools` says the same; of more the cost is worked out from a sample. */
const MOST_COUNTED = 100;
const SAMPLE = 24;

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
  if (index.length <= MOST_COUNTED) return index;
  return Array.from({ length: SAMPLE }, (_, at) => index[Math.floor(((at + 0.5) * index.length) / SAMPLE)]!);
}
