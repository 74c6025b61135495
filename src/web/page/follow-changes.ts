import { AskFailed, askChanges, type Server } from "./ask.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export interface Followed {
  /** A revision was told of; the first one comes at once. */
  onRevision(revision: string): void;
  onConnection(isConnected: boolean): void;
  /** The server lets this caller in no more. */
  onRefused(failure: AskFailed): void;
}

/** Follows the stream of changes, again and again where it breaks off, until the signal ends it. */
export async function followChanges(server: Server, followed: Followed, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const revision of readRevisions(await askChanges(server, signal))) {
        waitMs = FIRST_WAIT_MS;
        followed.onConnection(true);
        followed.onRevision(revision);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AskFailed && [401, 403, 404].includes(error.status)) return followed.onRefused(error);
    }
    if (signal.aborted) return;
    followed.onConnection(false);
    await wait(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
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

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}
