import { askChanges, type Server } from "./ask.ts";
import { AskFailed } from "./ask-failed.ts";
import { isRefusal } from "./ask-latest.ts";
import { openBackOff } from "./back-off.ts";

export interface Followed {
  /** A revision was told of; the first one comes at once. */
  onRevision(revision: string): void;
  onConnection(isConnected: boolean): void;
  /** The server lets this caller in no more. */
  onRefused(failure: AskFailed): void;
}

/** Follows the stream of changes, again and again where it breaks off, until the signal ends it. */
export async function followChanges(server: Server, followed: Followed, signal: AbortSignal): Promise<void> {
  const backOff = openBackOff(signal);
  while (!signal.aborted) {
    try {
      for await (const revision of readRevisions(await askChanges(server, signal))) {
        backOff.reset();
        followed.onConnection(true);
        followed.onRevision(revision);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AskFailed && isRefusal(error)) return followed.onRefused(error);
    }
    if (signal.aborted) return;
    followed.onConnection(false);
    await backOff.rest();
  }
}

/** The revisions of `event: changed` (HTML, 9.2.6: an event ends at an empty line). */
async function* readRevisions(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let pending = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (pending + part.value).replaceAll("\r\n", "\n").split("\n\n");
      pending = events.pop() ?? "";
      for (const event of events) {
        const revision = readRevision(event);
        if (revision !== undefined) yield revision;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readRevision(event: string): string | undefined {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  if (data === undefined || !/^event: ?changed$/m.test(event)) return undefined;
  const { revision } = JSON.parse(data) as { readonly revision?: unknown };
  return typeof revision === "string" ? revision : undefined;
}
