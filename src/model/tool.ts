import type { SchemeUse } from "./api.ts";
import type { Credential } from "./credential.ts";
import type { Json } from "./json.ts";
import type { Place } from "./place.ts";
import type { PortableSchema, Schema } from "./schema.ts";
import type { Expression, Form, RelativeTime, Value, ValueType } from "./value.ts";

/**
 * What compiling makes and running needs: plain, read-only data, JSON in and JSON out. It holds no secret: `env` and `key` stand in it as
 * expressions and are read when serving.
 */
export interface Toolset {
  readonly version: 1;
  readonly server: ServerFace;
  readonly upstream: Upstream;
  /** Only the operations that some tool can send; calls name them by position. */
  readonly operations: readonly OperationPlan[];
  readonly pins: readonly Pin[];
  /** Sorted by name. */
  readonly tools: readonly Tool[];
}

export interface ServerFace {
  readonly name: string;
  readonly title?: string;
  readonly instructions: string;
  /** False: neither outputSchema nor structuredContent. */
  readonly structured: boolean;
}

/** Everything under the curation's `api` that is needed to send. Values in it are secret. */
export interface Upstream {
  /** Absolute http(s) URL; a path in it comes before every operation's path. Undefined: each operation's own `server` is used. */
  readonly baseUrl?: Value;
  readonly headers: readonly { readonly name: string; readonly value: Value }[];
  /** By security scheme; `default` serves operations whose spec asks for none. */
  readonly credentials: readonly { readonly scheme: string; readonly credential: Credential }[];
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly timeoutMs: number;
  /** How often a read is sent again after a failure that may pass. */
  readonly retries: number;
  /** Decoded bytes of one answer. */
  readonly maxResponseBytes: number;
  readonly concurrency: number;
  /** Hosts beyond the API's origin to which a GET may be redirected, then without credentials. */
  readonly redirects: readonly string[];
  readonly errors: { readonly message?: Expression; readonly code?: Expression };
  readonly idempotencyKey?: Place;
}

/** A value that no caller chooses. It is bound at every place of its name in every call, as a `pinned` binding. */
export interface Pin {
  readonly name: string;
  readonly value: Value;
}

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
  readonly style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";
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

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly inputSchema: PortableSchema;
  readonly outputSchema?: PortableSchema;
  readonly inputs: readonly Input[];
  readonly plan: Plan;
  readonly shape: Shape;
  readonly errors: readonly ErrorRule[];
  /** The whole call, all requests and waits. */
  readonly deadlineMs: number;
  readonly tags: readonly string[];
}

/** One argument of a caller. */
export interface Input {
  readonly name: string;
  readonly required: boolean;
  readonly type: ValueType;
  readonly form?: Form;
  readonly default?:
    | { readonly kind: "literal"; readonly value: Json }
    | { readonly kind: "relative"; readonly time: RelativeTime };
  /** How the upstream reads an end that is a date alone. */
  readonly end?: "inclusive" | "exclusive";
  /** The upstream's own schema, self-contained, where it says more than `type` can check (combinators, dependencies). Checked on the wire value. */
  readonly residual?: Schema;
  /** The argument's name in the upstream's words, where an error is explained. */
  readonly place?: Place;
}

/** Parts that are not built yet add kinds here: `steps`. */
export type Plan =
  | { readonly kind: "call"; readonly call: Call }
  /** `describe_access`: answers with the pins, sends nothing. */
  | { readonly kind: "access" };

/** One request to be. */
export interface Call {
  /** Position in `Toolset.operations`. */
  readonly operation: number;
  /** Applied in order; pinned ones last. */
  readonly bindings: readonly Binding[];
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
}

/** The upstream's type of a place: what may be sent there after conversion. */
export type WireType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";

/** How a body becomes a reply. */
export type Shape = ShapeLimits &
  (
    | {
        readonly kind: "list";
        /** From the body (of a workflow: from the roots) to the list of rows. */
        readonly rows: Expression;
        readonly fields?: readonly Field[];
        readonly search?: Value;
        /** The first whose `when` holds counts. */
        readonly order?: readonly OrderRule[];
        readonly limit?: { readonly default: number; readonly max: number };
        readonly emptyNote?: string;
      }
    | { readonly kind: "value"; readonly value: ValueTemplate }
    | { readonly kind: "object"; readonly fields?: readonly Field[] }
  );

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

/** The curation's mapping of an upstream answer to a code and a hint; the first that fits counts. */
export interface ErrorRule {
  /** `404` or `4XX`; any failure where absent. */
  readonly status?: string;
  /** Over `{status, code, message, body}`. */
  readonly when?: Expression;
  readonly error: string;
  readonly recover: string;
}
