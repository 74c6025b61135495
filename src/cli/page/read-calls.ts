import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { PageCalls, PageToolCalls } from "../../web/page-data.ts";
import { quantile } from "../report/judge-gate.ts";
import { type PlacedEvent, readEvents } from "../report/read-events.ts";

const MOST_TOOLS = 40;
const BUCKETS = 48;
/** Whole times, so that a bucket can be named. */
const BUCKET_MS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400, 604_800].map((s) => s * 1_000);

/** Reads the charts off an events file; it is read again only where it has grown. `isTool`: whether a name is one of a tool. */
export function openCalls(file: string, isTool: (name: string) => boolean): () => Promise<PageCalls> {
  let known: { readonly mark: string; readonly calls: Promise<PageCalls> } | undefined;
  return async () => {
    const found = await stat(file).catch(() => undefined);
    const mark = found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (known?.mark !== mark) known = { mark, calls: found === undefined ? NONE : readCalls(file, isTool) };
    return known.calls;
  };
}

const NONE: Promise<PageCalls> = Promise.resolve({
  from: null,
  to: null,
  bucketMs: 1_000,
  tools: [],
  lost: 0,
  faulty: 0,
  isPart: false,
});

interface Call {
  readonly tool: string | null;
  readonly at: number;
  readonly ms: number;
  readonly isOk: boolean;
  readonly isAnswered: boolean;
  readonly bytesOut: number;
  readonly bytesUpstream: number;
}

async function readCalls(file: string, isTool: (name: string) => boolean): Promise<PageCalls> {
  const calls: Call[] = [];
  const reading = await readEvents([file], (events) => {
    for (const event of events) calls.push(callOf(event, isTool));
  });
  const { lost, faulty } = reading;
  const isPart = existsSync(`${file}.1`);
  if (calls.length === 0) return { ...(await NONE), lost, faulty: faulty.count, isPart };
  const times = calls.map(({ at }) => at);
  const [from, to] = [least(times), -least(times.map((at) => -at))];
  const bucketMs = BUCKET_MS.find((ms) => (to - from) / ms < BUCKETS) ?? Math.ceil((to - from + 1) / BUCKETS);
  const start = Math.floor(from / bucketMs) * bucketMs;
  const byTool = [...groupBy(calls, ({ tool }) => tool)].toSorted(([, a], [, b]) => b.length - a.length);
  const size = Math.floor((to - start) / bucketMs) + 1;
  return {
    from: new Date(start).toISOString(),
    to: new Date(to).toISOString(),
    bucketMs,
    tools: byTool.slice(0, MOST_TOOLS).map(([tool, own]) => countTool(tool, own, { start, bucketMs, size })),
    lost,
    faulty: faulty.count,
    isPart,
  };
}

function callOf(event: PlacedEvent, isTool: (name: string) => boolean): Call {
  const { tool, ts, latency_ms: ms, outcome, bytes_out: bytesOut, bytes_upstream: bytesUpstream } = event;
  return {
    // Whatever else a caller wrote in a tool's place is its own text.
    tool: tool !== null && isTool(tool) ? tool : null,
    at: Date.parse(ts),
    ms,
    isOk: outcome === "ok",
    isAnswered: outcome === "ok" || outcome === "tool_error",
    bytesOut: bytesOut ?? 0,
    bytesUpstream: bytesUpstream ?? 0,
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
