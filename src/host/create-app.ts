import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson, answerMetrics } from "../mcp/answer-fault.ts";
import { isRefusal } from "../mcp/is-refusal.ts";
import type { CallWatcher } from "../model/call-watch.ts";
import { openPage, type Page } from "../web/serve-page.ts";
import { describeResource } from "./callers/describe-resource.ts";
import { followStates } from "./follow-states.ts";
import { holdServers } from "./hold-servers.ts";
import type { HostLog } from "./host-log.ts";
import type { Door, Limiter, Refusal } from "./hosting.ts";
import type { Admission } from "./limits/admit-calls.ts";
import type { Served } from "./opened-server.ts";
import { findRoute, type Routes } from "./routes.ts";
import { type McpServing, serveMcp } from "./serve-mcp.ts";
import { servePage } from "./serve-page.ts";
import { watchStreams } from "./watch-streams.ts";

export interface AppOptions {
  readonly door: Door;
  readonly limiter: Limiter;
  readonly log: HostLog;
  /** An error in words for the log. */
  readonly describe: (error: unknown) => string;
  /** Hears which server's upstream was written to; gives what ends that. */
  readonly onWrite?: (listener: (server: string) => void) => () => void;
  /** Hears of the calls of one caller, for the events. */
  readonly watch?: (callerId: string) => CallWatcher;
  /** Why nobody can be served at the moment, whoever asks. */
  readonly overload?: () => Refusal | undefined;
  /** Begins a call of a caller, or says why there is no room for it. */
  readonly enter?: Admission["enter"];
  /** What stands at `/metrics`, for whoever is near (`isNear`); absent: nothing does. */
  readonly metrics?: { readonly type: string; text(): string | Promise<string> };
  /** Where the files of the page are; absent: there is no page. */
  readonly pageFolder?: string;
  /** False: nobody can be let in yet. */
  readonly isReady?: () => boolean;
  readonly now?: () => Date;
}

/** `leaving`: ready no more, but everybody is served. `left`: who comes is told to come again, to another replica. */
type Stage = "serving" | "leaving" | "left";

/** The hosted proxy (contract section 9), whatever listens for it. */
export interface App {
  /** Answers one HTTP request. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Serves this from now on, at once and whole; calls that run go on with what they began with. */
  replace(next: Served): void;
  drain(stage: Exclude<Stage, "serving">): void;
  /** Lets running calls finish for `graceMs`, then ends what is left. */
  close(graceMs: number): Promise<void>;
}

/** Opens the proxy over what is served first; `replace` follows the files, `drain` and `close` end it in turn. */
export function createApp(first: Served, options: AppOptions): App {
  const { log, describe, pageFolder, watch, now = () => new Date() } = options;
  const report = (error: unknown): void => {
    if (isRefusal(error)) log.tell("warn", "refused", { why: describe(error) });
    else log.tell("error", "fault", { message: describe(error) });
  };
  const held = holdServers(first, { report, ...(watch !== undefined && { watch }) });
  const streams = watchStreams(report);
  const following = followStates({ report });
  const stopHearing = options.onWrite?.(following.written);
  let stage: Stage = "serving";
  const origin = (): string => held.served().host.publicUrl;
  const page = pageFolder === undefined ? undefined : openPage({ kind: "host", folder: pageFolder, origin, report });
  const serving = {
    ...options,
    held,
    streams,
    following,
    hasPage: page !== undefined,
    now,
    isLeft: () => stage === "left",
  };
  const routes = openRoutes(serving, page, () => stage);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (stage !== "serving") response.shouldKeepAlive = false;
    try {
      await findRoute(routes, request)(request, response);
    } catch (error) {
      report(error);
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, { jsonrpc: "2.0", error: { code: -32603, message: "Internal error" }, id: null });
    }
  };
  return {
    handle: (request, response) => {
      const requestId = randomUUID();
      response.setHeader("x-request-id", requestId);
      response.once("finish", () => endUnread(request));
      void log.within({ request_id: requestId, trace_id: traceOf(request) }, () => answer(request, response));
    },
    replace: (next) => {
      held.replace(next);
      streams.check().catch(report);
      following.replaced();
    },
    drain: (next) => {
      stage = next;
    },
    close: async (graceMs) => {
      stopHearing?.();
      following.close();
      streams.close();
      const until = performance.now() + graceMs;
      await page?.close(graceMs);
      await held.close(Math.max(0, until - performance.now()));
    },
  };
}

const NO_ORIGINS: ReadonlySet<string> = new Set();

type AppServing = McpServing & Pick<AppOptions, "metrics" | "isReady">;

function openRoutes(serving: AppServing, page: Page | undefined, stage: () => Stage): Routes {
  const { held, metrics, isReady = () => true } = serving;
  return {
    names: () => new Set([new URL(held.served().host.publicUrl).hostname]),
    origins: () => held.served().host.origins ?? NO_ORIGINS,
    mcp: (name, request, response) => serveMcp(name, request, response, serving),
    resource: (name, response) => {
      const described = describeResource(held.served().host, name, held.served().servers.get(name)?.title);
      // RFC 9728 3: for anybody, also for a client that runs in a browser.
      response.setHeader("access-control-allow-origin", "*");
      answerJson(response, described === undefined ? 404 : 200, described ?? { error: "not_found" });
    },
    health: (response) => answerJson(response, 200, { status: "ok" }),
    ready: (response) => {
      const status = stage() !== "serving" ? "draining" : isReady() ? "ready" : "starting";
      answerJson(response, status === "ready" ? 200 : 503, { status });
    },
    ...(metrics !== undefined && { metrics: (response) => answerMetrics(response, metrics) }),
    ...(page !== undefined && {
      page: {
        has: page.has,
        file: page.serveFile,
        part: (name, part, request, response) => servePage(name, part, request, response, { ...serving, page }),
      },
    }),
  };
}

const LINGER_MS = 1_000;

/** RFC 9112 9.6: who was answered before all was sent has a moment to read it; then nothing more is taken. */
function endUnread(request: IncomingMessage): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

/** W3C Trace Context 3.2.2. */
function traceOf({ headers }: IncomingMessage): string | undefined {
  const [, trace] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(headers.traceparent ?? "")) ?? [];
  return trace;
}
