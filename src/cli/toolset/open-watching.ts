import type { CallWatcher } from "../../model/call-watch.ts";
import type { Traces } from "../../telemetry/open-traces.ts";
import type { Shell } from "../command.ts";
import { version } from "../version.ts";
import type { EventLog, EventsPlace } from "./open-event-log.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** All that hears of the calls of a server: events, traces and counts. */
export interface Watching {
  /** Absent where nobody asked for any. */
  readonly watcher?: CallWatcher;
  /** What stands at `/metrics`. */
  readonly metrics?: { readonly type: string; text(): string };
  /** By what events call the tools of this toolset; absent where none are written. */
  shaOf?(loaded: LoadedToolset): Promise<string>;
  /** What serving began with is in the cache. */
  settle(): void;
  close(): Promise<void>;
}

interface Asked {
  readonly events?: EventsPlace | undefined;
  /** Whether somebody may ask for what was counted. */
  readonly counts: boolean;
  readonly request: ToolsetRequest;
  readonly shell: Shell;
  report(error: unknown): void;
}

/** Loads what is asked for and nothing else. Throws `UsageError` as `openEventLog`. */
export async function openWatching({ events: place, counts, request, shell, report }: Asked): Promise<Watching> {
  const events = place && (await openEvents(place, { request, shell, report }));
  const traces = asksForTraces(shell.env) ? await openTracesOf(shell, report) : undefined;
  const metrics = counts ? await openCounts(events, traces) : undefined;
  const watchers = [events, metrics, traces].flatMap((one) => (one === undefined ? [] : [one.watcher]));
  return {
    ...(watchers.length > 0 && { watcher: await joinAll(watchers, report) }),
    ...(metrics && { metrics }),
    ...(events && { shaOf: events.shaOf }),
    settle: () => events?.settle(),
    close: async () => void (await Promise.all([events?.close(), traces?.close()])),
  };
}

async function openEvents(...given: Parameters<typeof import("./open-event-log.ts").openEventLog>): Promise<EventLog> {
  const { openEventLog } = await import("./open-event-log.ts");
  return openEventLog(...given);
}

async function openCounts(events: EventLog | undefined, traces: Traces | undefined) {
  const { METRICS_TYPE, openMetrics } = await import("../../telemetry/open-metrics.ts");
  const counted = openMetrics({
    version,
    ...(events && { lostEvents: events.lost }),
    ...(traces?.lostSpans && { lostSpans: traces.lostSpans }),
  });
  return { type: METRICS_TYPE, ...counted };
}

async function openTracesOf({ env, note }: Shell, report: (error: unknown) => void) {
  const { openTraces } = await import("../../telemetry/open-traces.ts");
  return openTraces({ env, version, note, report });
}

function asksForTraces(env: Shell["env"]): boolean {
  return Object.entries(env).some(([name, value]) => name.startsWith("OTEL_") && value !== undefined && value !== "");
}

async function joinAll(watchers: readonly CallWatcher[], report: (error: unknown) => void): Promise<CallWatcher> {
  const [only, ...others] = watchers;
  if (only !== undefined && others.length === 0) return only;
  const { joinWatchers } = await import("../../telemetry/join-watchers.ts");
  return joinWatchers(watchers, report);
}
