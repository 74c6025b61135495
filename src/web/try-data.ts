import type { Json, JsonObject } from "../model/json.ts";
import type { Cost } from "./page-data.ts";

/** At most 256 kB. */
export interface TryRequest {
  /** As it is listed. */
  readonly tool: string;
  /** As an agent would send them; of a group with its discriminator. */
  readonly arguments: JsonObject;
}

/** How a trial went. One that no tool was called for (an unknown tool, no JSON) is a `PageFault`. */
export interface TryAnswer {
  /** `ran`: the tool was called, and `reply` is what an agent gets. `shown`: nothing was sent; `exchanges` are the requests that it would begin with. */
  readonly kind: "ran" | "shown";
  /** Of `shown` only where the call was refused (`isError`), before anything was planned. */
  readonly reply?: TriedReply;
  /** In the order in which they were sent. */
  readonly exchanges: readonly TriedExchange[];
  /** Exchanges beyond the first hundred. */
  readonly furtherExchanges: number;
  /** Of the reply, and of the upstream's whole answers, whatever of them is shown. */
  readonly cost: { readonly reply: Cost; readonly upstream: Cost };
  readonly ms: number;
  /** What is to be said of the trial, each a sentence. */
  readonly notes: readonly string[];
}

export interface TriedReply {
  readonly isError: boolean;
  /** The text of the reply, cut at 256 kB. */
  readonly text: string;
  /** The same, parsed; absent where it is no JSON or `text` was cut. */
  readonly value?: Json;
  readonly isCut: boolean;
  /** What is marked in `value`. */
  readonly marks: readonly ReplyMark[];
  /** Further content, for example an image: its type and bytes. */
  readonly blocks: readonly { readonly mediaType: string; readonly bytes: number }[];
}

/** A place of the reply that tells what was cut, or was cut. */
export interface ReplyMark {
  /** JSON Pointer (RFC 6901) into the reply. */
  readonly pointer: string;
  /** `told`: what says that something was cut (`omitted`, `summary`, `note`, `hasMore`, `nextPageToken`, `other`); `cut`: a value, or a list, that was. */
  readonly kind: "told" | "cut";
  /** What is missing and how to get it; a sentence. */
  readonly words?: string;
}

export interface TriedExchange {
  readonly request: {
    readonly operation: string;
    readonly method: string;
    readonly url: string;
    /** Without credentials (`***` where a dry run shows where they stand). */
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
  };
  /** Absent where nothing was sent. */
  readonly answer?: TriedUpstream;
  readonly ms?: number;
}

export type TriedUpstream =
  | { readonly kind: "failed"; readonly message: string }
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly cost: Cost;
      /** The body as text (JSON is laid out), secrets hidden. All bodies of a trial together have 256 kB. Empty where it is withheld. */
      readonly text: string;
      /** Bytes of `text` that are not shown; 0: it is whole. */
      readonly cutBytes: number;
      readonly isJson: boolean;
      /** A host shows the upstream's own words only where its file allows it (`raw: true` of the server): fields that the curation left out are in them. */
      readonly isWithheld?: true;
    };
