import type { CallWatcher } from "../model/call-watch.ts";

/** One watcher for several. Each is told of everything, whatever another throws: that goes to `report`, and no further. */
export function joinWatchers(watchers: readonly CallWatcher[], report: (error: unknown) => void): CallWatcher {
  const [only, ...others] = watchers;
  if (only !== undefined && others.length === 0) return only;
  const each = <W, T>(ones: readonly W[], tell: (one: W) => T): T[] =>
    ones.flatMap((one) => {
      try {
        return [tell(one)];
      } catch (error) {
        report(error);
        return [];
      }
    });
  return {
    begin(begun) {
      const watches = each(watchers, (watcher) => watcher.begin(begun));
      const tracing = watches.filter(({ headers }) => headers !== undefined);
      return {
        observe: (event) => void each(watches, (watch) => watch.observe?.(event)),
        ...(tracing.length > 0 && {
          headers: (request) => each(tracing, (watch) => watch.headers?.(request) ?? []).flat(),
        }),
        end: (record) => void each(watches, (watch) => watch.end(record)),
      };
    },
  };
}
