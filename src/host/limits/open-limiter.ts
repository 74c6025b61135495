import type { Limiter } from "../hosting.ts";
import type { Counter } from "./count-here.ts";
import { networkOf } from "./network-of.ts";
import { refuseBusy, refuseRate } from "./refuse-busy.ts";

export interface Limits {
  /** Strangers fill it with their addresses, so it is apart from that of callers. */
  readonly addresses: Counter;
  readonly callers: Counter;
  /** Told when an address is shut out for so many milliseconds. */
  readonly onBlocked: (network: string, ms: number) => void;
  /** In milliseconds; never goes back. */
  readonly now: () => number;
}

/** What the door may refuse an address before it is shut out for the rest of the minute. */
const MOST_FAILURES = 20;
/** The last of them is the one that shuts. */
const FAILURES = { calls: MOST_FAILURES - 1, perMs: 60_000 };
const MOST_BLOCKED = 50_000;

/**
 * Limits callers by their own rate, else that of the server, and together; and addresses by what the door has refused them, and by what they ask.
 * Whether the door has had enough of one is told without waiting: a replica hears that of others with the first failure of its own.
 */
export function openLimiter({ addresses, callers, onBlocked, now }: Limits): Limiter {
  const blocked = new Map<string, number>();
  const block = (network: string, ms: number): void => {
    const isNew = (blocked.get(network) ?? 0) <= now();
    blocked.delete(network);
    const [oldest] = blocked.keys();
    if (blocked.size >= MOST_BLOCKED && oldest !== undefined) blocked.delete(oldest);
    blocked.set(network, now() + ms);
    if (isNew) onBlocked(network, ms);
  };
  return {
    async address(address) {
      const until = blocked.get(networkOf(address));
      return until === undefined || until <= now() ? undefined : refuseRate(until - now());
    },
    failed(address) {
      const network = networkOf(address);
      void addresses.take(network, FAILURES).then(({ admitted, msLeft }) => {
        if (!admitted) block(network, msLeft);
      });
    },
    async arrive(address, rate) {
      const { admitted, msLeft } = await addresses.take(`arrives ${networkOf(address)}`, rate);
      return admitted ? undefined : refuseRate(msLeft);
    },
    async call(caller, { name, rate: each, totalRate }) {
      const rate = caller.rate ?? each;
      if (rate !== undefined) {
        const { admitted, msLeft } = await callers.take(`${name} ${caller.kind} ${caller.id}`, rate);
        if (!admitted) return refuseRate(msLeft);
      }
      // What one caller may not make is not counted against the others. No caller's ID is empty.
      if (totalRate === undefined) return undefined;
      const { admitted, msLeft } = await callers.take(`${name} all `, totalRate);
      return admitted ? undefined : refuseBusy(msLeft);
    },
  };
}
