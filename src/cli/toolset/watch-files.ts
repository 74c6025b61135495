import { unwatchFile, watchFile } from "node:fs";

export interface FileWatch {
  /** Watches these from now on, whether they exist or not. */
  follow(paths: readonly string[]): void;
  close(): void;
}

const POLL_MS = 200;
/** An editor may write a file in several steps. */
const SETTLE_MS = 100;

/**
 * Calls `onChange` some time after a file was written, replaced, taken away or made. It asks the file system again and again: that alone works for
 * files renamed over, on every file system. Runs of `onChange` never overlap.
 */
export function watchFiles(onChange: () => Promise<void>): FileWatch {
  const watched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(onChange);
    }, SETTLE_MS);
  };
  const drop = (path: string): void => {
    unwatchFile(path, changed);
    watched.delete(path);
  };
  return {
    follow: (paths) => {
      for (const path of watched) if (!paths.includes(path)) drop(path);
      for (const path of paths) {
        if (watched.has(path)) continue;
        watched.add(path);
        watchFile(path, { interval: POLL_MS, persistent: false }, changed);
      }
    },
    close: () => {
      clearTimeout(timer);
      for (const path of watched) drop(path);
    },
  };
}
