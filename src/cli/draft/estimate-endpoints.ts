import type { Api, OperationEntry } from "../../model/api.ts";
import { compareTexts } from "../../model/compare-texts.ts";
import { endpointTools } from "../../surface/endpoint-tools.ts";
import { estimateTokens } from "../../surface/measure-cost.ts";

/** Of more operations the cost is worked out from so many. */
const SAMPLE = 72;
/** By so much an estimate is too high for the prose of most documents. */
const TOO_HIGH = 1.08;

/** About how many tokens a list of one tool for each operation would cost: mostly within a third where there are more than are looked at. */
export function estimateEndpoints(api: Api): number {
  const { index } = api;
  const sample = spread(index);
  let tokens = 0;
  for (const tool of endpointTools({ ...api, index: sample })) tokens += estimateTokens(JSON.stringify(tool));
  return roundTo(sample.length < index.length ? 1 : 2, (tokens / TOO_HIGH / Math.max(1, sample.length)) * index.length);
}

/** Evenly over the methods, and over the paths of each: what sends a body costs much more than what reads. */
function spread(index: readonly OperationEntry[]): readonly OperationEntry[] {
  if (index.length <= SAMPLE) return index;
  const sorted = index.toSorted((a, b) => compareTexts(a.method, b.method) || compareTexts(a.path, b.path));
  return Array.from({ length: SAMPLE }, (_, at) => sorted[Math.floor(((at + 0.5) * sorted.length) / SAMPLE)]!);
}

/** To so many digits. */
function roundTo(digits: number, value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) + 1 - digits);
  return Math.round(value / step) * step;
}
