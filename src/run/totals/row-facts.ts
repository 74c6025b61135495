import type { Sums } from "./add-up.ts";

/** What a summary needs to know of the rows of its reply. */
export interface RowFacts {
  /** The column that is added up; `rows` of a count. */
  readonly measure: string;
  /** Decimal places to which it is shown. */
  readonly round?: number;
  /** False: its values may not be added up. */
  readonly additive: boolean;
  /** The curation says what the unit of each row is. */
  readonly declared: boolean;
  /** The upstream says it in minor units of its currency. */
  readonly minor?: true;
  /** All rows have this unit, for the curation says so. */
  readonly constantUnit?: string;
  /** Over the rows in the reply. */
  readonly shown: Sums;
  /** Over all rows of the list, where all were read. */
  readonly known?: Sums;
  /** Over the rows that were read, where there are more. */
  readonly part?: Sums;
  /** How many rows of the upstream's were read so far; for a count. */
  readonly seen: number;
  /** Rows that match what was searched for: those that were read were searched by us. */
  readonly searched?: number;
  /** Rows of the upstream's are one row of the reply. */
  readonly grouped: boolean;
  /** The reply begins with the first row. */
  readonly first: boolean;
  /** Rows come behind those in the reply. */
  readonly remains: boolean;
}
