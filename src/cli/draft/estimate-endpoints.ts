import type { Api, OperationEntry } from "../../model/api.ts";
import { endpointTools } from "../../surface/endpoint-tools.ts";

/** Of more operations the cost is worked out from so many. */
const SAMPLE = 72;
/** Characters of a converter's tools for a token: of published documents between 3.9 and 4.9. */
const TOKEN = 4.4;

/** About how many tokens a list of one tool for each operation would cost: mostly within a third where there are more than are looked at. */
export function estimateEndpoints(api: Api): number {
  const { index } = api;
  const sample = spread(index);
  let characters = 0;
  const { read, resolve } = api;
  for (const tool of endpointTools({ index: sample, read, resolve })) characters += JSON.stringify(tool).length;
  const tokens = (characters / TOKEN / Math.max(1, sample.length)) * index.length;
  return roundTo(sample.length < index.length ? 1 : 2, tokens);
}

/** Evenly over the methods, and over the operations of each as they stand: what sends a body costs much more than what reads. */
function spread(index: readonly OperationEntry[]): readonly OperationEntry[] {
  if (index.length <= SAMPLE) return index;
  const byMethod = new Map<string, OperationEntry[]>();
  for (const entry of index) {
    const found = byMethod.get(entry.method);
    if (found === undefined) byMethod.set(entry.method, [entry]);
    else found.push(entry);
  }
  const all = [...byMethod.values()].flat();
  return Array.from({ length: SAMPLE }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / SAMPLE)]!);
}

/** To so many digits. */
function roundTo(digits: number, value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) + 1 - digits);
  return Math.round(value / step) * step;
}
