import type { Egress } from "../../egress/open-egress.ts";
import type { Ending } from "../../model/ending.ts";
import { UpstreamUnreachable } from "../../model/errors.ts";
import type { AuthorizedRequest, RunEvent, UpstreamReply, UpstreamRequest } from "../../model/exchange.ts";
import type { Upstream } from "../../model/tool.ts";
import type { WantRows } from "../rows/rows-wanted.ts";
import { addHeaders } from "./add-headers.ts";
import { explainSending } from "./explain-sending.ts";
import type { Slots } from "./limit-concurrency.ts";
import type { IsFree } from "./read-body.ts";
import { readReply } from "./read-reply.ts";
import { readRetryAfter } from "./read-retry-after.ts";
import { type Clock, startClock } from "./start-clock.ts";
import { waitOrEnd } from "./wait-or-end.ts";

/** What one call sends its requests with. */
export interface Sending {
  /** For events. */
  readonly tool: string;
  readonly egress: Egress;
  /** As `EgressRequest.pool`. */
  readonly pool?: string;
  /** As `EgressRequest.caller`. */
  readonly caller?: string;
  /** Lays on the credentials; events and errors never see the result. Throws ToolError, and the signal's reason. */
  readonly authorize: (request: UpstreamRequest, signal: Ending) => Promise<AuthorizedRequest>;
  readonly observe: (event: RunEvent) => void;
  /** As `Caller.headers`. */
  readonly headers?: (request: UpstreamRequest) => UpstreamRequest["headers"];
  readonly now: () => Date;
  /** Of the toolset. */
  readonly slots: Pick<Slots, "take">;
  /** Ends when the caller cancels. */
  readonly cancel: Ending;
  /** When the whole call must have ended, in milliseconds of `performance.now()`. */
  readonly deadlineAt: number;
  readonly limits: Pick<Upstream, "retries" | "timeoutMs" | "maxResponseBytes" | "redirects">;
  /** Of a large answer nothing but this is needed. */
  readonly rows?: WantRows;
  /** As `SecretHider.isFree`. */
  readonly isFree?: IsFree;
}

/** RFC 6585 4, RFC 8470 5.2 and RFC 9110 15.5.9, 15.6: the server says that the same request may succeed later. */
const PASSING = new Set([408, 425, 429, 502, 503, 504]);
const FIRST_PAUSE_MS = 200;
/** draft-ietf-httpapi-idempotency-key-header 2.7: a request with the same key is still being carried out. */
const STILL_RUNNING = 409;

/**
 * Sends one request and reads the answer, whatever its status. A safe one, and one with an idempotency key, is sent again after a failure that may
 * pass, `limits.retries` times, as long as the wait fits before the deadline; any other is sent once. Either is sent once more after a 401, which says that it was not carried
 * out, where a fresh token can be had. Throws what `authorize` throws and ToolError: `upstream_timeout`, `upstream_unavailable`,
 * `upstream_bad_response`, `response_too_large`, `destination_blocked`, `outcome_unknown` or `cancelled`.
 */
export async function sendRequest(request: UpstreamRequest, sending: Sending): Promise<UpstreamReply> {
  const progress: Progress = { sent: false, lost: false, renewed: false };
  const again = request.safe || request.keyed === true ? sending.limits.retries : 0;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= again;
    try {
      const reply = await sendAuthorized(request, sending, progress);
      // Of a write whose answer was lost once, these say nothing of what became of it.
      const isOpen = progress.lost && request.keyed === true;
      if (!mayPassLater(reply) && !(isOpen && reply.status === STILL_RUNNING)) return reply;
      const pauseMs = readRetryAfter(reply, sending.now()) ?? backOff(attempt);
      if (last || !fits(pauseMs, sending)) {
        if (isOpen)
          throw new UpstreamUnreachable("reset", "An earlier attempt was not answered, and this one is put off.");
        return reply;
      }
      await waitOrEnd(pauseMs, sending.cancel);
    } catch (error) {
      const explained = explainSending(error, {
        request,
        cancel: sending.cancel,
        sent: progress.sent || progress.lost,
        attempts: attempt + 1,
      });
      progress.lost ||= progress.sent;
      const pauseMs = backOff(attempt);
      if (last || !mayPass(error) || sending.cancel.aborted || !fits(pauseMs, sending)) throw explained;
      await waitOrEnd(pauseMs, sending.cancel).catch(() => {
        throw explainSending(sending.cancel.reason, {
          request,
          cancel: sending.cancel,
          sent: progress.lost,
          attempts: attempt + 1,
        });
      });
    }
  }
}

