import type { Condition } from "../../model/filter.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/** Which page of the upstream's list, in the words of its style: a number counts from its first page, row or item. */
export type PageCursor =
  | { readonly kind: "first" }
  /** `page`: the page's number; `offset` and `range`: rows before it. */
  | { readonly kind: "number"; readonly number: number }
  /** `token` and `last`: what is sent. */
  | { readonly kind: "value"; readonly value: Json }
  /** `link`: the address, without its origin. */
  | { readonly kind: "link"; readonly target: string };

/** Where a list goes on. */
export type Position =
  /** In the upstream's pages: `skip` rows of that page, at that size, were shown before. */
  | { readonly kind: "page"; readonly page: PageCursor; readonly size?: number; readonly skip: number }
  /** In the rows of the reply, once they are all read and ordered. */
  | { readonly kind: "row"; readonly at: number };

/** What a page token carries beside what it is bound to. */
export interface PageToken {
  readonly position: Position;
  /** Of the row shown last (see `identify-row`): found again, nothing has moved. */
  readonly anchor?: string;
  /** The moment at which relative defaults were resolved, so that every page asks about the same range. */
  readonly now: Date;
}

/** The rows that were read for one reply. */
export type ListRead = {
  /** As the upstream gave them, and in its order. */
  readonly rows: readonly Json[];
  /** The body of the first page that was read. */
  readonly body: Json;
  /** Those of the pages read after it, in their order. */
  readonly laterBodies?: readonly Json[];
  /** The upstream has rows beyond those that no page token reaches, for it does not say how to ask for them, or was cut. */
  readonly unreachable: boolean;
  /** Why a sequence was not read to its end, a phrase. */
  readonly cut?: string;
  /** Why there are rows that were not made, though no upstream holds them back, a sentence. */
  readonly stopped?: string;
  /** Rows moved while the pages were read: some may be missing or come twice (`SNAPSHOT_DRIFT`). */
  readonly moved?: true;
} & (
  | {
      /** Every row of the list, so far as the upstream gives them: what comes before the position too. */
      readonly kind: "whole";
    }
  | {
      /** Rows from the position on. */
      readonly kind: "part";
      /** The position was the beginning, and nothing comes behind these rows. */
      readonly complete: boolean;
      /** Rows come behind these. */
      readonly more: boolean;
      /** Where the list goes on behind so many of these rows. */
      readonly after: (shown: number) => Position;
      /** Where the body held the whole list, of which only these rows were kept: rows before them, and all. */
      readonly counted?: { readonly start: number; readonly total: number };
      /** Rows moved since the page before: some may be missing or come twice (`SNAPSHOT_DRIFT`). */
      readonly drifted: boolean;
    }
);

/** The filter of one call. */
export interface ResolvedFilter {
  /** The caller's and `always`; absent where there is neither. */
  readonly condition?: Condition;
  /** The caller's own, as the reply echoes it. */
  readonly applied?: JsonObject;
}
