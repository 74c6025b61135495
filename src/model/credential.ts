import type { Value } from "./value.ts";

/** The credential for one of the spec's security schemes; `default` serves operations whose spec asks for none. */
export interface SchemeCredential {
  readonly scheme: string;
  readonly credential: Credential;
}

/** What the curation writes for one of the spec's security schemes. Its values are expressions, read when serving. */
export type Credential =
  | {
      readonly kind: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
      readonly value: Value;
    }
  | { readonly kind: "bearer"; readonly token: Value }
  | { readonly kind: "basic"; readonly username: Value; readonly password: Value }
  /** Nothing is sent: the connection's own certificate (`Upstream.tls`) is what the scheme asks for. */
  | { readonly kind: "mutualTLS" }
  | {
      readonly kind: "clientCredentials";
      /** Absolute, or (as a spec may write it) relative to `Upstream.baseUrl`. */
      readonly tokenUrl: Value;
      readonly clientId: Value;
      readonly clientSecret: Value;
      /** Those of the operation's own requirement where absent. */
      readonly scopes?: readonly Value[];
      readonly audience?: Value;
    }
  /** The caller's own access token, exchanged for one of the upstream (RFC 8693). */
  | {
      readonly kind: "tokenExchange";
      readonly tokenUrl: Value;
      /** Absent: the endpoint asks for no client. */
      readonly clientId?: Value;
      readonly clientSecret?: Value;
      /** Those of the operation's own requirement where absent. */
      readonly scopes?: readonly Value[];
      readonly audience?: Value;
      readonly resource?: Value;
    };