interface Progress {
  /** Bytes of the last attempt went out. */
  sent: boolean;
  /** Those of an earlier one did, and its answer was lost. */
  lost: boolean;
  /** A 401 was answered with a fresh credential; a second one is the answer. */
  renewed: boolean;
}

async function sendAuthorized(request: UpstreamRequest, sending: Sending, progress: Progress): Promise<UpstreamReply> {
  const { reply, refused } = await sendOnce(request, sending, progress);
  // RFC 9110 15.5.2: a 401 says that the request was not applied.
  if (reply.status !== 401 || refused?.() !== true || progress.renewed) return reply;
  progress.renewed = true;
  return sendAuthorized(request, sending, progress);
}

async function sendOnce(
  request: UpstreamRequest,
  sending: Sending,
  progress: Progress,
): Promise<{ readonly reply: UpstreamReply } & Pick<AuthorizedRequest, "refused">> {
  const { tool, observe } = sending;
  progress.sent = false;
  const clock = startClock(sending.deadlineAt - performance.now(), sending.cancel);
  const free = await sending.slots.take(clock.signal).catch((error: unknown) => {
    clock.stop();
    throw error;
  });
  const start = performance.now();
  const since = () => performance.now() - start;
  const traffic: Traffic = { redirects: 0, bytes: 0 };
  observe({ type: "request", tool, request });
  try {
    const { request: authorized, refused } = await sending.authorize(request, clock.signal);
    const traced = addHeaders(authorized, sending.headers?.(request) ?? []);
    clock.shorten(sending.limits.timeoutMs);
    const reply = await exchange(traced, sending, clock, progress, traffic);
    observe({ type: "reply", tool, request, reply, ms: since(), redirects: traffic.redirects });
    return { reply, ...(refused !== undefined && { refused }) };
  } catch (error) {
    observe({ type: "failure", tool, request, error, ms: since(), ...traffic });
    throw error;
  } finally {
    clock.stop();
    free();
  }
}

/** What one attempt came to on the wire, also where it failed. */
interface Traffic {
  redirects: number;
  /** Decoded. */
  bytes: number;
}

async function exchange(
  { method, url, headers, body, queryKeys }: UpstreamRequest,
  { egress, limits, pool, caller, rows, isFree }: Sending,
  clock: Clock,
  progress: Progress,
  traffic: Traffic,
): Promise<UpstreamReply> {
  const answer = await egress.request({
    method,
    url,
    headers,
    ...(body !== undefined && { body }),
    ...(queryKeys !== undefined && { queryKeys }),
    ...(pool !== undefined && { pool }),
    ...(caller !== undefined && { caller }),
    signal: clock.signal,
    maxBytes: limits.maxResponseBytes,
    redirects: limits.redirects,
    onSent: () => {
      progress.sent = true;
    },
    onRedirect: () => {
      traffic.redirects += 1;
    },
  });
  return readReply(answer, {
    limit: clock.shorten,
    onBytes: (bytes) => {
      traffic.bytes += bytes;
    },
    ...(rows !== undefined && { rows }),
    ...(isFree !== undefined && { isFree }),
  });
}

function mayPassLater({ status, headers }: UpstreamReply): boolean {
  return PASSING.has(status) || (status === 403 && headers.has("retry-after"));
}

function mayPass(error: unknown): boolean {
  // It rests for longer than a retry waits.
  return error instanceof UpstreamUnreachable && error.reason !== "tls" && error.reason !== "resting";
}

function fits(pauseMs: number, { deadlineAt }: Sending): boolean {
  return performance.now() + pauseMs < deadlineAt;
}

/** Twice as long each time, and by chance between half and whole, so that callers do not come back all at once. */
function backOff(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}
