import type { Json } from "../../model/json.ts";

/** What a call needs of a large JSON body: a list in it and, where they are enough, some of its rows or some of their members. */
export interface RowsWanted {
  /** From the body to the list; empty where the body is the list. */
  readonly path: readonly string[];
  /** Of a row that is an object: whether this member is read. Absent: all are. */
  readonly reads?: (name: string) => boolean;
  /** Absent: all rows are looked at. */
  readonly window?: RowWindow;
  /** The body's bytes are compared with those of other pages. */
  readonly isCompared?: boolean;
}

/** Asked when a body is found to be large; undefined where all of it is needed. */
export type WantRows = () => RowsWanted | undefined;

export interface RowWindow {
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
  /** Whether the first row is the one that it is taken for. Where it is not, a body that is not too large is read whole. */
  readonly isExpected?: (first: Json) => boolean;
  /** More is said of a list that was read whole: only of a body that is too large for that the window is enough. */
  readonly onlyOfLarge: boolean;
  /** What stands behind these rows in the body is not needed, where it is large. */
  readonly mayStop: boolean;
  /** Of a body that is held these are enough, as no more can be shown. Absent: all of them may be. */
  readonly room?: RowRoom;
}

/** What the rows of a reply may take, in bytes. */
export interface RowRoom {
  readonly bytes: number;
  /** A row takes no less in it, with the comma behind it, if it holds no secret. */
  leastOf(row: Json): number;
}

/** In bytes. */
export interface RowSizes {
  /** A smaller body is parsed faster than it is looked through. */
  readonly least: number;
  /** A larger body is never held whole. */
  readonly whole: number;
  /** So many bytes of a large body are looked through at a time. */
  readonly block: number;
}
