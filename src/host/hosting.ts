import type { Credential } from "../model/credential.ts";
import type { JsonObject } from "../model/json.ts";
import type { TagChoice } from "../model/visible/hide-by-tags.ts";

/** The host file, read and checked (contract section 9), with what it reads of the environment. Times in milliseconds. Holds secrets: never to be shown. */
export interface HostFile {
  readonly listen: { readonly hostname: string; readonly port: number };
  /** Absolute, without a trailing slash; callers' URLs and audiences are made of it. */
  readonly publicUrl: string;
  /** How many reverse proxies stand before it, each of which adds to X-Forwarded-For. */
  readonly proxies: number;
  /** Requests that one address may make, before it is known who asks. */
  readonly addressRate?: Rate;
  /** Connections that one address may hold at once; see `boundAddresses`. */
  readonly addressConnections?: number;
  /** Of web pages that may call from a browser, beside those of `publicUrl` itself. */
  readonly origins?: ReadonlySet<string>;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  readonly keys: ReadonlyMap<string, KeyEntry>;
  readonly oauth?: OauthEntry;
  /** redis:// or rediss:// URL; it may hold a password. */
  readonly shared?: string;
  /** The events file. */
  readonly events?: string;
}

export interface ServerEntry {
  readonly name: string;
  /** Of the curation, as seen from the working directory. */
  readonly curation: string;
  readonly root?: string;
  /** The variables that its curation may read; others are unset for it. */
  readonly env: readonly string[];
  /** CIDR blocks that it may reach beside public addresses. */
  readonly allowPrivate: readonly string[];
  readonly tags: TagChoice;
  readonly expose?: "flat" | "grouped";
  /** Calls a caller may make. */
  readonly rate?: Rate;
  /** Calls that all callers may make together. */
  readonly totalRate?: Rate;
  /** Without it `server.explore` of the curation does not count. */
  readonly explore: boolean;
  /** The page shows callers the upstream's own answers too, with whatever the curation leaves out of them. */
  readonly raw?: boolean;
}

export interface Rate {
  readonly calls: number;
  readonly perMs: number;
}

/** An API key: bound to one server and one set of claims, for good. */
export interface KeyEntry {
  /** Its name in the file: what events and logs call it. */
  readonly id: string;
  /** SHA-256 of the whole key, in hex. */
  readonly sha256: string;
  readonly server: string;
  readonly claims: JsonObject;
  /** In place of the curation's own, by security scheme. */
  readonly credentials: readonly { readonly scheme: string; readonly credential: KeyCredential }[];
  /** False: it only reads, whatever the curation says. */
  readonly writes: boolean;
  readonly tags: TagChoice;
  readonly expires?: Date;
  readonly rate?: Rate;
}

/** Its values are literal. An API key without a place is sent where the curation's own of the scheme is (`fitCredentials`). */
export type KeyCredential = Credential | Pick<Extract<Credential, { kind: "apiKey" }>, "kind" | "value">;

/** OAuth 2.1: whose access tokens are good here, and what they say. */
export interface OauthEntry {
  readonly issuer: string;
  /** Claim of `key` → claim of the token. */
  readonly claims: ReadonlyMap<string, string>;
  /** All of these are needed to call anything. */
  readonly scopes: readonly string[];
  /** A caller without it only reads; so does every caller where it is unsaid. */
  readonly writeScope?: string;
  /** Tokens may be for other resources too. */
  readonly severalAudiences?: boolean;
  /** Tokens may be of the type JWT, which is that of any token, in place of at+jwt. */
  readonly plainJwt?: boolean;
}

/** Who is at the door, found to be who they say they are. One object for as long as the caller is known: what is made for a caller is kept by it. */
export interface VerifiedCaller {
  readonly kind: "key" | "token";
  /** The key's name, or of a token a digest of issuer and subject. */
  readonly id: string;
  readonly server: string;
  readonly claims: JsonObject;
  readonly writes: boolean;
  readonly tags: TagChoice;
  readonly credentials: KeyEntry["credentials"];
  readonly rate?: Rate;
  /** The caller's own token, for exchange alone (RFC 8693); it never goes to the upstream. */
  readonly subjectToken?: string;
  /** After this the caller is not known any more. */
  readonly expires?: Date;
}

/** What the door answers: a caller, or a refusal that says nothing about other servers, keys or tools. */
export type DoorAnswer = { readonly kind: "caller"; readonly caller: VerifiedCaller } | Refusal;

export interface Refusal {
  readonly kind: "refused";
  readonly status: 400 | 401 | 403 | 429 | 503;
  /** For example `www-authenticate` (RFC 6750, RFC 9728), `retry-after`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON-RPC error outside of -32768…-32000: 1429 too many, 1503 overloaded or draining; -32000 where access is refused. */
  readonly code: number;
  readonly message: string;
}

/** Finds out who calls. The same wall for every method of MCP. */
export interface Door {
  verify(asked: {
    readonly server: string;
    /** The Authorization header as it came. */
    readonly authorization: string | undefined;
    readonly now: Date;
  }): Promise<DoorAnswer>;
}

/** What may be admitted, counted here or, where processes share a store, there. */
export interface Limiter {
  /** Before anybody is known: by address. Counts failures of the door only when `failed` is told. */
  address(address: string): Promise<Refusal | undefined>;
  failed(address: string): void;
  /** One request of an address, whatever it shows. */
  arrive(address: string, rate: Rate): Promise<Refusal | undefined>;
  /** One call of a caller; by the rate of its key, else of the server, and by that of the server's callers together. */
  call(caller: VerifiedCaller, server: ServerEntry): Promise<Refusal | undefined>;
}
