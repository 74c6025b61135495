import type { Api, OperationEntry } from "../../model/api.ts";
import { measureRequests } from "../../spec/measure-requests.ts";
import { endpointTools } from "../../surface/endpoint-tools.ts";

/** Of more operations of a kind the cost is worked out from so many: what sends a body differs much more than what reads. */
const SAMPLE = { reads: 12, sends: 36 };
/** Characters of a converter's tools for a token: of published documents between 3.9 and 4.9. */
const TOKEN = 4.4;
/** Characters that a tool has around its words and its inputs. */
const FRAME = 68;

/** About how many tokens a list of one tool for each operation would cost: mostly within a quarter where there are more than are looked at. */
export function estimateEndpoints(api: Api): number {
  const byMethod = api.index.toSorted((a, b) => (a.method < b.method ? -1 : Number(a.method > b.method)));
  const sends = byMethod.filter(({ method }) => SENDS.test(method));
  const reads = byMethod.filter(({ method }) => !SENDS.test(method));
  if (sends.length <= SAMPLE.sends && reads.length <= SAMPLE.reads) return roundTo(2, countAll(api) / TOKEN);
  return roundTo(1, (estimateAll(sends, SAMPLE.sends, api) + estimateAll(reads, SAMPLE.reads, api)) / TOKEN);
}

const SENDS = /^(POST|PUT|PATCH)$/;

/** Characters of the tools of all operations. */
function countAll(api: Api): number {
  let characters = 0;
  for (const tool of endpointTools(api)) characters += JSON.stringify(tool).length;
  return characters;
}

/** The same of these operations, about, from so many of them. */
function estimateAll(entries: readonly OperationEntry[], most: number, api: Api): number {
  const sample = spread(entries, most);
  const words = sample.map(({ id, key, summary = "" }) => (id ?? key).length + summary.length + FRAME);
  const characters = words.reduce((sum, one) => sum + one, measureRequests(api, sample));
  return (characters / Math.max(1, sample.length)) * entries.length;
}

/** Evenly over them. */
function spread(entries: readonly OperationEntry[], most: number): readonly OperationEntry[] {
  if (entries.length <= most) return entries;
  return Array.from({ length: most }, (_, at) => entries[Math.floor(((at + 0.5) * entries.length) / most)]!);
}

/** To so many digits. */
function roundTo(digits: number, value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) + 1 - digits);
  return Math.round(value / step) * step;
}
