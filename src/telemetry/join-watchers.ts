import type { CallBegun, CallRecord, CallWatch, CallWatcher } from "../model/call-watch.ts";
import type { RunEvent, UpstreamRequest } from "../model/exchange.ts";

type Report = (error: unknown) => void;

/** One watcher for several. Each is told of everything, whatever another throws: that goes to `report`, and no further. */
export function joinWatchers(watchers: readonly CallWatcher[], report: Report): CallWatcher {
  const [first = NOBODY, ...others] = watchers;
  return others.reduce((joined, next) => joinTwo(joined, next, report), first);
}

const NOTHING: CallWatch = { end: () => undefined };
const NOBODY: CallWatcher = { begin: () => NOTHING };

/** Two at a time, as this runs several times a call: with lists of them, and a function made for each time, it took five times as long. */
function joinTwo(first: CallWatcher, second: CallWatcher, report: Report): CallWatcher {
  return {
    begin(begun) {
      const one = begin(first, begun, report);
      const other = begin(second, begun, report);
      return {
        observe(event) {
          observe(one, event, report);
          observe(other, event, report);
        },
        end: (record) => joinEnds(end(one, record, report), end(other, record, report), report),
        ...((one.headers ?? other.headers) && {
          headers: (request) => joinHeaders(headersOf(one, request, report), headersOf(other, request, report)),
        }),
      };
    },
  };
}

function begin(watcher: CallWatcher, begun: CallBegun, report: Report): CallWatch {
  try {
    return watcher.begin(begun);
  } catch (error) {
    report(error);
    return NOTHING;
  }
}

function observe(watch: CallWatch, event: RunEvent, report: Report): void {
  try {
    watch.observe?.(event);
  } catch (error) {
    report(error);
  }
}

type Headers = UpstreamRequest["headers"];

const NONE: Headers = [];

function headersOf(watch: CallWatch, request: UpstreamRequest, report: Report): Headers {
  try {
    return watch.headers?.(request) ?? NONE;
  } catch (error) {
    report(error);
    return NONE;
  }
}

function joinHeaders(some: Headers, more: Headers): Headers {
  if (some.length === 0) return more;
  return more.length === 0 ? some : [...some, ...more];
}

function end(watch: CallWatch, record: CallRecord, report: Report): Promise<void> | undefined {
  try {
    return watch.end(record);
  } catch (error) {
    report(error);
    return undefined;
  }
}

function joinEnds(
  one: Promise<void> | undefined,
  other: Promise<void> | undefined,
  report: Report,
): Promise<void> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Promise.all([one.catch(report), other.catch(report)]).then(() => {});
}
