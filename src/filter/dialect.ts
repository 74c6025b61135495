import type {
  CompareOp,
  FieldType,
  FilterField,
  FilterLimits,
  FilterOp,
  Literal,
  NullOnNegation,
  WrittenFilter,
} from "../model/filter.ts";
import type { Json } from "../model/json.ts";

/**
 * A filter on its way to an upstream: negation stands only at its leaves, groups of one kind are never inside one another, and each has two
 * parts or more. `not_contains` comes up only here.
 */
export type Clause = LeafClause | GroupClause;
/** `not`: the upstream's own negation around it, for dialects that have one. */
export interface LeafClause {
  readonly kind: "leaf";
  readonly leaf: Leaf;
  readonly not?: true;
}
export interface GroupClause {
  readonly kind: "and" | "or";
  readonly parts: readonly Clause[];
  readonly path: string;
}

interface LeafBase {
  readonly field: FilterField;
  readonly path: string;
  /** Where its values stand, when one operator was rewritten as another. */
  readonly valuePaths?: readonly string[];
}
export type CompareLeaf = LeafBase & {
  readonly kind: "compare";
  readonly op: CompareOp | "not_contains";
  readonly value: Literal;
};
export type MemberLeaf = LeafBase & {
  readonly kind: "member";
  readonly op: "in" | "not_in";
  readonly values: readonly Literal[];
};
/** `completes`: it stands for rows without a value beside the negation `completes`. */
export type NullLeaf = LeafBase & {
  readonly kind: "null";
  readonly op: "is_null" | "is_not_null";
  readonly completes?: string;
};
export type Leaf = CompareLeaf | MemberLeaf | NullLeaf;
export type LeafOp = FilterOp | "not_contains";

/** What types of field an operator has: the whole table is declared, and what does not stand in it is rewritten or refused. */
export type Capabilities = Readonly<Record<LeafOp, readonly FieldType[]>>;

export interface Groups {
  /** The deepest nesting of groups. */
  readonly depth: number;
  /**
   * `free`: as they come; `all-of-any`, `any-of-all`: two levels in this order; `all`, `any`: one list that all or one of must hold;
   * `one-kind`: one list of either kind; `single`: one condition alone.
   */
  readonly shape: "free" | "all-of-any" | "any-of-all" | "all" | "any" | "one-kind" | "single";
}

/**
 * How a value stands in a template of the author: as the `literal` of the dialect, as a `word` of an unknown language, `raw` where nothing
 * around it can be closed by it, or as a `parameter`, which is raw too, with lists joined by commas.
 */
export type Insertion = "literal" | "word" | "raw" | "parameter";

/** A language of filters: a total function over a declared table. One file in `dialects/` each. */
export interface Dialect {
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly groups: Groups;
  readonly limits: FilterLimits;
  /**
   * What upstreams do with rows without a value under `ne`, `not_in` and `not_contains`. `drop` also where they differ: the half that is then
   * added changes nothing where they are kept. Undefined where nothing is known of the language.
   */
  readonly nullOnNegation: NullOnNegation | undefined;
  /** Types whose fields always have a value in this upstream. */
  readonly neverMissing?: readonly FieldType[];
  /** It can negate a condition as a whole, of which it says nothing in its table. */
  readonly negates?: boolean;
  /** The upstream's names of fields that can be written without being taken for something else. */
  readonly fieldNames: RegExp;
  readonly insertion: Insertion;
  /** Control characters would be cut off, taken for white space or break what they stand in. */
  readonly takesControls: boolean;
  /** What stands at the place of a field itself where the author wrote no template: other operators of the field must not be read as it. */
  readonly plain?: Readonly<Partial<Record<FilterOp, Json>>>;
  /** Why a condition cannot be written although its operator and type can; undefined where it can. */
  refuse?(leaf: Leaf): string | undefined;
  /** Why one value cannot. */
  refuseValue?(literal: Literal, leaf: Leaf): string | undefined;
  /** Writes what the table, the groups and the refusals leave; it is never given anything else. */
  write(clause: Clause): WrittenFilter;
}

/** The table of a dialect; operators that are not named have no type at all. */
export function capabilities(rows: Readonly<Partial<Record<LeafOp, readonly FieldType[]>>>): Capabilities {
  return { ...NOTHING, ...rows };
}

const NOTHING: Capabilities = {
  eq: [],
  ne: [],
  in: [],
  not_in: [],
  lt: [],
  lte: [],
  gt: [],
  gte: [],
  contains: [],
  not_contains: [],
  is_null: [],
  is_not_null: [],
};

export const ALL_TYPES: readonly FieldType[] = ["string", "integer", "decimal", "boolean", "date", "date-time", "enum"];
/** The types whose values have an order that both sides agree on; the order of texts is each upstream's own. */
export const ORDERED: readonly FieldType[] = ["integer", "decimal", "date", "date-time"];
export const TEXTS: readonly FieldType[] = ["string", "enum"];
export const STRINGS: readonly FieldType[] = ["string"];

/** The rows of the four operators of order. */
export function ordered(types: readonly FieldType[]): Pick<Capabilities, "lt" | "lte" | "gt" | "gte"> {
  return { lt: types, lte: types, gt: types, gte: types };
}

export function valuesOf(leaf: Leaf): readonly Literal[] {
  return leaf.kind === "member" ? leaf.values : leaf.kind === "compare" ? [leaf.value] : [];
}

/** Where in the caller's arguments each value of a leaf stands. */
export function valuePathsOf(leaf: Leaf): readonly string[] {
  if (leaf.valuePaths !== undefined) return leaf.valuePaths;
  if (leaf.kind === "member") return leaf.values.map((_, index) => `${leaf.path}.values[${index}]`);
  return leaf.kind === "compare" ? [`${leaf.path}.value`] : [];
}

/** Whether a literal is a text, which a language puts in quotes. */
export function isText(literal: Literal): boolean {
  return literal.type === "string" || literal.type === "enum";
}

/** The template that the author wrote for the operator of a leaf. */
export function templateOf(leaf: Leaf): Json | undefined {
  return leaf.op === "not_contains" ? undefined : leaf.field.templates?.[leaf.op];
}

/** What was written as one text, for bounds and for showing. */
export function writtenText(written: WrittenFilter): string {
  switch (written.kind) {
    case "text":
      return written.text;
    case "json":
      return JSON.stringify(written.value);
    case "parameters":
      return written.parameters.map(([name, value]) => `${name}=${value}`).join("&");
    case "places":
      return JSON.stringify(written.values);
    default:
      return written satisfies never;
  }
}

/** The table of a language that has every operator for every type that it makes sense for. */
export const EVERY_OPERATOR: Capabilities = capabilities({
  eq: ALL_TYPES,
  ne: ALL_TYPES,
  in: ALL_TYPES,
  not_in: ALL_TYPES,
  ...ordered(ORDERED),
  contains: STRINGS,
  not_contains: STRINGS,
  is_null: ALL_TYPES,
  is_not_null: ALL_TYPES,
});
