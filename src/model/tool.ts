import type { Call, OperationPlan } from "./call.ts";
import type { SchemeCredential } from "./credential.ts";
import type { FilterField } from "./filter.ts";
import type { GroupPlace } from "./group/group-place.ts";
import type { Json } from "./json.ts";
import type { Place } from "./place.ts";
import type { Said } from "./said.ts";
import type { PortableSchema, Schema } from "./schema.ts";
import type { Shape } from "./shape.ts";
import type { Step } from "./step.ts";
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
  /** Where identifiers come from, by `Input.entity`. */
  readonly entities: readonly Entity[];
  /** By which tools come and go; those that tools need. */
  readonly states?: readonly State[];
  /** Sorted by name. */
  readonly tools: readonly Tool[];
}

export interface ServerFace {
  readonly name: string;
  readonly title?: string;
  readonly instructions: string;
  /** False: neither outputSchema nor structuredContent. */
  readonly structured: boolean;
  /** How long a page token is good; `PAGE_TOKEN_TTL_MS` where absent. */
  readonly pageTokenTtlMs?: number;
  /** What `instructions` are made of, beside the tools: for a caller who may not see them all they are made anew. */
  readonly guide?: Guide;
}

export interface Guide {
  /** By the author. */
  readonly written: string;
  /** In the order of the file: the tools, as callers see them, to which each one leads. */
  readonly leads: readonly (readonly [tool: string, next: readonly string[]])[];
}

/** Everything under the curation's `api` that is needed to send. Values in it are secret. */
export interface Upstream {
  /** Absolute http(s) URL; a path in it comes before every operation's path. Undefined: each operation's own `server` is used. */
  readonly baseUrl?: Value;
  readonly headers: readonly { readonly name: string; readonly value: Value }[];
  /** By security scheme; `default` serves operations whose spec asks for none. */
  readonly credentials: readonly SchemeCredential[];
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
}

/** A value that no caller chooses. It is bound at every place of its name in every call, as a `pinned` binding. */
export interface Pin {
  readonly name: string;
  readonly value: Value;
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
  /** What a caller may filter by, and what is always filtered by. Absent where no call of the tool carries a filter. */
  readonly filter?: ToolFilter;
  readonly plan: Plan;
  readonly shape: Shape;
  /** Of a row, or of the whole reply. Absent where the spec says nothing. */
  readonly said?: Said;
  readonly errors: readonly ErrorRule[];
  /** Calls that the reply may propose; the first three whose condition holds are. */
  readonly suggest?: readonly Suggestion[];
  /** Asked before the first write. */
  readonly confirm?: Confirmation;
  /** The whole call, all requests and waits. */
  readonly deadlineMs: number;
  readonly tags: readonly string[];
  /** Without one of these the tool does not exist. One that is not among the toolset's never holds. */
  readonly states?: readonly string[];
  /** Old names, as callers used them: still callable, not listed. */
  readonly aliases?: readonly string[];
  /** Where tools are shown in groups: the tool that callers see in its place. Absent: it is shown by itself. */
  readonly group?: GroupPlace;
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
  /** The upstream's own list of its values; checked when a call comes. */
  readonly valuesFrom?: ValueSource;
  /** The kind of thing that its values name: an `Entity` of the toolset. */
  readonly entity?: string;
  /** Of an entity with aliases: `type` is what callers may write, and this what an identifier must be once aliases are resolved. */
  readonly identified?: Pick<Input, "type" | "residual">;
}

/** What the upstream says of itself. */
export interface State {
  readonly name: string;
  /** It only reads. Its bindings read `pins`. */
  readonly call: Call;
  /** Over the body: whether the state holds. */
  readonly when: Expression;
}

/** A kind of thing that callers name by identifiers. */
export interface Entity {
  readonly name: string;
  /** The tool, as callers see it, whose rows hold the identifiers, and the column that does. */
  readonly tool: string;
  readonly field: string;
  /** The same list without a caller's arguments, where it needs none: candidates for an identifier that is not known. */
  readonly source?: ValueSource;
  /** The first whose pattern fits what the caller wrote is used. Values and bindings read `captures` and `pins`. */
  readonly aliases: readonly Alias[];
}

export type Alias =
  /** RE2; `captures` holds the whole match and its groups. */
  { readonly pattern: string } & (
    | { readonly kind: "rewrite"; readonly to: Value }
    /** `ids` reads the body: every candidate, a scalar or `{id, …}` with what tells it apart. */
    | { readonly kind: "look-up"; readonly call: Call; readonly ids: Expression }
  );

/** A list of the upstream that says what values there are. Its bindings read `input` and `pins`. */
export interface ValueSource {
  readonly call: Call;
  /** Over the body. */
  readonly rows: Expression;
  /** Over a row: the value. */
  readonly field: Expression;
  /** The tool that lists the same values, where there is one: named when a value is refused. */
  readonly tool?: string;
}

/** The filter of a tool, in words of its meaning; where and in which language it is sent, each call says itself. */
export interface ToolFilter {
  /** False: callers have no filter input, and only `always` counts. */
  readonly offered: boolean;
  /** How deep groups may be nested. */
  readonly depth: number;
  /** By name. Those of `always` too, where the author says more of them than their name. */
  readonly fields: readonly FilterField[];
  /** Further fields, which the upstream lists when a call comes. `type` reads a row and gives the upstream's word for the type. */
  readonly from?: ValueSource & { readonly type?: Expression };
  /** `field` or `field.op` → value, over `input` and `pins`. A null leaves the condition out. */
  readonly always: readonly (readonly [key: string, value: Value])[];
  /** The upstream takes no call without a condition: there must be one of the caller's, or of `always`. */
  readonly required?: true;
}

export type Plan =
  | { readonly kind: "call"; readonly call: Call }
  /** In the order of the file. */
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  /** `describe_access`: answers with the pins, sends nothing. */
  | { readonly kind: "access" }
  /** Looks into the whole API, which the toolset does not hold (`Explorer`). `server` is where its operations are sent unless `baseUrl` says so. */
  | { readonly kind: "explore"; readonly does: "search" | "describe" | "call"; readonly server?: string }
  /** Only where tools are shown in groups (`exposeToolset`): a call names one of the actions, each of which is a tool. */
  | {
      readonly kind: "group";
      readonly discriminator: string;
      readonly actions: readonly (readonly [action: string, tool: Tool])[];
    };

export interface Confirmation {
  /** Over `input`, `pins` and the safe `steps` above the first write. */
  readonly text: Value;
  /** A caller that cannot ask a person is refused. */
  readonly human: boolean;
}

/** A call that makes sense after one of this tool. Its expressions read the roots, and as `item` the first row, or the reply where that is no list. */
export interface Suggestion {
  /** As callers see it. */
  readonly tool: string;
  /** Those without a value are left out. */
  readonly args: readonly (readonly [name: string, value: Value])[];
  /** Over the reply. */
  readonly when?: Expression;
  readonly why: string;
  /** It is about `item`, and made only where there is one. */
  readonly ofItem?: true;
}

/** The curation's mapping of an upstream answer to a code and a hint; the first that fits counts. */
export interface ErrorRule {
  /** `404` or `4XX`; any failure where absent. */
  readonly status?: string;
  /** Over `{status, code, message, body}`. */
  readonly when?: Expression;
  readonly error: string;
  readonly recover: string;
}
