import type { Call } from "./call.ts";
import type { Expression, Form, Value } from "./value.ts";

/** How a body becomes a reply. */
export type Shape = ShapeLimits &
  (
    | {
        readonly kind: "list";
        /** From the body (of a workflow: from the roots) to the list of rows. */
        readonly rows: Expression;
        readonly fields?: readonly Field[];
        readonly search?: Value;
        /** Every page is read before anything is cut; more rows than this refuse the call. */
        readonly all?: { readonly max: number };
        readonly group?: Group;
        /** The first whose `when` holds counts. Absent: the order in which the upstream gives the rows. */
        readonly order?: readonly OrderRule[];
        readonly totals?: Totals;
        readonly limit?: { readonly default: number; readonly max: number };
        readonly emptyNote?: string;
      }
    | { readonly kind: "value"; readonly value: ValueTemplate }
    | { readonly kind: "object"; readonly fields?: readonly Field[] }
  );

/** Rows added up after every page was read. Columns of the reply are then those of `by`, `sum` and `count`, and the units of `sum`. */
export interface Group {
  /** Names of columns; a value gives a name, a list of names, or null for none. */
  readonly by: readonly (string | Value)[];
  /** Columns that are added up. */
  readonly sum: readonly string[];
  /** The column for the number of rows. */
  readonly count?: string;
  readonly maxPages: number;
}

/** Where the true total comes from (contract section 5). */
export type Totals =
  /** `value` reads the answer of `call`: a number, or a list of `{value, unit}`. */
  | (Measure & { readonly kind: "aggregate"; readonly call: Call; readonly value: Expression })
  /** Reads the body of the list itself. */
  | { readonly kind: "count"; readonly count: Expression; readonly exactWhen?: Expression }
  | (Measure & { readonly kind: "walk"; readonly maxPages: number });

interface Measure {
  /** The column that is added up. */
  readonly measure: string;
  /** Of the whole total; reads the body of the aggregate. Absent: the unit of each value, or of the measure's column. */
  readonly unit?: Value;
  /** False: values of the measure may not be added (distinct counts, averages, overlapping groups). */
  readonly additive: boolean;
  readonly caveats: readonly Caveat[];
}

/** What the author knows may be wrong with a total, for example that it is estimated. */
export interface Caveat {
  /** Over the body that the total is read from. Absent: always. */
  readonly when?: Expression;
  /** For example ESTIMATED, SAMPLED, STALE. */
  readonly code: string;
  readonly note: string;
}

export interface OrderRule {
  readonly when?: Expression;
  /** Column names; `...` stands for the spread columns. */
  readonly by: readonly { readonly column: string; readonly descending: boolean }[];
}

export interface ShapeLimits {
  /** Bytes of the reply's JSON text in UTF-8. */
  readonly budget: number;
  /** Cuts a text body by lines. */
  readonly text?: { readonly head: number } | { readonly tail: number };
  /** Where the rest is of what is cut. */
  readonly rest?: readonly Rest[];
}

/** The companion of a summary: told in `omitted` wherever something is cut at `path` or beneath it. */
export interface Rest {
  /** Names by dots, from the reply or, of a list, from a row. */
  readonly path: string;
  /** As callers see it; absent where this caller may not see it. */
  readonly tool?: string;
  /** Its arguments, over the roots; those without a value are left out. */
  readonly args: readonly (readonly [name: string, value: Value])[];
  /** The most items of the list at `path`. */
  readonly max?: number;
  /** Over the body (of a workflow: the roots): how many items there are in all, where the list itself is a part only. */
  readonly of?: Expression;
}

/** `result.value`: bare expressions, alone or in an object of any depth. */
export type ValueTemplate =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "object"; readonly entries: readonly (readonly [name: string, value: ValueTemplate])[] };

export type Field =
  | {
      readonly kind: "column";
      readonly name: string;
      readonly path: Expression;
      readonly clip?: number | "first-sentence";
      readonly round?: number;
      readonly form?: Form;
      /** Gives the row's unit, for example a currency. */
      readonly unit?: Value;
    }
  /** One column a name in the list, read as the row's own property of exactly that name. */
  | { readonly kind: "columns"; readonly names: Value };
