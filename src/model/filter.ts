import type { Json } from "./json.ts";
import type { Form } from "./value.ts";

export const FILTER_OPS = [
  "eq",
  "ne",
  "in",
  "not_in",
  "lt",
  "lte",
  "gt",
  "gte",
  "contains",
  "is_null",
  "is_not_null",
] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export const FIELD_TYPES = ["string", "integer", "decimal", "boolean", "date", "date-time", "enum"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A value of a filter in the upstream's form, already found to be of the field's type; no digit is ever lost. */
export interface Literal {
  /** Of the upstream's form: a date-time sent as Unix seconds is an `integer` here, a number of a list of values too. */
  readonly type: FieldType;
  /** Canonical: digits, `true`, `2026-01-31`, RFC 3339 in UTC, or the text itself. */
  readonly text: string;
  /** As JSON writes it to the upstream: a number where it holds every digit, a boolean, else the text. */
  readonly wire: string | number | boolean;
  /** As callers write it, where the upstream's form is another. */
  readonly caller?: string;
}

/** What is known of a field when a filter is written. */
export interface FilterField {
  /** As callers write it. */
  readonly name: string;
  /** As the upstream writes it. */
  readonly to: string;
  readonly type: FieldType;
  /** Rows may lack a value of it. */
  readonly nullable: boolean;
  /** The operators that callers may use; all that the dialect has unless said. */
  readonly ops?: readonly FilterOp[];
  /** Where the author wrote how an operator is said for this field. */
  readonly templates?: Readonly<Partial<Record<FilterOp, Json>>>;
  /** Of type `enum`: callers write `text`, the upstream gets `wire`. */
  readonly values?: readonly { readonly text: string; readonly wire: string | number | boolean }[];
  /** The upstream's form of its values. */
  readonly as?: Form;
}

/** How conditions are written in the dialects `json` and `text`; the grammar is in `filter/fill-template.ts`. */
export interface FilterTemplates {
  readonly single?: Json;
  readonly all?: Json;
  readonly any?: Json;
  readonly none?: Json;
  /** The upstream's word for an operator, or a template of its own; where it is given, the upstream has no other operators. */
  readonly ops?: Readonly<Partial<Record<FilterOp, Json>>>;
}

/** Bounds of one filter; over them it is refused. */
export interface FilterLimits {
  readonly leaves?: number;
  readonly characters?: number;
  /** Groups of a dialect that has groups in two levels only. */
  readonly alternatives?: number;
  readonly leavesOfAlternative?: number;
}

/** The upstream's language of filters, and what the author says of it: plain data of the toolset. */
export interface FilterTarget {
  readonly dialect: string;
  /** The query parameter that names begin with, for `strapi` (`filters` unless said) and `json-api` (`filter`). */
  readonly parameter?: string;
  readonly templates?: FilterTemplates;
  /** What the upstream does when it negates; else the dialect's own word counts. */
  readonly nullOnNegation?: NullOnNegation;
  /** Laid over the dialect's own. */
  readonly limits?: FilterLimits;
}

/** Where in the caller's arguments a condition stands, for example `filter.conditions[1]`. */
export type FilterPath = string;

/**
 * A filter in words of its meaning. It is two-valued: a row without a value fails every comparison, and passes `ne`, `not_in` and `none`
 * (contract section 3).
 */
export type Condition =
  | {
      readonly kind: "compare";
      readonly op: CompareOp;
      readonly field: FilterField;
      readonly value: Literal;
      readonly path: FilterPath;
    }
  | {
      readonly kind: "member";
      readonly op: "in" | "not_in";
      readonly field: FilterField;
      readonly values: readonly Literal[];
      readonly path: FilterPath;
    }
  | {
      readonly kind: "null";
      readonly op: "is_null" | "is_not_null";
      readonly field: FilterField;
      readonly path: FilterPath;
    }
  | {
      readonly kind: "group";
      readonly match: "all" | "any" | "none";
      readonly conditions: readonly Condition[];
      readonly path: FilterPath;
    };

export type CompareOp = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "contains";

/** A filter as an upstream takes it: one text, one JSON value, parameters of the query, or values for places of the curation. */
export type WrittenFilter =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly value: Json }
  | { readonly kind: "parameters"; readonly parameters: readonly FilterParameter[] }
  /** `to` is the place of a field as the curation writes it (`query.created/gte`). */
  | { readonly kind: "places"; readonly values: readonly { readonly to: string; readonly value: Json }[] };

/** One query parameter; neither name nor value is encoded yet. */
export type FilterParameter = readonly [name: string, value: string];

/** What an upstream does with rows without a value where it negates. */
export type NullOnNegation = "keep" | "drop";
