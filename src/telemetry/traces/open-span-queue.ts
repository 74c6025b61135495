import type { MadeSpan } from "./make-span.ts";
import type { TraceExporter } from "./open-trace-exporter.ts";

type SdkTrace = Pick<typeof import("@opentelemetry/sdk-trace-base"), "BatchSpanProcessor">;

/** Spans on their way to the collector. */
export interface SpanQueue {
  take(span: MadeSpan): void;
  /** How many are given up since the start: no more could wait, or the collector did not take them. */
  lost(): number;
  /** Sends what waits. May take as long as the collector lets it. */
  shutdown(): Promise<void>;
  /** What is not sent now is lost, and that is said. */
  end(): void;
}

const SUCCESS = 0;
const NOTE_EVERY_MS = 60_000;

/**
 * The SDK's own batches. Of spans that find `mostWaiting` others it says nothing where it could be heard, so they are counted here, and the operator is
 * told at most once a minute.
 */
export function openSpanQueue(
  { BatchSpanProcessor }: SdkTrace,
  { exporter, keep }: TraceExporter,
  { mostWaiting, note }: { readonly mostWaiting: number; note(line: string): void },
): SpanQueue {
  let [waiting, underWay, lost, notedAt] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  const counting: TraceExporter["exporter"] = {
    export(spans, done) {
      waiting -= spans.length;
      underWay += spans.length;
      exporter.export(spans, (result) => {
        underWay -= spans.length;
        if (result.code !== SUCCESS) lost += spans.length;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const processor = new BatchSpanProcessor(counting, { maxQueueSize: mostWaiting });
  const drop = (): void => {
    lost += 1;
    const now = performance.now();
    if (now - notedAt < NOTE_EVERY_MS) return;
    notedAt = now;
    note(`vitrine: spans are lost, as ${mostWaiting} wait already (OTEL_BSP_MAX_QUEUE_SIZE).`);
  };
  return {
    take(span) {
      if (waiting >= mostWaiting) {
        drop();
        return;
      }
      waiting += 1;
      processor.onEnd(keep(span));
    },
    lost: () => lost,
    shutdown: () => processor.shutdown(),
    end() {
      lost += waiting + underWay;
      [waiting, underWay] = [0, 0];
      if (lost > 0) note(`vitrine: ${lost} ${lost === 1 ? "span" : "spans"} could not be sent since the start.`);
    },
  };
}
