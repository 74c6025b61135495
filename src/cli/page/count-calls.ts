import type { PageCalls, PageToolCalls } from "../../web/page-data.ts";
import { quantile } from "../report/judge-gate.ts";

/** A call, as far as charts tell of it. */
export interface Call {
  /** As the events name it: what a caller wrote in a tool's place is its own text. */
  readonly tool: string | null;
  /** In milliseconds of the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly isOk: boolean;
  readonly isAnswered: boolean;
  readonly bytesOut: number;
  readonly bytesUpstream: number;
}

const MOST_TOOLS = 40;
const BUCKETS = 48;
/** Whole times, so that a bucket can be named. */
const BUCKET_MS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400, 604_800].map((s) => s * 1_000);

/** What the charts show of calls: by tool and over time. Those of names that are no tool's are counted together, as null. */
export function countCalls(
  calls: readonly Call[],
  isTool: (name: string) => boolean,
): Pick<PageCalls, "from" | "to" | "bucketMs" | "tools"> {
  if (calls.length === 0) return { from: null, to: null, bucketMs: 1_000, tools: [] };
  const times = calls.map(({ at }) => at);
  const [from, to] = [least(times), -least(times.map((at) => -at))];
  const bucketMs = BUCKET_MS.find((ms) => (to - from) / ms < BUCKETS) ?? Math.ceil((to - from + 1) / BUCKETS);
  const start = Math.floor(from / bucketMs) * bucketMs;
  const nameOf = ({ tool }: Call): string | null => (tool !== null && isTool(tool) ? tool : null);
  const byTool = [...groupBy(calls, nameOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const size = Math.floor((to - start) / bucketMs) + 1;
  return {
    from: new Date(start).toISOString(),
    to: new Date(to).toISOString(),
    bucketMs,
    tools: byTool.slice(0, MOST_TOOLS).map(([tool, own]) => countTool(tool, own, { start, bucketMs, size })),
  };
}

interface Buckets {
  readonly start: number;
  readonly bucketMs: number;
  readonly size: number;
}

function countTool(tool: string | null, calls: readonly Call[], { start, bucketMs, size }: Buckets): PageToolCalls {
  const inBuckets = groupBy(calls, ({ at }) => Math.floor((at - start) / bucketMs));
  return {
    tool,
    calls: calls.length,
    errors: errorsOf(calls),
    p50: answeredWithin(calls, 0.5),
    p95: answeredWithin(calls, 0.95),
    bytesOut: mean(calls.map((one) => one.bytesOut)),
    bytesUpstream: mean(calls.map((one) => one.bytesUpstream)),
    overTime: Array.from({ length: size }, (_, at) => {
      const own = inBuckets.get(at) ?? [];
      return { calls: own.length, errors: errorsOf(own), p95: answeredWithin(own, 0.95) };
    }),
  };
}

function errorsOf(calls: readonly Call[]): number {
  return calls.filter(({ isOk }) => !isOk).length;
}

/** Of the calls that a tool answered, as in `vitrine report`. */
function answeredWithin(calls: readonly Call[], share: number): number | null {
  const times = calls.filter(({ isAnswered }) => isAnswered).map(({ ms }) => ms);
  return quantile(times, share) ?? null;
}

function groupBy<Key>(calls: readonly Call[], keyOf: (call: Call) => Key): ReadonlyMap<Key, readonly Call[]> {
  const groups = new Map<Key, Call[]>();
  for (const call of calls) {
    const key = keyOf(call);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return groups;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
}

/** Of a list that is too long to be spread. */
function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}
