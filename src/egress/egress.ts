import type { Ending } from "../model/ending.ts";
import type { Lookup } from "./share-lookups.ts";

/** Which destinations may be reached, and how. */
export interface EgressPolicy {
  /** `host` or `host:port`: may have any address but link-local, metadata and unspecified ones, and may be spoken to in plain http. */
  readonly trustedHosts: readonly string[];
  /** CIDR blocks of addresses that are not public and may be reached. */
  readonly allowPrivate: readonly string[];
  /** False: only https, but for trusted hosts. Default true. */
  readonly allowHttp?: boolean;
  /** PEM texts. `ca` replaces the system's authorities; `cert` and `key` are a credential and are shown to the first origin alone. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** All addresses of a host name; the system's resolver where absent. */
  readonly lookup?: Lookup;
}

export interface EgressRequest {
  readonly method: string;
  /** Absolute, http or https, without user information. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Ends the request in any phase; what it was aborted with is thrown. */
  readonly signal: Ending;
  /** Decoded bytes of the body. */
  readonly maxBytes: number;
  /** Further hosts (`host` or `host:port`) to which a GET or HEAD may be redirected, then without credentials. */
  readonly redirects: readonly string[];
  /** Credentials in the query, by parameter: kept by a redirect that stays at the origin, taken out by one that leaves it. */
  readonly queryKeys?: readonly (readonly [name: string, value: string])[];
  /** Connections are used again within one of these alone: what came over one with other credentials is never met. */
  readonly pool?: string;
  /** Whose call it is, where several share the client. It is not sent. */
  readonly caller?: string;
  /** Without the client's certificate: set on the way to another origin. */
  readonly anonymous?: boolean;
  /** Called when the request goes out on a connection: from then on the other side may have acted on it. */
  readonly onSent?: () => void;
  /** Called when a redirect is followed: one more request goes out. */
  readonly onRedirect?: () => void;
}

export interface EgressReply {
  readonly status: number;
  /** Lower-case names; values of a repeated header joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /**
   * The decoded body, to be read once; leaving the loop early aborts the download. Throws `BodyTooLarge` over `maxBytes`, `UpstreamMalformed` where
   * it is not what its headers say, `UpstreamUnreachable` (reset) where it breaks off, and the signal's reason.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The one client to the outside. */
export interface Egress {
  /**
   * Sends one request and follows the redirects that are allowed (GET and HEAD, at most 5). Throws `DestinationBlocked`, `UpstreamUnreachable`,
   * `UpstreamMalformed`, or the signal's reason.
   */
  request(request: EgressRequest): Promise<EgressReply>;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** An answer whose body is still on the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the connection back when the body was read whole, else closes it. To be called once. */
  done(whole: boolean): void;
}
