import { randomUUID } from "node:crypto";
import type { VerifiedCaller } from "../hosting.ts";
import type { Store } from "./open-store.ts";

/** No clock comes to it. */
const FOR_GOOD = Date.UTC(9999, 0);

export type Revoked = Pick<VerifiedCaller, "kind" | "id">;

/** Who is not let in any more, on any replica. */
export interface Revocations {
  /** Unknown until the list was read for the first time: then nobody can be told from who was revoked. */
  check(caller: Revoked): "good" | "revoked" | "unknown";
  /** Counts here at once and elsewhere within two seconds. Rejects with `StoreGone` where the others cannot be told now; they are told as soon as they can be. */
  revoke(caller: Revoked, until?: Date): Promise<void>;
}

/** Of one process that shares nothing. */
export function openOwnRevocations(now: () => Date): Revocations {
  const held = new Map<string, number>();
  return {
    check: (caller) => (isHeld(held, caller, now()) ? "revoked" : "good"),
    revoke: async (caller, until) => keep(held, [nameOf(caller), until?.getTime() ?? FOR_GOOD]),
  };
}

export interface RevocationKeys {
  /** Sorted set: caller → until when it is held, in milliseconds. */
  readonly revoked: string;
  readonly revokedVersion: string;
  readonly channel: string;
}

export interface SharedRevocations extends Revocations {
  /** The list was read. */
  isKnown(): boolean;
  /** Reads the list where it is another than `version`, and writes to it what it lacks. Rejects with `StoreGone`. */
  follow(version: string): Promise<void>;
}

const ADD = `
  local added = 0
  for at = 2, #ARGV, 2 do added = added + redis.call('ZADD', KEYS[1], 'GT', 'CH', ARGV[at], ARGV[at + 1]) end
  redis.call('SET', KEYS[2], ARGV[1])
  redis.call('PUBLISH', KEYS[3], 'revoked')
  return added`;

/** The list that replicas share. It only grows until an entry's time is over, so a store that has forgotten it is told again by all who know. */
export function openSharedRevocations(store: Store, keys: RevocationKeys, now: () => Date): SharedRevocations {
  const held = new Map<string, number>();
  let followed: string | undefined;
  let isTold = true;
  const add = (entries: readonly (readonly [name: string, until: number])[]) =>
    store.probe((redis) => {
      const flat = entries.flatMap(([name, until]) => [until, name]);
      return redis.eval(ADD, 3, keys.revoked, keys.revokedVersion, keys.channel, randomUUID(), ...flat);
    });
  return {
    check: (caller) => {
      if (isHeld(held, caller, now())) return "revoked";
      return followed === undefined ? "unknown" : "good";
    },
    isKnown: () => followed !== undefined,
    async revoke(caller, until) {
      const entry = [nameOf(caller), until?.getTime() ?? FOR_GOOD] as const;
      keep(held, entry);
      isTold = false;
      await add([entry]);
    },
    async follow(version) {
      if (version === followed && isTold) return;
      const flat = await store.probe((redis) =>
        redis.zrange(keys.revoked, now().getTime(), "+inf", "BYSCORE", "WITHSCORES"),
      );
      const there = new Map<string, number>();
      for (let at = 0; at < flat.length; at += 2) there.set(flat[at]!, Number(flat[at + 1]));
      for (const entry of there) keep(held, entry);
      drop(held, now());
      followed = version;
      const missing = [...held].filter(([name, until]) => (there.get(name) ?? 0) < until);
      isTold = missing.length === 0;
      if (missing.length > 0) await add(missing);
    },
  };
}

function nameOf({ kind, id }: Revoked): string {
  return `${kind}:${id}`;
}

function isHeld(held: ReadonlyMap<string, number>, caller: Revoked, now: Date): boolean {
  return (held.get(nameOf(caller)) ?? 0) > now.getTime();
}

function keep(held: Map<string, number>, [name, until]: readonly [string, number]): void {
  held.set(name, Math.max(until, held.get(name) ?? 0));
}

function drop(held: Map<string, number>, now: Date): void {
  for (const [name, until] of held) if (until <= now.getTime()) held.delete(name);
}
