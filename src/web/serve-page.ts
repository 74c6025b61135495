import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerData, answerRefusal, answerWhole } from "./answer-page.ts";
import { checkSender } from "./check-sender.ts";
import type { PageCalls, PageData, PageKind, TryAnswer, TryRequest } from "./page-data.ts";
import { isPagePath, openPageFiles } from "./page-files.ts";
import { PageRefusal } from "./page-refusal.ts";
import { openPageStreams } from "./page-streams.ts";
import { readTry } from "./read-try.ts";

/** What one person at the page is shown. */
export interface PageSource {
  data(): Promise<PageData>;
  /** Throws `PageRefusal`. `signal` ends when the person goes away. */
  tryTool(asked: TryRequest, signal: AbortSignal): Promise<TryAnswer>;
  /** Hears when `data` may be another; gives what ends that. */
  onChange(listener: () => void): () => void;
  /** Absent where no events are written. */
  readonly calls?: () => Promise<PageCalls>;
}

export const PAGE_PARTS = ["data", "try", "changes", "calls"] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

export interface PageOptions {
  readonly kind: PageKind;
  /** Where index.html, page.js and page.css are. */
  readonly folder: string;
  /** An origin under which the page is known, beside that of its requests. */
  readonly origin?: () => string;
  /** Hears of what goes wrong beside all that a person is told. */
  report(error: unknown): void;
}

/** The page over HTTP. That a request's Host and Origin are ours is found before. */
export interface Page {
  /** Whether one of the page's own files, which are the same for everybody, is at this path. */
  has(path: string): boolean;
  serveFile(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers with a part of what the source gives. Never rejects. */
  serve(part: PagePart, request: IncomingMessage, response: ServerResponse, source: PageSource): Promise<void>;
  /** Ends the streams, and lets trials finish for `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export function openPage({ kind, folder, origin, report }: PageOptions): Page {
  const fileAt = openPageFiles(folder, kind);
  const streams = openPageStreams(MOST_STREAMS[kind], report);
  const running = new Set<Promise<void>>();
  const answers: Readonly<Record<PagePart, Answer>> = {
    data: async (_, response, source) => answerData(response, await source.data()),
    try: async (request, response, source) => {
      const asked = await readTry(request);
      answerData(response, await source.tryTool(asked, closeSignal(response)));
    },
    changes: async (_, response, source) =>
      streams.open(response, { revision: async () => (await source.data()).revision, onChange: source.onChange }),
    calls: async (_, response, { calls }) => {
      if (calls === undefined) throw NOTHING;
      answerData(response, await calls());
    },
  };
  return {
    has: isPagePath,
    async serveFile(path, request, response) {
      const file = await fileAt(path);
      if (!READS.includes(request.method ?? "")) return answerRefusal(response, wrongMethod(READS));
      if (file === undefined) return answerRefusal(response, NOTHING);
      answerWhole(response, 200, file.type, file.body);
    },
    async serve(part, request, response, source) {
      const answer = async (): Promise<void> => {
        const methods = part === "try" ? ["POST"] : ["GET"];
        if (!methods.includes(request.method ?? "")) throw wrongMethod(methods);
        checkSender(request, origin?.());
        await answers[part](request, response, source);
      };
      const answered = answer().catch((error: unknown) => refuse(response, error, report));
      running.add(answered);
      await answered.finally(() => running.delete(answered));
    },
    async close(graceMs) {
      streams.close();
      await Promise.race([Promise.all(running), wait(graceMs, undefined, { ref: false })]);
    },
  };
}

/** Of a host each caller has a bound of its own. */
const MOST_STREAMS: Readonly<Record<PageKind, number>> = { serve: 64, host: 1_000 };

type Answer = (request: IncomingMessage, response: ServerResponse, source: PageSource) => Promise<void>;

const READS = ["GET", "HEAD"];
const NOTHING = new PageRefusal(404, "not_found", "There is nothing here.");

function wrongMethod(allowed: readonly string[]): PageRefusal {
  return new PageRefusal(405, "wrong_method", "Method not allowed.", [["allow", allowed.join(", ")]]);
}

function refuse(response: ServerResponse, error: unknown, report: (error: unknown) => void): void {
  if (!(error instanceof PageRefusal)) report(error);
  if (response.headersSent || response.destroyed) response.destroy();
  else answerRefusal(response, error instanceof PageRefusal ? error : OUR_FAULT);
}

const OUR_FAULT = new PageRefusal(500, "internal", "Something went wrong here; the operator's log says what.");

function closeSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  if (response.destroyed) closed.abort();
  return closed.signal;
}
