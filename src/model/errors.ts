import type { Json } from "./json.ts";

/** What an agent is told when a tool cannot do what it was asked (contract section 7); `recover` says what to do next. */
export interface ToolErrorDetail {
  readonly message: string;
  readonly recover: string;
  readonly retryable?: boolean;
  /** Where in the arguments, for example `dimensions[0]`. */
  readonly path?: string;
  readonly got?: Json;
  readonly allowed?: readonly Json[];
  readonly nearest?: readonly string[];
  readonly retryAfterMs?: number;
  /** The upstream's own words, already cut and stripped of secrets. */
  readonly upstream?: {
    readonly status?: number;
    readonly code?: string;
    readonly message?: string;
    readonly step?: string;
  };
}

/** Codes of tool errors that vitrine itself gives; a curation adds its own. */
export const TOOL_ERROR_CODES = [
  "invalid_arguments",
  "unknown_argument",
  "pinned_argument",
  "unknown_fields",
  "unknown_id",
  "ambiguous_id",
  "filter_not_expressible",
  "invalid_cursor",
  "cursor_expired",
  "confirmation_required",
  "rate_limited",
  "upstream_rejected",
  "upstream_unauthorized",
  "upstream_not_found",
  "upstream_rate_limited",
  "upstream_unavailable",
  "upstream_timeout",
  "upstream_bad_response",
  "response_too_large",
  "destination_blocked",
  "outcome_unknown",
  "cancelled",
  "internal",
] as const;

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** What events and traces call the errors of JSON-RPC 2.0 5.1 and MCP 2026-07-28, by their codes. */
export const FAULT_NAMES: ReadonlyMap<number, string> = new Map([
  [-32700, "parse_error"],
  [-32600, "invalid_request"],
  [-32601, "method_not_found"],
  [-32602, "invalid_params"],
  [-32603, "internal"],
  [-32020, "header_mismatch"],
  [-32021, "missing_capability"],
  [-32022, "unsupported_version"],
]);

/** A tool error on its way to the agent. `cause` is for the operator and never leaves the process but in the log. */
export class ToolError extends Error {
  readonly code: string;
  readonly detail: ToolErrorDetail;
  constructor(code: ToolErrorCode | (string & {}), detail: ToolErrorDetail, options?: ErrorOptions) {
    super(detail.message, options);
    this.name = "ToolError";
    this.code = code;
    this.detail = detail;
  }
}

/** The protocol fault of a name that is not listed for this caller; the same whether it never existed or is hidden. */
export class UnknownTool extends Error {
  readonly code = "UNKNOWN_TOOL";
  constructor(name: string) {
    super(`Unknown tool: ${name.slice(0, 128)}`);
    this.name = "UnknownTool";
  }
}

/** The address is not one that may be reached (egress). `reason` is for the operator. */
export class DestinationBlocked extends Error {
  readonly code = "DESTINATION_BLOCKED";
  /** Of a redirect: what the agent may hear, a phrase behind the operation, without the query of any address. */
  readonly told: string | undefined;
  constructor(message: string, told?: string) {
    super(message);
    this.told = told;
  }
}

/** A body grew over its bound of decoded bytes (egress). */
export class BodyTooLarge extends Error {
  readonly code = "BODY_TOO_LARGE";
  readonly limitBytes: number;
  constructor(limitBytes: number) {
    super(`The body is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}

/**
 * Why no answer came: `connect` timed out, `reset` after the connection stood (bytes may have been sent), none ever stood, this machine has no files or
 * memory left for another one (`exhausted`), or nothing was tried because nothing has answered of late (`resting`).
 */
export type UnreachableCause = "refused" | "connect-timeout" | "dns" | "tls" | "reset" | "exhausted" | "resting";

/** No whole answer came from the network (egress). The message names host and cause, never a path or a query. */
export class UpstreamUnreachable extends Error {
  readonly code = "UPSTREAM_UNREACHABLE";
  readonly reason: UnreachableCause;
  constructor(reason: UnreachableCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** What came is not HTTP, or not the encoding that it says (egress). */
export class UpstreamMalformed extends Error {
  readonly code = "UPSTREAM_MALFORMED";
  /** Why it cannot be read, a phrase that the agent may hear. */
  readonly told: string | undefined;
  constructor(message: string, options?: ErrorOptions & { readonly told?: string }) {
    super(message, options);
    this.told = options?.told;
  }
}

/** A token endpoint gave no access token (auth). The message is the operator's: host, status and the endpoint's own words, cut. */
export class TokenRefused extends Error {
  readonly code = "TOKEN_REFUSED";
  /** It may give one later. */
  readonly mayPass: boolean;
  /** RFC 6749 5.2: the endpoint's own code, where it gave one. */
  readonly error: string | undefined;
  constructor(message: string, mayPass: boolean, options?: ErrorOptions & { readonly error?: string }) {
    super(message, options);
    this.mayPass = mayPass;
    this.error = options?.error;
  }
}

/** An expression of the curation could not be evaluated: wrong types, or over a bound (run). The message holds no data. */
export class ExpressionFailed extends Error {
  readonly code = "EXPRESSION_FAILED";
}

/** A document that cannot be read at all: ends a command with exit code 2. The message is one line for a person. */
export class UnreadableInput extends Error {
  readonly code = "UNREADABLE_INPUT";
}

/** A setting that serving needs is absent, for example an environment variable: ends a command with exit code 2. */
export class MissingSetting extends Error {
  readonly code = "MISSING_SETTING";
}
