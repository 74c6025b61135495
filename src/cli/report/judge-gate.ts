import type { CallEvent, Outcome } from "./call-event.ts";

export interface Limits {
  /** From 0 to 1. */
  readonly maxErrorRate?: number;
  readonly maxP95?: number;
  readonly maxCrashes?: number;
  /** At least 1: nothing was proved where nothing was called. */
  readonly minCalls: number;
}

export interface Tally {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Milliseconds of the calls that a tool answered, in any order. */
  readonly latencies: readonly number[];
  /** Every tool that was seen, also those that do not count here. */
  readonly tools: ReadonlySet<string>;
}

/** Counts the calls of one tool, or of all. */
export function openTally(tool?: string): { add(events: readonly CallEvent[]): void; tally: Tally } {
  const outcomes: Record<Outcome, number> = { ok: 0, tool_error: 0, protocol: 0, crash: 0 };
  const latencies: number[] = [];
  const tools = new Set<string>();
  const add = (events: readonly CallEvent[]): void => {
    for (const event of events) {
      if (event.tool !== null && event.error_channel !== "protocol") tools.add(event.tool);
      if (tool !== undefined && event.tool !== tool) continue;
      outcomes[event.outcome] += 1;
      if (event.outcome === "ok" || event.outcome === "tool_error") latencies.push(event.latency_ms);
    }
  };
  return { add, tally: { outcomes, latencies, tools } };
}

/** What keeps the calls from passing, one line each; none where they pass. */
export function judgeGate({ outcomes, latencies }: Tally, limits: Limits): string[] {
  const calls = outcomes.ok + outcomes.tool_error;
  const p95 = quantile(latencies, 0.95);
  const over: string[] = [];
  if (calls < limits.minCalls) over.push(`calls: ${calls}, at least ${limits.minCalls} are wanted`);
  if (calls > 0 && outcomes.tool_error / calls > (limits.maxErrorRate ?? 1))
    over.push(`tool errors: ${outcomes.tool_error} of ${calls}, over the rate of ${limits.maxErrorRate}`);
  if (p95 !== undefined && p95 > (limits.maxP95 ?? Number.POSITIVE_INFINITY))
    over.push(`p95: ${p95} ms, over ${limits.maxP95} ms`);
  if (outcomes.crash > (limits.maxCrashes ?? Number.POSITIVE_INFINITY))
    over.push(`crashes: ${outcomes.crash}, over ${limits.maxCrashes}`);
  return over;
}

/** Exactly `tool_error_rate=0.143 (2/14)`; `NaN` where no tool answered. */
export function rateLine({ outcomes }: Tally): string {
  const calls = outcomes.ok + outcomes.tool_error;
  const rate = calls === 0 ? "NaN" : (outcomes.tool_error / calls).toFixed(3);
  return `tool_error_rate=${rate} (${outcomes.tool_error}/${calls})`;
}

/** A value that occurred (the nearest rank, as `quantile_disc` of SQL); undefined where there is none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const rank = values.length - Math.floor(values.length - share * values.length);
  return Float64Array.from(values).sort()[Math.max(rank, 1) - 1];
}
