import type { Json } from "./json.ts";

/** JMESPath as written, already found to parse. */
export interface Expression {
  readonly jmespath: string;
}

/**
 * A value of the curation with its `${…}` found: a string that is one `${…}` is an `expression` and keeps its type, a string with text
 * around `${…}` is a `text`, everything else is literal.
 */
export type Value =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "text"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: string, value: Value])[] }
  | { readonly kind: "list"; readonly items: readonly Value[] };

/** The upstream's form of a value; callers always see RFC 3339 and major units (contract section 1, Forms). */
export type Form =
  | { readonly as: "unix" | "unix-ms" | "date" | "csv" }
  /** `unit` gives an ISO 4217 code; on a field its expression reads the row. */
  | { readonly as: "minor"; readonly unit: Value };

/** A moment in words: `now`, `today`, `30 days ago`, `start of last month`. Whole days and longer count in UTC. */
export interface RelativeTime {
  /** As written: it stands in the description, never in the schema. */
  readonly words: string;
  /** First the present moment is cut down to the start of this unit … */
  readonly startOf?: TimeUnit;
  /** … then moved by so many units (negative: into the past). */
  readonly amount: number;
  readonly unit: TimeUnit;
}

export type TimeUnit = "second" | "minute" | "hour" | "day" | "week" | "month" | "year";

interface TypeBase {
  /** Said to the caller beside the value; holds in words what the portable subset cannot say. */
  readonly description?: string;
  /** The upstream accepts an explicit null here. */
  readonly nullable?: true;
  /** The upstream accepts an empty text here, whatever else it takes: form-encoded APIs unset a value by it. */
  readonly empty?: true;
  /** What the upstream takes where nothing is sent, in the caller's form: told, and never sent by us. */
  readonly preset?: Json;
}

/**
 * What a caller may write for a value, and how it becomes the upstream's: the one tree from which the advertised schema is drawn and by which
 * arguments are checked, coerced and mapped back to the upstream's names and types.
 */
export type ValueType =
  | (TypeBase & {
      readonly kind: "string";
      readonly minLength?: number;
      readonly maxLength?: number;
      /** From the spec; enforced by RE2 only, and left unenforced (with a finding) where RE2 cannot. */
      readonly pattern?: string;
      readonly format?: string;
      /** Bytes: a data URI, or an object of `base64` or `text` with `filename` and `contentType`, stands for a file. */
      readonly file?: true;
    })
  /** `digits`: meant to be beyond 2^53 (int64), so callers write and see decimal digits as text; sent as a bare JSON number. */
  | (TypeBase & Bounds & { readonly kind: "integer"; readonly digits?: true })
  | (TypeBase & Bounds & { readonly kind: "number" })
  | (TypeBase & { readonly kind: "boolean" })
  /** Callers write `text`; the upstream gets `wire`, which need not be a string. */
  | (TypeBase & { readonly kind: "enum"; readonly values: readonly { readonly text: string; readonly wire: Json }[] })
  /** RFC 3339; `date-time` accepts a date alone as the start of its day in UTC (with `end`, see Input, its whole day). */
  | (TypeBase & { readonly kind: "date" | "date-time" })
  | (TypeBase & {
      readonly kind: "array";
      readonly items: ValueType;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly uniqueItems?: true;
    })
  /** Other names than these are refused, but where the spec says what they are: `others`. */
  | (TypeBase & {
      readonly kind: "object";
      readonly properties: readonly PropertyType[];
      readonly others?: ValueType;
      /** RE2: what the name of each of the others must match. */
      readonly names?: string;
    })
  /** A free-form map: callers write a list of `{key, value}`, the upstream gets an object. `names` as above. */
  | (TypeBase & { readonly kind: "map"; readonly values: ValueType; readonly names?: string })
  /**
   * Nothing is known of it, or it is of several kinds: callers write JSON as text, or a plain text where that is no JSON. A text that is one of `texts`
   * is sent as it is, whatever it looks like; with `nested` not that of a list or an object, which are taken too.
   */
  | (TypeBase & { readonly kind: "json"; readonly texts?: readonly ValueType[]; readonly nested?: true });

export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

export interface PropertyType {
  /** As callers write it, portable. */
  readonly name: string;
  /** As the upstream writes it. */
  readonly wire: string;
  readonly required: boolean;
  readonly type: ValueType;
  /** What is sent where a caller gives none, in the caller's form: the upstream needs a value, and the spec has this one for it. */
  readonly fallback?: Json;
}
