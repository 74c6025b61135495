import type { Ending } from "../../model/ending.ts";
import {
  BodyTooLarge,
  DestinationBlocked,
  ToolError,
  type ToolErrorCode,
  type ToolErrorDetail,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../../model/errors.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import { TimeIsUp } from "./start-clock.ts";

export interface Attempted {
  readonly request: UpstreamRequest;
  readonly cancel: Ending;
  /** Bytes of the last attempt went out. */
  readonly sent: boolean;
  readonly attempts: number;
}

const TELL_USER = "Arguments do not change this: tell the user.";
const FIND_OUT = "Do not repeat it: find out first whether it took effect, for example with a tool that reads.";

/**
 * The tool error of a request that got no whole answer, with the operation's method and path template and no URL. What is no failure of the
 * outside comes back as it is. The cause is kept for the operator.
 */
export function explainSending(error: unknown, attempted: Attempted): unknown {
  if (error instanceof ToolError) return error;
  const make = (code: ToolErrorCode, detail: ToolErrorDetail) => new ToolError(code, detail, { cause: error });
  const { operation, safe } = attempted.request;
  const mayHaveActed = !safe && attempted.sent;
  if (attempted.cancel.aborted) {
    return make("cancelled", {
      message: `The call was cancelled${mayHaveActed ? `; ${operation} had been sent and may have taken effect` : ""}.`,
      recover: mayHaveActed ? FIND_OUT : "Call again if it is still wanted.",
      retryable: !mayHaveActed,
    });
  }
  if (error instanceof DestinationBlocked) {
    return make("destination_blocked", {
      message: `${operation} ${error.told ?? "leads to an address that this server may not reach"}${mayHaveActed ? ", in answer to a request that may have taken effect" : ""}.`,
      recover: mayHaveActed ? FIND_OUT : TELL_USER,
      retryable: false,
    });
  }
  if (error instanceof BodyTooLarge) {
    return make("response_too_large", {
      message: `The upstream's answer to ${operation} is larger than ${error.limitBytes} bytes.`,
      recover: safe ? "Ask for less: narrow the arguments, or ask for a smaller page." : FIND_OUT,
      retryable: false,
    });
  }
  const lost = explainLoss(error, attempted.attempts);
  if (lost === undefined) return error;
  if (mayHaveActed) {
    return make("outcome_unknown", {
      message: `${operation} was sent, and its answer was lost (${lost.what}): it may have taken effect.`,
      recover: FIND_OUT,
      retryable: false,
    });
  }
  return make(lost.code, {
    message: `${operation} got no answer: ${lost.what}.`,
    recover: lost.recover,
    retryable: lost.retryable,
  });
}

interface Loss {
  readonly code: ToolErrorCode;
  readonly what: string;
  readonly recover: string;
  readonly retryable: boolean;
}

const UNREACHABLE: Readonly<Record<UpstreamUnreachable["reason"], string>> = {
  refused: "the upstream refused the connection",
  "connect-timeout": "the upstream did not take the connection",
  dns: "the upstream's host name was not found",
  tls: "the upstream's certificate or our TLS was not accepted",
  reset: "the upstream broke the connection",
  exhausted: "this server has no room for another connection",
  resting: "the upstream has given no answers of late, and is left alone for a moment",
};

function explainLoss(error: unknown, attempts: number): Loss | undefined {
  if (error instanceof TimeIsUp) {
    return {
      code: "upstream_timeout",
      what: "the upstream took too long",
      recover: "Ask for less, for example a shorter range or a smaller page, or call again later.",
      retryable: true,
    };
  }
  if (error instanceof UpstreamUnreachable) {
    const isTls = error.reason === "tls";
    return {
      code: "upstream_unavailable",
      what: `${UNREACHABLE[error.reason]}${attempts > 1 ? ` (${attempts} attempts)` : ""}`,
      recover: isTls
        ? TELL_USER
        : "Call again in a moment; if it fails again, tell the user that the API is unavailable.",
      retryable: !isTls,
    };
  }
  if (error instanceof UpstreamMalformed) {
    return {
      code: "upstream_bad_response",
      what: `what the upstream sent cannot be read${error.told === undefined ? "" : `: ${error.told}`}`,
      recover: TELL_USER,
      retryable: false,
    };
  }
  return undefined;
}
