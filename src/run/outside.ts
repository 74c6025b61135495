import type { Egress } from "../egress/open-egress.ts";
import type { SchemeUse } from "../model/api.ts";
import type { Ending } from "../model/ending.ts";
import type { AuthorizedRequest, ResolvedCredential, RunEvent, UpstreamRequest } from "../model/exchange.ts";

/** All that running a tool touches outside this room. */
export interface Outside {
  readonly egress: Egress;
  /** Lays credentials onto a request, for which it may have to ask for a token first. Throws ToolError, and the signal's reason. */
  readonly authorize: (
    request: UpstreamRequest,
    security: readonly (readonly SchemeUse[])[],
    credentials: ReadonlyMap<string, ResolvedCredential>,
    authorizing: {
      readonly egress: Egress;
      /** Ends the wait for a token. */
      readonly signal: Ending;
      /** The longest that one request may take. */
      readonly timeoutMs: number;
      /** The caller's own, to be exchanged (RFC 8693). */
      readonly subjectToken?: string;
    },
  ) => Promise<AuthorizedRequest>;
  /** Told of every request and its answer, without credentials. */
  readonly observe: (event: RunEvent) => void;
  /** Told of errors that are the operator's to look into. `hide` takes the secrets of the caller whose call it was out of a text. */
  readonly report: (error: unknown, hide?: (text: string) => string) => void;
  readonly now: () => Date;
}
