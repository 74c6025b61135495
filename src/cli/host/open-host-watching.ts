import type { CallWatcher } from "../../model/call-watch.ts";
import { joinWatchers } from "../../telemetry/join-watchers.ts";
import { openEvents } from "../../telemetry/open-events.ts";
import { type AskedGauge, METRICS_TYPE, openMetrics } from "../../telemetry/open-metrics.ts";
import { openTraces } from "../../telemetry/open-traces.ts";
import { version } from "../version.ts";

/** All that hears of the calls of a host: events, counts and traces. */
export interface HostWatching {
  /** For the calls of one caller. */
  watch(callerId: string): CallWatcher;
  readonly metrics: { readonly type: string; text(): string };
  close(): Promise<void>;
}

interface Asked {
  /** The events file. */
  readonly events: string | undefined;
  readonly gauges: readonly AskedGauge[];
  readonly env: Readonly<Record<string, string | undefined>>;
  note(line: string): void;
  report(error: unknown): void;
}

const EVENTS_MAX_BYTES = 64_000_000;

export async function openHostWatching({ events: file, gauges, env, note, report }: Asked): Promise<HostWatching> {
  const events = file === undefined ? undefined : openEvents({ file, maxBytes: EVENTS_MAX_BYTES, note });
  const traces = await openTraces({ env, version, note, report });
  const metrics = openMetrics({
    version,
    gauges,
    ...(events !== undefined && { lostEvents: events.lost }),
    ...(traces?.lostSpans && { lostSpans: traces.lostSpans }),
  });
  const common = [metrics.watcher, ...(traces === undefined ? [] : [traces.watcher])];
  return {
    watch: (callerId) => joinWatchers([...(events === undefined ? [] : [events.watcher(callerId)]), ...common], report),
    metrics: { type: METRICS_TYPE, text: metrics.text },
    close: async () => void (await Promise.all([events?.close(), traces?.close()])),
  };
}
