import type { ParameterStyle, SchemeUse } from "./api.ts";
import type { FilterTarget } from "./filter.ts";
import type { Place } from "./place.ts";
import type { Schema } from "./schema.ts";
import type { Expression, Value } from "./value.ts";

/** What is needed of an operation to send it. */
export interface OperationPlan {
  /** `METHOD /path`. */
  readonly key: string;
  readonly id?: string;
  readonly method: string;
  readonly path: string;
  /** Absolute, variables filled in; empty where the spec states none or a relative one (then `Upstream.baseUrl` is set). */
  readonly server: string;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
  readonly accept: string;
  readonly security: readonly (readonly SchemeUse[])[];
  /** GET, HEAD, OPTIONS, or declared to only read: may be repeated and run beside others. */
  readonly safe: boolean;
}

export interface ParameterPlan {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring";
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly mediaType?: string;
}

export interface BodyPlan {
  readonly required: boolean;
  readonly mediaType: string;
  /** The body as a whole is bytes: a data URI or another form of a file is decoded. */
  readonly file?: true;
  /** What the upstream's schema asks of a body that is put together from several values; checked before it is sent. */
  readonly check?: Schema;
  /** Per property of a form or multipart body. */
  readonly encoding: readonly {
    readonly property: string;
    readonly contentType?: string;
    /** Bytes: a data URI or another form of a file is decoded and sent as a file. */
    readonly file?: true;
    readonly style?: ParameterPlan["style"];
    readonly explode?: boolean;
    readonly allowReserved?: boolean;
  }[];
}

/** One request to be. */
export interface Call {
  /** Position in `Toolset.operations`. */
  readonly operation: number;
  /** Applied in order; pinned ones last. */
  readonly bindings: readonly Binding[];
  /** Where the tool's filter goes in this call, and in which language. */
  readonly filter?: FilterDestination;
  /** How the upstream cuts this list into pages. Absent: what one request gives is all that there is. */
  readonly pages?: PagePlan;
  /** Of a call that writes, where the upstream takes such a key: it is new for each request, and the same when that is sent again. */
  readonly idempotencyKey?: FilledPlace;
  /** Only while running: path and query of a page by the upstream's own link, in place of what the bindings make of them; pins are laid over it. */
  readonly target?: string;
}

/** A place that is filled while running. */
export type FilledPlace = Pick<Binding, "place" | "type">;

export interface FilterDestination {
  readonly target: FilterTarget;
  /** Of a filter that is one text or one JSON value; a JSON value goes to a place of type `string` as its text. */
  readonly to?: FilledPlace;
  /** With the dialect `params`: where the values of each field go, by `FilterField.to`. */
  readonly places?: readonly (readonly [to: string, place: FilledPlace])[];
}

/** How pages are asked for (contract section 1, Pages). Expressions read the body, `next` of `last` reads the last row. */
export type PagePlan = PageSize &
  (
    | { readonly style: "page"; readonly send: FilledPlace; readonly first: number }
    | { readonly style: "offset"; readonly send: FilledPlace }
    | { readonly style: "token" | "last"; readonly send: FilledPlace; readonly next: Expression }
    | { readonly style: "link" }
    | { readonly style: "range"; readonly unit: string }
  );

export interface PageSize {
  /** The place of the number of rows a page; `range` needs none. */
  readonly size?: FilledPlace;
  /** The number of rows that the curation itself asks for at once: its own value at `size`, or that of `range`. */
  readonly sizeFixed?: number;
  /** The most rows that the upstream gives a page. */
  readonly sizeMax?: number;
  /** Whether there is another page. */
  readonly more?: Expression;
}

export interface Binding {
  readonly place: Place;
  readonly value: Value;
  readonly pinned: boolean;
  /** What the place takes: a value is converted to it or refused. */
  readonly type: WireType;
  readonly required: boolean;
  readonly nullable: boolean;
  /**
   * Set only where the object that holds the place is sent anyway, over what is there: pins and fixed values inside optional parts of a body.
   * In the pointer of such a place `-` stands for every item of a list and every value of a map.
   */
  readonly whereSent?: true;
  /** What stands where inside a list or an object that steps give: such values are converted too. */
  readonly inside?: readonly InsideType[];
}

/** The type of a scalar inside a value; in the pointer `-` stands for every item of a list and every value of a map. */
export interface InsideType {
  readonly pointer: readonly string[];
  readonly type: "string" | "integer" | "number";
}

/** The upstream's type of a place: what may be sent there after conversion. */
export type WireType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";
