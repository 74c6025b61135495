import type { Schema } from "./schema.ts";

/** The upstream API as a spec describes it: an index that is cheap to make, and operations that are lifted when asked for. */
export interface Api {
  /** The file or URL that the spec was read from. */
  readonly source: string;
  readonly title: string;
  /** The spec's own version, `info.version`. */
  readonly version: string;
  /** SHA-256 (hex) of the bytes of the spec and of each further file that was read so far, in order of reading. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly servers: readonly Server[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** Every operation, in the order of the document. */
  readonly index: readonly OperationEntry[];
  /** By `operationId`, or by `METHOD /path` as in the document. A doubled operationId finds nothing: use `METHOD /path`. */
  find(reference: string): OperationEntry | undefined;
  /** Lifts and resolves one operation; memoised. A fault in it is returned, never thrown. */
  read(entry: OperationEntry): Operation | SpecFault;
  /** Follows `$ref` until none is left at the root. Siblings of a `$ref` are laid over the target (2020-12). */
  resolve(schema: Schema): ResolvedSchema | SpecFault;
}

/** A schema without `$ref` at its root, and the names of the references that led to it (recursion is cut by these). */
export interface ResolvedSchema {
  readonly schema: Schema;
  readonly through: readonly string[];
}

/** What is wrong with a part of the spec; whoever needs that part fails, and nobody else. */
export interface SpecFault {
  readonly fault: string;
  /** JSON pointer into the document. */
  readonly pointer: string;
}

export interface OperationEntry {
  /** `METHOD /path`, unique in the document. */
  readonly key: string;
  readonly id?: string;
  /** Upper case. */
  readonly method: string;
  /** The path template as written. */
  readonly path: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

export interface Operation extends OperationEntry {
  readonly description?: string;
  /** Of the operation, else of the path item, else of the document; empty when none is stated. */
  readonly servers: readonly Server[];
  /** Path item and operation merged by name and place; header parameters Accept, Content-Type and Authorization left out (OAS 3.1 4.8.12.1). */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly Response[];
  /** Any one of these suffices, each needs all of its schemes; `[]` in the list means that no credential is fine, an empty list likewise. */
  readonly security: readonly (readonly SchemeUse[])[];
}

export interface SchemeUse {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface Server {
  /** May be relative and may hold `{variables}`. */
  readonly url: string;
  readonly variables: readonly { readonly name: string; readonly default: string; readonly enum?: readonly string[] }[];
}

export type ParameterIn = "path" | "query" | "header" | "cookie" | "querystring";
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie";

export interface Parameter {
  readonly name: string;
  readonly in: ParameterIn;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  /** Set when the parameter has `content`: the value is serialised so and then sent as one text. */
  readonly mediaType?: string;
  readonly schema: Schema;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly MediaType[];
}

export interface MediaType {
  /** As written, for example `application/json; charset=utf-8`. */
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly encoding: readonly PropertyEncoding[];
}

export interface PropertyEncoding {
  readonly property: string;
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

export interface Response {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly content: readonly MediaType[];
}

export type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  /** `scheme` in lower case. */
  | { readonly type: "http"; readonly scheme: string }
  | { readonly type: "oauth2"; readonly tokenUrl?: string; readonly scopes: readonly string[] }
  | { readonly type: "openIdConnect"; readonly url: string }
  | { readonly type: "mutualTLS" };

export function isFault(value: object): value is SpecFault {
  return "fault" in value;
}
