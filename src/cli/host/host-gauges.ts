import type { HostState } from "../../host/shared/open-state.ts";
import type { AskedGauge } from "../../telemetry/open-metrics.ts";
import type { RestingCount } from "./count-resting.ts";

/** What of the host files was served, since the process began. */
export interface Generations {
  /** How many, the first one among them. */
  served: number;
  /** The files as they were read last are served. */
  isLast: boolean;
}

export interface Gauged {
  readonly state: Pick<HostState, "isDegraded" | "replicas">;
  /** Whether anything is shared. */
  readonly isShared: boolean;
  readonly generations: Generations;
  readonly resting: RestingCount;
}

/** What whoever looks after a host wants to know of it, beside its calls. */
export function hostGauges({ state, isShared, generations, resting }: Gauged): readonly AskedGauge[] {
  const one = (name: string, help: string, read: () => number): AskedGauge => {
    return { name, help, labels: [], read: () => [[[], read()]] };
  };
  const shared = [
    one("vitrine_shared_up", "1 while the shared store answers; 0: each replica counts for itself.", () =>
      state.isDegraded() ? 0 : 1,
    ),
    one(
      "vitrine_replicas",
      "Replicas that share a store, this one among them, as far as was last known.",
      state.replicas,
    ),
  ];
  return [
    ...(isShared ? shared : []),
    one(
      "vitrine_generation",
      "How often the host's files were read and served, the first time among them.",
      () => generations.served,
    ),
    one(
      "vitrine_files_served",
      "1 where the host's files as they were last read are served; 0: they have a mistake.",
      () => (generations.isLast ? 1 : 0),
    ),
    {
      name: "vitrine_upstreams_resting",
      help: "Upstreams that give no answers and are left alone for a moment.",
      labels: ["server"],
      read: resting.all,
    },
  ];
}
