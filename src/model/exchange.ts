import type { SchemeCredential } from "./credential.ts";
import type { Ending } from "./ending.ts";
import type { Json, JsonObject } from "./json.ts";

/** One HTTP request, complete but for credentials, which are laid on last. */
export interface UpstreamRequest {
  /** `METHOD /path` of the operation. */
  readonly operation: string;
  readonly method: string;
  /** Absolute; its origin never comes from a caller. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Credentials among the query, by parameter: they stay with the origin when a redirect is followed. */
  readonly queryKeys?: readonly (readonly [name: string, value: string])[];
  /** The response must be read without effect when repeated. */
  readonly safe: boolean;
  /** It carries an idempotency key: the upstream carries it out once however often it comes. */
  readonly keyed?: true;
}

/** What came back, with its body read to the bound. */
export interface UpstreamReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded bytes. */
  readonly bytes: number;
  readonly body: ReplyBody;
}

export type ReplyBody =
  | {
      readonly kind: "json";
      readonly value: Json;
      /** Why a sequence of items was not read to its end, a phrase. */
      readonly cut?: string;
      /** The value's list holds a part of the rows that came. */
      readonly part?: RowPart;
      /** Where not all members of the rows were kept: of the bytes, the same for the same and hardly ever for others. */
      readonly print?: string;
      /** Its text was found to hold no secret of ours. */
      readonly free?: true;
      /** Bytes of it were no text in their charset, and stand as U+FFFD. */
      readonly replaced?: true;
      readonly told?: ToldByHead;
    }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly mediaType: string;
      readonly replaced?: true;
      readonly told?: ToldByHead;
    }
  | { readonly kind: "binary"; readonly data: Uint8Array; readonly mediaType: string }
  | { readonly kind: "empty"; readonly told?: ToldByHead };

/** What the head of a success says of what became of the request: where no body does, and of what is accepted only. Addresses of the API's own server are without its origin. */
export interface ToldByHead {
  /** It is not completed yet (RFC 9110 15.3.3). */
  readonly accepted?: true;
  /** Of what was made, or will be. */
  readonly location?: string;
  /** Where the upstream tells how far it is. */
  readonly statusLocation?: string;
  readonly retryAfterMs?: number;
}

export interface RowPart {
  /** Rows before the first that was kept. */
  readonly from: number;
  /** All rows that came. */
  readonly count: number;
  /** The rest of the body was not waited for, so that it may have more rows, and what stands behind them is not known. */
  readonly stopped: boolean;
}

/** What a tool answers. Protocol faults (an unknown tool) are thrown, never replied. */
export type ToolReply =
  /** `text` is the reply's JSON, made once, and what `JSON.stringify` makes of `structured`, which is the same value. `blocks` are further content, for example an image. */
  | {
      readonly isError: false;
      readonly text: string;
      readonly structured?: JsonObject;
      readonly blocks?: readonly ContentBlock[];
      /**
       * Nothing was done yet (contract section 1, Writes): what is asked, in words for a person, and the token that proves that it was. It counts as
       * `Caller.confirmed` where the caller can ask one; else it stands in the reply as well, and counts as the argument `confirm`.
       */
      readonly confirmation?: { readonly question: string; readonly token: string };
      /** Matching rows that are known of and not in the reply; absent where there are none. For events. */
      readonly rowsOmitted?: number;
    }
  /** `text` is one JSON object (contract section 7). */
  | { readonly isError: true; readonly text: string; readonly error: string };

export type ContentBlock =
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource"; readonly uri: string; readonly mimeType: string; readonly blob: string };

/** Who calls, as the door has found out. Its parts are the same objects for as long as it is known: what is made for it is kept by them. */
export interface Identity {
  /** The name of its key, or of a token a digest of issuer and subject. Absent where there is nobody to tell it from. */
  readonly id?: string;
  /** The claims of the caller's key; `{}` for a caller without one. */
  readonly key: JsonObject;
  /** Each in place of the curation's own of the same scheme. */
  readonly credentials?: readonly SchemeCredential[];
  /** The access token that the caller showed at the door, to be exchanged (RFC 8693); it goes to no upstream. */
  readonly subjectToken?: string;
}

/** One call's caller. */
export interface Caller extends Identity {
  /** Ends when the caller cancels or goes away. */
  readonly signal: Ending;
  /** The token of a question that a person has answered with yes, by elicitation: no agent can say this. */
  readonly confirmed?: string;
  /** It may change nothing: whatever else than a read would be sent ends the call, however it is declared. */
  readonly onlyReads?: true;
  /** Who calls looks at the upstream's answers themselves, so they are read whole whatever the reply needs of them. */
  readonly showsAnswers?: true;
  /** It can ask a person (elicitation). */
  readonly canAsk?: boolean;
  /** Told how far a call is, where the client asked for it. */
  readonly progress?: (done: number, total: number, message: string) => void;
  /** Told of the requests of this call alone (`Outside.observe` is told of all). Must not throw. */
  readonly observe?: (event: RunEvent) => void;
  /** What a request of this call says of the trace that it belongs to; what it has of that itself stays. Must not throw. */
  readonly headers?: (request: UpstreamRequest) => UpstreamRequest["headers"];
}

/** What happens during a call, for telemetry and for `vitrine call --raw`. */
export type RunEvent =
  | { readonly type: "request"; readonly tool: string; readonly request: UpstreamRequest }
  | {
      readonly type: "reply";
      readonly tool: string;
      readonly request: UpstreamRequest;
      readonly reply: UpstreamReply;
      readonly ms: number;
      /** Requests that followed redirects; absent: none. */
      readonly redirects?: number;
    }
  | {
      readonly type: "failure";
      readonly tool: string;
      readonly request: UpstreamRequest;
      readonly error: unknown;
      readonly ms: number;
      readonly redirects?: number;
      /** Decoded bytes of a body that broke off or was too large; absent: none came. */
      readonly bytes?: number;
    };

/** `Upstream` with its `env` and `key` read, for one caller. Everything in it is secret. */
export interface ResolvedUpstream {
  readonly baseUrl?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credentials: ReadonlyMap<string, ResolvedCredential>;
  /** What was read from `env` or `key` under `api`, but for addresses and plain names: never to be shown (see `run/hide-secrets`). */
  readonly secrets: readonly string[];
}

export type ResolvedCredential =
  | {
      readonly kind: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
      readonly value: string;
    }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "mutualTLS" }
  | ClientCredentials
  | TokenExchange;

/** OAuth 2.0 client credentials (RFC 6749 4.4), to be exchanged for a token. */
export interface ClientCredentials {
  readonly kind: "clientCredentials";
  /** Absolute, http or https. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Those of the operation's own requirement where absent. */
  readonly scopes?: readonly string[];
  readonly audience?: string;
}

/** The caller's own access token, to be exchanged for one of the upstream (RFC 8693). */
export interface TokenExchange {
  readonly kind: "tokenExchange";
  /** Absolute, http or https. */
  readonly tokenUrl: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Those of the operation's own requirement where absent. */
  readonly scopes?: readonly string[];
  readonly audience?: string;
  readonly resource?: string;
}

/** A request with its credentials laid on, ready to be sent. */
export interface AuthorizedRequest {
  readonly request: UpstreamRequest;
  /** Secrets in it that stand in no setting, for example an access token. */
  readonly secrets: readonly string[];
  /** To be told that the upstream refused it with 401: true where another, fresh credential may do. Absent where none can be had. */
  readonly refused?: () => boolean;
}
