import { MISSED_MS } from "./keep-beat.ts";
import { nameKeys } from "./name-keys.ts";
import { openSharedRevocations, type Revoked } from "./open-revocations.ts";
import { openStore, type Store } from "./open-store.ts";
import { StoreGone } from "./store-standing.ts";

const CONNECT_MS = 3_000;

/**
 * From a process that serves nobody: who is revoked is refused by every replica within two seconds. Gives how many replicas there are; undefined where
 * that could not be found out. Rejects with `StoreGone`.
 */
export async function revokeEverywhere(
  { shared, publicUrl }: { readonly shared: string; readonly publicUrl: string },
  who: Revoked,
  until?: Date,
): Promise<number | undefined> {
  const keys = nameKeys(publicUrl);
  let timer: NodeJS.Timeout | undefined;
  let why = "it gives no answer";
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreGone(`The shared store cannot be told: ${why}.`)), CONNECT_MS);
  });
  let connected = (): void => {};
  const connecting = new Promise<void>((resolve) => {
    // Of the two connections either may be there first, and only one takes commands.
    connected = () =>
      void store
        .probe((redis) => redis.ping())
        .then(
          () => resolve(),
          () => undefined,
        );
  });
  const store = openStore(shared, {
    channel: keys.channel,
    hear: () => connected(),
    tell: (fact) => {
      if (fact.kind === "shared_lost") why = fact.why;
    },
  });
  try {
    await Promise.race([connecting, late]);
    await openSharedRevocations(store, keys, () => new Date()).revoke(who, until);
    return await countReplicas(store, keys.replicas).catch(() => undefined);
  } finally {
    clearTimeout(timer);
    late.catch(() => undefined);
    await store.close();
  }
}

/** Those that were seen of late, by the store's own clock. */
async function countReplicas(store: Store, name: string): Promise<number> {
  return store.probe(async (redis) => {
    const [seconds] = await redis.time();
    return redis.zcount(name, Number(seconds) * 1000 - MISSED_MS, "+inf");
  });
}
