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
}

/**
 * The same client, but for an origin that gives no answers: that is left alone for a while, and its callers hear so at once (`UpstreamUnreachable`,
 * `resting`; nothing was sent). Any answer is an answer, also a 500: what a caller can bring about must not shut out others.
 */
export function breakUpstreams(egress: Egress, options: BreakerOptions = {}): Egress {
  const { limits = BREAKER, tell, now = () => performance.now() } = options;
  const origins = new Map<string, Health>();

  const recover = (origin: string): void => {
    if (origins.get(origin)?.restMs) tell?.(origin, 0);
    origins.delete(origin);
  };
  const fail = (origin: string, probed: Health | undefined, isDead: boolean): void => {
    const health = origins.get(origin) ?? { failures: 0, restMs: 0, restsUntil: 0, probedAt: undefined };
    origins.set(origin, health);
    health.failures += 1;
    // What was on its way when it came to rest, or since before it was back, tells nothing new.
    if (health !== probed && (health.failures < limits.failures || health.restMs > 0)) return;
    if (health.restMs === 0) health.restMs = limits.restMs;
    // What takes too long may be one caller's doing: others soon find out.
    else if (isDead) health.restMs = Math.min(limits.longestRestMs, health.restMs * 2);
    health.restsUntil = now() + health.restMs;
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
      try {
        const reply = await egress.request(request);
        recover(origin);
        return reply;
      } catch (error) {
        const isDead = isNoAnswer(error);
        if (isDead || (isTimeUp(error) && now() - start >= limits.slowMs)) fail(origin, resting, isDead);
        throw error;
      } finally {
        if (resting?.probedAt === start) resting.probedAt = undefined;
      }
    },
    close: () => egress.close(),
  };
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof UpstreamUnreachable;
}

/** As `run/` says it: a request's time limit, not its caller, has ended it. */
function isTimeUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "TIME_IS_UP";
}
