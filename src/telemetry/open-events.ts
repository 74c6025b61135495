import { setTimeout as wait } from "node:timers/promises";
import type { CallWatcher } from "../model/call-watch.ts";
import { type Line, openLineQueue } from "./append/line-queue.ts";
import { openLogFile } from "./append/log-file.ts";
import { writeEvent } from "./write-event.ts";

export interface EventsOptions {
  readonly file: string;
  /** A file that has grown to so many bytes is put aside as FILE.1, and five such are kept. */
  readonly maxBytes: number;
  /** Hears of events that cannot be written, at most once a minute. */
  note(line: string): void;
}

export interface Events {
  /** Writes an event for every call that it is told of. `keyId` names the caller's key, where there is one; no secret. */
  watcher(keyId?: string): CallWatcher;
  /** Writes what is still to be written, as far as that can be done soon. */
  close(): Promise<void>;
  /** How many could not be written since the start. */
  lost(): number;
}

/** How long calls that are just ending are waited for. */
const GRACE_MS = 500;
const GRACE_STEP_MS = 10;

/**
 * Appends one line a call to a file (contract section 10). A file that cannot be written costs no call anything: events wait, in memory and up to a
 * bound, then the newest are lost and counted. A reply waits for the turn of the event loop in which its line is written with those of other calls.
 */
export function openEvents({ file, maxBytes, note }: EventsOptions): Events {
  const tellStuck = (reason: string): void =>
    note(`vitrine: ${file} has grown to its bound and cannot be put aside (${reason}): it grows on.`);
  const queue = openLineQueue({ file: openLogFile(file, maxBytes, tellStuck), name: file, note });
  let underWay = 0;
  return {
    watcher: (keyId) => ({
      begin(begun) {
        const at = Date.now();
        underWay += 1;
        return {
          end(record) {
            underWay -= 1;
            const sha = shaOf(begun.toolsSha);
            const line: Line = {
              ready: () => sha.ready,
              text: (lost) => writeEvent(begun, record, { at, toolsSha: sha.known, keyId: keyId ?? null, lost }),
            };
            // A fault waits for nobody, and where no other call is under way nothing comes to be written with it.
            return queue.push(line, underWay === 0 || record.channel === "protocol" || record.channel === "crash");
          },
        };
      },
    }),
    async close() {
      // Calls that the end of the serving has aborted are told of in a moment.
      for (let waited = 0; underWay > 0 && waited < GRACE_MS; waited += GRACE_STEP_MS) await wait(GRACE_STEP_MS);
      await queue.close();
    },
    lost: queue.lost,
  };
}

interface Sha {
  known: string | null;
  /** Until it is known, or known that it will not be. */
  ready?: Promise<void>;
}

/** By the function that gives it: one a toolset. */
const SHAS = new WeakMap<() => Promise<string>, Sha>();

/** Asked for once: waiting for what is known already would put off each line. */
function shaOf(give: (() => Promise<string>) | undefined): Sha {
  if (give === undefined) return { known: null };
  const asked = SHAS.get(give);
  if (asked !== undefined) return asked;
  const sha: Sha = { known: null };
  sha.ready = give().then(
    (text) => {
      sha.known = text;
      delete sha.ready;
    },
    () => {
      delete sha.ready;
    },
  );
  SHAS.set(give, sha);
  return sha;
}
