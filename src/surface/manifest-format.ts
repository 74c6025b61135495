import type { Json } from "../model/json.ts";
import type { ListedTool } from "../model/listed-tool.ts";
import type { Said } from "../model/said.ts";

/**
 * The tool list as a product: everything that a caller can see or feel, and what stands behind it. Holds no secret and nothing of the environment;
 * the same for the same files, whatever machine, folder and time it is made on.
 */
export interface Manifest {
  readonly manifest: 1;
  readonly made: Made;
  readonly server: ManifestServer;
  /** o200k_base tokens of the whole list. */
  readonly tokens: number;
  readonly pins: readonly string[];
  /** Sorted by name. */
  readonly tools: readonly ManifestTool[];
}

/** From what, and by which program. */
export interface Made {
  /** The program's version. */
  readonly vitrine: string;
  /** The spec, its overlays and further files, by their paths from the curation's folder (`/` between names) or their URLs; SHA-256 of their bytes, in hex. */
  readonly from: readonly { readonly path: string; readonly sha256: string }[];
}

export interface ManifestServer {
  readonly name: string;
  readonly title?: string;
  readonly instructions: string;
  /** False: neither outputSchema nor structuredContent. */
  readonly structured: boolean;
  readonly pageTokenTtlMs: number;
  readonly upstream: ManifestUpstream;
}

/** How the upstream is asked, of which callers feel failures, waits and whose data it is. */
export interface ManifestUpstream {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxResponseBytes: number;
  readonly concurrency: number;
  /** Where it is, by the curation or else by the spec. */
  readonly address?: ManifestPart;
  /** What the curation sends with every request. */
  readonly headers?: ManifestPart;
  readonly tls?: ManifestPart;
  /** Where its own words on errors are read, and to which hosts it may lead. */
  readonly answers: ManifestPart;
}

/** An entry of the list, with what a call of it does: of a group that is told by action. */
export interface ManifestTool extends ListedTool {
  readonly tokens: number;
  readonly tags: readonly string[];
  /** Old names: still callable, not listed. */
  readonly aliases?: readonly string[];
  /** Absent of a group. */
  readonly conduct?: Conduct;
  /** Of a group: the argument that chooses the action, and each action as the tool that it would be by itself, by its action. */
  readonly group?: {
    readonly discriminator: string;
    readonly actions: Readonly<Record<string, ManifestAction>>;
  };
}

export interface ManifestAction extends ListedTool {
  readonly tags: readonly string[];
  /** Old names of the action, and old names of tools by which it can still be called. */
  readonly aliases?: readonly string[];
  readonly conduct: Conduct;
}

/** What a tool of the list does: one conduct, of a group one an action. */
export function conductsOf({ conduct, group }: Pick<ManifestTool, "conduct" | "group">): readonly Conduct[] {
  const actions = Object.values(group?.actions ?? {}).map((action) => action.conduct);
  return conduct === undefined ? actions : [conduct, ...actions];
}

/** What a caller feels of a tool beside its schemas. Keys that do not apply are absent. */
export interface Conduct {
  /** `METHOD /path` of every operation that a call may send, in the order of the tool; `"* (any operation that only reads)"` of `call_operation`. */
  readonly operations: readonly string[];
  /** What the operations ask for: `scheme` or `scheme: scope`, sorted. */
  readonly access: readonly string[];
  /** How arguments become requests, by what is made: places, constants, pins, steps, conditions, for example `value query.state`. */
  readonly requests: Readonly<Record<string, ManifestPart>>;
  /** How bodies become replies: where rows and columns are read, what is searched, where the rest is, for example `field cost`. */
  readonly replies: Readonly<Record<string, ManifestPart>>;
  readonly states?: readonly string[];
  /** Pins that it does not carry. */
  readonly unpinned?: readonly string[];
  readonly limit?: { readonly default: number; readonly max: number };
  /** Bytes of a reply's JSON text. */
  readonly budget: number;
  readonly deadlineMs: number;
  /** What counts where a caller gives nothing: a value, or the words of a moment (`30 days ago`). */
  readonly defaults?: Readonly<Record<string, Json>>;
  /** Inputs with more than the schema says: the upstream's form and unit, the kind of thing, where values are listed, and a digest of checks that the schema cannot say. */
  readonly inputs?: Readonly<Record<string, ManifestInput>>;
  /** Where operations are, by their keys, that are not where the upstream is (`ManifestUpstream.address`). */
  readonly addresses?: Readonly<Record<string, ManifestPart>>;
  /** Columns of the reply that are more than copied. */
  readonly fields?: Readonly<Record<string, ManifestField>>;
  /** What the spec says of a row, or of the whole reply: the output schema declares no types, which an upstream need not keep. */
  readonly said?: Said;
  readonly filter?: ManifestFilter;
  /** Each rule as text, for example `-cost, name`, with its condition. */
  readonly order?: readonly string[];
  /** How totals are made and when they are withheld. */
  readonly totals?: Json;
  /** Rows added up: by what, what, and over how many pages. */
  readonly group?: Json;
  /** The most rows that are read whole. */
  readonly all?: number;
  /** Of text bodies: lines kept. */
  readonly text?: Json;
  /** How the upstream's pages are asked for. */
  readonly pages?: readonly string[];
  /** The curation's own: what a failure is called and what the caller is told. */
  readonly errors?: readonly { readonly on: string; readonly error: string; readonly recover: string }[];
  /** Asks before it writes; `human`: refuses callers that cannot ask a person. */
  readonly confirm?: { readonly text: string; readonly human: boolean };
  /** What a list without a row is told with. */
  readonly emptyNote?: string;
  /** Which calls replies propose, in their order: their arguments, conditions and reasons. */
  readonly suggest?: readonly ManifestPart[];
  /** Sends the same key when a write is sent again. */
  readonly keyed?: true;
}

/**
 * A piece of how something is made, of which only that it is another can be told: `DIGEST $INPUT… @TOOL`, with the inputs that it reads and the tool
 * that it names as callers see it. `DIGEST` has 16 hex digits of a SHA-256, in which neither is named.
 */
export type ManifestPart = string;

export interface ManifestInput {
  /** `unix`, `unix-ms`, `date`, `csv`, or `minor UNIT`. */
  readonly form?: string;
  readonly end?: "inclusive" | "exclusive";
  readonly entity?: string;
  /** `METHOD /path` of the operation that lists its values. */
  readonly valuesFrom?: string;
  /** What is taken beside what the schema says, and where in the value: `null`, `"" at [].name`; sorted. */
  readonly takes?: readonly string[];
  /** Digest of what is checked beyond the schema. */
  readonly checks?: string;
}

export interface ManifestField {
  readonly form?: string;
  /** An ISO 4217 code or the expression that gives the unit. */
  readonly unit?: string;
  readonly clip?: number | "first-sentence";
  readonly round?: number;
}

export interface ManifestFilter {
  readonly offered: boolean;
  readonly depth: number;
  readonly dialects: readonly string[];
  /** By name. */
  readonly fields: Readonly<Record<string, ManifestFilterField>>;
  /** `METHOD /path` of the operation that lists further fields. */
  readonly from?: string;
  /** `field` or `field.op`, sorted. */
  readonly always?: readonly string[];
  readonly required?: true;
}

export interface ManifestFilterField {
  readonly type: string;
  readonly nullable: boolean;
  /** Sorted. */
  readonly ops: readonly string[];
  readonly values?: readonly string[];
}
