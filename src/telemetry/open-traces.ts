import type { CallWatcher } from "../model/call-watch.ts";
import { joinWatchers } from "./join-watchers.ts";
import { loadSdk, type Sdk } from "./traces/load-sdk.ts";
import { readOtelSettings } from "./traces/otel-settings.ts";
import { readSpanSettings } from "./traces/span-settings.ts";
import { watchMeters } from "./traces/watch-meters.ts";
import { watchSpans } from "./traces/watch-spans.ts";
import { within } from "./within.ts";

export interface TracesOptions {
  /** The process's environment: the packages of OpenTelemetry read their part of it themselves. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program's own. */
  readonly version: string;
  /** For the operator. */
  note(line: string): void;
  report(error: unknown): void;
}

export interface Traces {
  /** Makes spans and measures of every call that it is told of. */
  readonly watcher: CallWatcher;
  /** How many spans are given up since the start; absent where none are made. */
  readonly lostSpans?: () => number;
  /** Sends what waits, as far as the collector takes it in a moment. */
  close(): Promise<void>;
}

/** What the collector does not take by then is lost. */
const LAST_TRY_MS = 1_000;

/**
 * Opens OpenTelemetry as the standard variables ask for it; undefined where they ask for nothing that can be had, which is then said. Spans wait in memory up
 * to a bound (`OTEL_BSP_MAX_QUEUE_SIZE`) and are sent beside the calls: a collector that is gone or slow costs no call anything.
 */
export async function openTraces({ env, version, note, report }: TracesOptions): Promise<Traces | undefined> {
  const settings = readOtelSettings(env);
  for (const line of settings.complaints) note(`vitrine: ${line}`);
  if (settings.traces === undefined && settings.metrics === undefined) return undefined;
  const spans = readSpanSettings(env);
  if (settings.traces !== undefined) for (const line of spans.complaints) note(`vitrine: ${line}`);
  const sdk = await loadSdk({ settings, spans, version, note }).catch((error: unknown) => {
    note(`vitrine: ${sayMissing(error)} No traces and metrics are sent.`);
    return undefined;
  });
  if (sdk === undefined) return undefined;
  return {
    watcher: joinWatchers(watchersOf(sdk, settings.propagate), report),
    ...(sdk.queue && { lostSpans: sdk.queue.lost }),
    async close() {
      await within(LAST_TRY_MS, sdk.shutdown());
      sdk.queue?.end();
    },
  };
}

function watchersOf({ api, spans, metrics }: Sdk, propagate: boolean): CallWatcher[] {
  return [
    ...(spans ? [watchSpans(api, spans, propagate)] : []),
    ...(metrics ? [watchMeters(metrics.meter, metrics.histograms)] : []),
  ];
}

function sayMissing(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return "OpenTelemetry could not be opened.";
  return "OTEL_ variables ask for OpenTelemetry, whose packages (optional dependencies, @opentelemetry/…) are not installed.";
}
