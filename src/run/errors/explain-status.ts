import type { ToolErrorCode } from "../../model/errors.ts";
import type { UpstreamReply } from "../../model/exchange.ts";
import { isRateLimited } from "../exchange/is-rate-limited.ts";
import { readRetryAfter } from "../exchange/read-retry-after.ts";

export interface Explained {
  readonly code: ToolErrorCode;
  /** Without a full stop: the upstream's own words may follow. */
  readonly message: string;
  readonly recover: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

export interface Answered {
  readonly reply: Pick<UpstreamReply, "status" | "headers">;
  /** The operation may be repeated without effect. */
  readonly safe: boolean;
  readonly now: Date;
}

const TELL_USER = "Arguments do not change this: tell the user.";
const CREDENTIAL: Explained = {
  code: "upstream_unauthorized",
  message: "The upstream refused this server's credential or its rights",
  recover: "Do not call again: the operator of this server must check its credential for the API. Tell the user so.",
  retryable: false,
};
const BY_STATUS: ReadonlyMap<number, Explained> = new Map([
  [
    304,
    {
      code: "upstream_bad_response",
      message: "The upstream says that nothing has changed, and sends nothing",
      recover: "Leave out what asks for changes only, such as If-None-Match; where nothing does, tell the user.",
      retryable: false,
    },
  ],
  [401, CREDENTIAL],
  [403, CREDENTIAL],
  [
    404,
    {
      code: "upstream_not_found",
      message: "The upstream has nothing there",
      recover: "Check the identifiers in the arguments: take them from a tool that lists them.",
      retryable: false,
    },
  ],
]);
/** RFC 9110 15.5.9 and RFC 8470 5.2: the request was not carried out, and may be sent again. */
const TRY_AGAIN = new Set([408, 425]);

/** What an answer of status 300 or more means by itself; `speaks`: the upstream says in words what is wrong. */
export function explainStatus({ reply, safe, now }: Answered, speaks: boolean): Explained {
  const { status, headers } = reply;
  if (isRateLimited(reply)) return explainBusy(readRetryAfter(reply, now));
  const known = BY_STATUS.get(status);
  if (known) return known;
  if (status >= 500) return explainUnavailable(safe, readRetryAfter(reply, now));
  if (status < 400) return explainElsewhere(headers.has("location"));
  if (TRY_AGAIN.has(status)) return explainEarly(readRetryAfter(reply, now));
  return {
    code: "upstream_rejected",
    message: "The upstream rejected the request",
    recover: speaks
      ? "Correct the arguments as the upstream's message says and call again."
      : "Check the arguments against the tool's description and call again.",
    retryable: false,
  };
}

function explainBusy(retryAfterMs: number | undefined): Explained {
  return {
    code: "upstream_rate_limited",
    message: "The upstream takes no more requests for now",
    recover:
      retryAfterMs === undefined ? "Wait a minute, then call again." : `Wait ${retryAfterMs} ms, then call again.`,
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function explainUnavailable(safe: boolean, retryAfterMs: number | undefined): Explained {
  return {
    code: "upstream_unavailable",
    message: "The upstream failed",
    recover: safe
      ? "Call again in a moment; if it fails again, tell the user that the API is unavailable."
      : "Find out whether the call took effect before you repeat it.",
    retryable: safe,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function explainEarly(retryAfterMs: number | undefined): Explained {
  return {
    code: "upstream_rejected",
    message: "The upstream did not take the request up",
    recover: "Call again in a moment, with the same arguments.",
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Redirects that say where to were followed or refused before. */
function explainElsewhere(hasTarget: boolean): Explained {
  return {
    code: "upstream_bad_response",
    message: `The upstream gave no answer of its own but sent elsewhere${hasTarget ? "" : ", without saying where"}`,
    recover: TELL_USER,
    retryable: false,
  };
}
