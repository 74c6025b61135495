import { stat } from "node:fs/promises";
import type { PageCalls } from "../../web/page-data.ts";
import { keepThread } from "../toolset/keep-thread.ts";
import { build } from "../version.ts";
import { type CallsJob, openCallsReader } from "./read-calls.ts";

const PROGRAM = new URL("./calls-worker.js", import.meta.url);

/**
 * The charts of an events file. It is asked for again only where it has changed, and read in a thread of its own, where there can be one, so that no call
 * waits for it. `names` gives those of tools.
 */
export function openCalls(
  file: string,
  names: () => ReadonlySet<string>,
  program: URL | undefined = build === undefined ? undefined : PROGRAM,
): () => Promise<PageCalls> {
  const thread = keepThread<CallsJob, PageCalls>({ program, what: "Reading the events" });
  const here = openCallsReader();
  let known: { readonly mark: string; readonly calls: Promise<PageCalls> } | undefined;
  const read = async (): Promise<PageCalls> => {
    const job = { file, names: names() };
    return (await thread.ask(job)) ?? here(job);
  };
  return async () => {
    const found = await stat(file).catch(() => undefined);
    const mark = found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (known?.mark === mark) return known.calls;
    const calls = read();
    known = { mark, calls };
    // One that failed is asked for again.
    calls.catch(() => {
      known = undefined;
    });
    return calls;
  };
}
