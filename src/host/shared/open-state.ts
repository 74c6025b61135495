import { randomUUID } from "node:crypto";
import type { UsedOnce } from "../../model/used-once.ts";
import type { Limiter } from "../hosting.ts";
import { type Counter, countHere, type OwnCounter } from "../limits/count-here.ts";
import { openLimiter } from "../limits/open-limiter.ts";
import { nameKeys } from "./name-keys.ts";
import { type Notices, openOwnNotices, openSharedNotices } from "./open-notices.ts";
import { openOwnRevocations, openSharedRevocations, type Revocations } from "./open-revocations.ts";
import { openOwnWrites, type WriteNotices } from "./open-writes.ts";
import type { StoreFact } from "./store-standing.ts";

/** What replicas have in common; of one process where nothing is shared. */
export interface HostState {
  readonly limiter: Limiter;
  /** Absent where nothing is shared: then confirmations are good in the process alone that gave them. */
  readonly usedOnce?: UsedOnce;
  readonly revocations: Revocations;
  readonly notices: Notices;
  readonly writes: WriteNotices;
  /** Nobody can be let in before: who was revoked is not known yet. Once true it stays so. */
  isReady(): boolean;
  /** What is to be shared is not, for now: limits are by replica, and confirmations and notices wait. */
  isDegraded(): boolean;
  /** How many replicas there are, this one among them, as far as was last known. */
  replicas(): number;
  close(): Promise<void>;
}

export interface StateOptions {
  /** `redis:` or `rediss:` URL; without it nothing is shared. */
  readonly shared?: string;
  /** What processes of one replica have in common where nothing is shared; one process has it by itself. */
  readonly workers?: WorkerState;
  /** Replicas of one `publicUrl` share limits, revocations and notices. */
  readonly publicUrl: string;
  readonly tell: (fact: StateFact) => void;
  readonly now?: () => Date;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** What several processes on one machine have in common. */
export interface WorkerState {
  readonly usedOnce: UsedOnce;
  readonly writes: WriteNotices;
  count(of: "callers" | "addresses"): Counter;
}

/** For the operator's log. */
export type StateFact =
  | StoreFact
  /** Others will see what is written here up to half a minute late, until the store is back. */
  | { readonly kind: "writes_untold" }
  /** An address, or an IPv6 /64, was refused too often at the door. */
  | { readonly kind: "address_blocked"; readonly network: string; readonly ms: number };

const MOST_CALLERS = 100_000;
const MOST_ADDRESSES = 50_000;

/** Opens what replicas share. It does not wait for the store. */
export async function openState(options: StateOptions): Promise<HostState> {
  const { shared, workers, tell, now = () => new Date(), clock = () => performance.now() } = options;
  const [callers, addresses] = [countHere(MOST_CALLERS, clock), countHere(MOST_ADDRESSES, clock)];
  const limit = (counters: { readonly callers: Counter; readonly addresses: Counter }): Limiter =>
    openLimiter({
      ...counters,
      now: clock,
      onBlocked: (network, ms) => tell({ kind: "address_blocked", network, ms }),
    });
  if (shared === undefined)
    return {
      limiter: limit(
        workers === undefined
          ? { callers: alone(callers), addresses: alone(addresses) }
          : { callers: workers.count("callers"), addresses: workers.count("addresses") },
      ),
      ...(workers !== undefined && { usedOnce: workers.usedOnce }),
      revocations: openOwnRevocations(now),
      notices: openOwnNotices(),
      writes: workers?.writes ?? openOwnWrites(),
      isReady: () => true,
      isDegraded: () => false,
      replicas: () => 1,
      close: async () => undefined,
    };
  // Apart from the rest: most hosts share nothing, and need not load a client of Redis.
  const { openStore, countThere, openSharedUsedOnce, openSharedWrites, keepBeat } = await loadShared();
  const keys = nameKeys(options.publicUrl);
  let replicas = 1;
  const tellStore = (fact: StoreFact): void => {
    tell(fact);
    // It may have been late for once.
    if (fact.kind === "shared_lost") beating.now();
  };
  const store = openStore(shared, { channel: keys.channel, hear: () => beating.now(), tell: tellStore });
  const revocations = openSharedRevocations(store, keys, now);
  const notices = openSharedNotices(store, keys);
  const writes = openSharedWrites(store, keys, () => tell({ kind: "writes_untold" }));
  const usedOnce = openSharedUsedOnce(store, { epoch: keys.epoch, prefix: keys.used });
  const beating = keepBeat(store, {
    replica: randomUUID(),
    keys,
    onBeat: async (beat) => {
      replicas = beat.replicas;
      usedOnce.follow(beat.epoch);
      notices.follow(beat.reload);
      await Promise.all([revocations.follow(beat.revoked), writes.follow(beat.written)]);
    },
  });
  const count = (kind: string, own: OwnCounter) =>
    countThere({ store, prefix: `${keys.limits}${kind} `, own, replicas: () => replicas });
  return {
    limiter: limit({ callers: count("caller", callers), addresses: count("address", addresses) }),
    usedOnce,
    revocations,
    notices,
    writes,
    isReady: revocations.isKnown,
    isDegraded: () => !store.isUp(),
    replicas: () => replicas,
    close: async () => {
      writes.close();
      await beating.stop();
      await store.close();
    },
  };
}

async function loadShared() {
  const [{ openStore }, { countThere }, { openSharedUsedOnce }, { openSharedWrites }, { keepBeat }] = await Promise.all(
    [
      import("./open-store.ts"),
      import("./count-there.ts"),
      import("./use-once.ts"),
      import("./open-writes.ts"),
      import("./keep-beat.ts"),
    ],
  );
  return { openStore, countThere, openSharedUsedOnce, openSharedWrites, keepBeat };
}

function alone(counter: OwnCounter): Counter {
  return { take: async (key, rate) => counter.take(key, rate, 1) };
}
