import type { Egress } from "../../egress/open-egress.ts";
import { UpstreamUnreachable } from "../../model/errors.ts";

export interface BreakerLimits {
  /** So many requests in a row without any answer. */
  readonly failures: number;
  /** How long the upstream is then left alone; twice as long each time that it cannot be reached again. */
  readonly restMs: number;
  readonly longestRestMs: number;
  /** A time limit that ends a request sooner says nothing of the upstream: the rest of its call took the time. */
  readonly slowMs: number;
}

const BREAKER: BreakerLimits = { failures: 5, restMs: 1_000, longestRestMs: 30_000, slowMs: 1_000 };

export interface BreakerOptions {
  readonly limits?: BreakerLimits;
  /** Told when an origin is left alone for so many milliseconds, and when it answers again (0). */
  readonly tell?: (origin: string, restMs: number) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Health {
  failures: number;
  restMs: number;
  /** Until then nothing is sent. */
  restsUntil: number;
  /** One request finds out whether it is back, since then. */
  probedAt: number | undefined;
  /** What failed since it rested was not one caller's doing. */
  isSure: boolean;
  /** Whose requests those were that may be. */
  readonly callers: Set<string>;
}

/** One that got no answer. */
interface Failure {
  /** Nothing took it, so it was none of its caller's doing. */
  readonly isDead: boolean;
  readonly caller: string | undefined;
}

/**
 * The same client, but for an origin that gives no answers: that is left alone for a while, and its callers hear so at once (`UpstreamUnreachable`,
 * `resting`; nothing was sent). Any answer is an answer, also a 500: what a caller can bring about must not shut out others. So what takes too long, and
 * a connection that breaks over a request, counts once it has befallen more than one of them.
 */
export function breakUpstreams(egress: Egress, options: BreakerOptions = {}): Egress {
  const { limits = BREAKER, tell, now = () => performance.now() } = options;
  const origins = new Map<string, Health>();

  const recover = (origin: string): void => {
    if (origins.get(origin)?.restMs) tell?.(origin, 0);
    origins.delete(origin);
  };
  const fail = (origin: string, probed: Health | undefined, { isDead, caller }: Failure): void => {
    const health = origins.get(origin) ?? makeHealth();
    origins.set(origin, health);
    health.failures += 1;
    if (caller !== undefined && !health.isSure) health.callers.add(caller);
    health.isSure ||= isDead || caller === undefined || health.callers.size > 1;
    if (!health.isSure) return;
    // What was on its way when it came to rest, or since before it was back, tells nothing new.
    if (health !== probed && (health.failures < limits.failures || health.restMs > 0)) return;
    if (health.restMs === 0) health.restMs = limits.restMs;
    // What was taken may be its caller's doing: others soon find out.
    else if (isDead) health.restMs = Math.min(limits.longestRestMs, health.restMs * 2);
    health.restsUntil = now() + health.restMs;
    health.isSure = false;
    health.callers.clear();
    tell?.(origin, health.restMs);
  };
  const isLeftAlone = ({ probedAt, restsUntil }: Health): boolean =>
    now() < restsUntil || (probedAt !== undefined && now() - probedAt < limits.slowMs);
  return {
    async request(request) {
      const { origin, host } = new URL(request.url);
      const health = origins.get(origin);
      const resting = health !== undefined && health.restMs > 0 ? health : undefined;
      if (resting !== undefined && isLeftAlone(resting))
        throw new UpstreamUnreachable("resting", `${host} has given no answers, and is left alone for a moment.`);
      const start = now();
      if (resting !== undefined) resting.probedAt = start;
      let isSent = false;
      const onSent = (): void => {
        isSent = true;
        request.onSent?.();
      };
      try {
        const reply = await egress.request({ ...request, onSent });
        recover(origin);
        return reply;
      } catch (error) {
        const isGone = isNoAnswer(error);
        if (isGone || (isTimeUp(error) && now() - start >= limits.slowMs))
          fail(origin, resting, { isDead: isGone && !isSent, caller: request.caller });
        throw error;
      } finally {
        if (resting?.probedAt === start) resting.probedAt = undefined;
      }
    },
    close: () => egress.close(),
  };
}

function makeHealth(): Health {
  return { failures: 0, restMs: 0, restsUntil: 0, probedAt: undefined, isSure: false, callers: new Set() };
}

/** What this machine lacks is no fault of the other side. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof UpstreamUnreachable && error.reason !== "exhausted";
}

/** As `run/` says it: a request's time limit, not its caller, has ended it. */
function isTimeUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "TIME_IS_UP";
}
