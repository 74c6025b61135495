import type { ServerResponse } from "node:http";
import { PAGE_HEADERS } from "./answer-page.ts";
import { PageRefusal } from "./page-refusal.ts";

export interface PageStreams {
  /** Tells of each further revision until the stream ends. Throws `PageRefusal` where there are too many. */
  open(response: ServerResponse, source: StreamSource): void;
  close(): void;
}

export interface StreamSource {
  revision(): Promise<string>;
  /** Gives what ends the listening. */
  onChange(listener: () => void): () => void;
}

/** A proxy closes what says nothing for long. */
const BEAT_MS = 20_000;

/** Server-sent events (HTML Standard 9.2), read with fetch, so many at once at most. `report` hears of what goes wrong while a revision is made. */
export function openPageStreams(most: number, report: (error: unknown) => void): PageStreams {
  const open = new Set<ServerResponse>();
  return {
    open(response, source) {
      if (open.size >= most)
        throw new PageRefusal(503, "too_many_streams", "Too many pages are open.", [["retry-after", "10"]]);
      // Of one that is gone already no end would be heard.
      if (response.destroyed) return;
      response.writeHead(200, { ...PAGE_HEADERS, "content-type": "text/event-stream", "x-accel-buffering": "no" });
      open.add(response);
      const tell = tellRevisions(response, source, report);
      const stopListening = source.onChange(tell);
      const beat = setInterval(() => response.write(":\n\n"), BEAT_MS).unref();
      response.once("close", () => {
        open.delete(response);
        stopListening();
        clearInterval(beat);
      });
      tell();
    },
    close() {
      for (const response of open) response.end();
    },
  };
}

/** One revision at a time, and what changes meanwhile is told once after it. */
function tellRevisions(
  response: ServerResponse,
  { revision }: StreamSource,
  report: (error: unknown) => void,
): () => void {
  let isTelling = false;
  let isAsked = false;
  let last: string | undefined;
  const tell = async (): Promise<void> => {
    while (isAsked && !response.writableEnded && !response.destroyed) {
      isAsked = false;
      const now = await revision();
      if (now !== last && !response.writableEnded)
        response.write(`event: changed\ndata: ${JSON.stringify({ revision: now })}\n\n`);
      last = now;
    }
  };
  return () => {
    isAsked = true;
    if (isTelling) return;
    isTelling = true;
    void tell()
      .catch((error: unknown) => {
        // Who may not ask any more is told so when the page asks again.
        if (error instanceof PageRefusal) response.end();
        else report(error);
      })
      .finally(() => {
        isTelling = false;
      });
  };
}
