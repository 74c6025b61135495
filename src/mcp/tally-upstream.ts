import type { UpstreamRecord } from "../model/call-watch.ts";
import type { RunEvent } from "../model/exchange.ts";

export interface Tally {
  add(event: RunEvent): void;
  /** Requests that are still on their way count until now. */
  read(): UpstreamRecord;
}

/** Adds up the requests of one call. Time in which several are on their way counts once, so that it is never more than the call's own. */
export function openTally(now: () => number = () => performance.now()): Tally {
  let [calls, bytes, underWay, since, spent] = [0, 0, 0, 0, 0];
  return {
    add(event) {
      if (event.type === "request") {
        calls += 1;
        if (underWay === 0) since = now();
        underWay += 1;
        return;
      }
      calls += event.redirects ?? 0;
      bytes += event.type === "reply" ? event.reply.bytes : (event.bytes ?? 0);
      underWay -= 1;
      if (underWay === 0) spent += now() - since;
    },
    read: () => ({ ms: underWay > 0 ? spent + now() - since : spent, calls, bytes }),
  };
}
