import { setTimeout as wait } from "node:timers/promises";
import { sumMetrics } from "../../telemetry/sum-metrics.ts";
import type { WorkerAnswers } from "./messages.ts";
import type { Channel } from "./open-channel.ts";

export interface Gathering {
  /** Of all workers that are there, and of those that were as far as they were asked: a count never goes back. */
  text(): Promise<string>;
  /** Its worker has ended. */
  left(channel: Channel<WorkerAnswers>): void;
}

const LATEST_MS = 1_000;

/** Gathers what workers have counted. `channels` are of those that are there now; what one was last known to have counted stands for one that is late. */
export function gatherMetrics(channels: () => readonly Channel<WorkerAnswers>[]): Gathering {
  const known = new Map<Channel<WorkerAnswers>, string>();
  // Asked once more each time, what was asked of one that hangs would pile up.
  const late = new WeakSet<Channel<WorkerAnswers>>();
  let gone: string | undefined;
  return {
    async text() {
      await Promise.all(
        channels().map(async (channel) => {
          if (late.has(channel)) return;
          const asked = channel.ask("metrics").catch(() => undefined);
          const text = await Promise.race([asked, wait(LATEST_MS, undefined, { ref: false })]);
          if (text === undefined) {
            late.add(channel);
            void asked.finally(() => late.delete(channel));
          }
          // One that has left meanwhile is counted among those.
          if (text !== undefined && channels().includes(channel)) known.set(channel, text);
        }),
      );
      return `${sumMetrics([...known.values()], gone)}\n${countOf(channels().length)}`;
    },
    left(channel) {
      const last = known.get(channel);
      known.delete(channel);
      if (last !== undefined) gone = sumMetrics([], gone === undefined ? last : sumMetrics([last], gone));
    },
  };
}

function countOf(workers: number): string {
  return `# HELP vitrine_workers Processes that serve, of those that were started for it.\n# TYPE vitrine_workers gauge\nvitrine_workers ${workers}\n`;
}
