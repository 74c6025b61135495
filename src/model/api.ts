import { unescapeToken } from "./json-pointer.ts";
import type { Problem } from "./problem.ts";
import type { Schema } from "./schema.ts";

/** The upstream API as a spec describes it: an index that is cheap to make, and operations that are lifted when asked for. */
export interface Api {
  /** The file or URL that the spec was read from. */
  readonly source: string;
  readonly title: string;
  /** The spec's own version, `info.version`. */
  readonly version: string;
  /** The spec, its overlays, and each further file that was looked for so far, in order of reading. */
  readonly files: readonly SpecFile[];
  /** What was found wrong while loading: overlays that are broken (errors) or change nothing (warnings). */
  readonly problems: readonly Problem[];
  readonly servers: readonly Server[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** Every operation, in the order of the document. */
  readonly index: readonly OperationEntry[];
  /**
   * By `operationId`, or by `METHOD /path` as in the document, which reads the file of that path alone. A doubled operationId finds nothing (use
   * `METHOD /path`), but for the one operation whose own file is named by it.
   */
  find(reference: string): OperationEntry | undefined;
  /** Lifts and resolves one operation; memoised. A fault in it is returned, never thrown. */
  read(entry: OperationEntry): Operation | SpecFault;
  /** Follows `$ref` until none is left at the root. Siblings of a `$ref` are laid over the target (2020-12). */
  resolve(schema: Schema): ResolvedSchema | SpecFault;
  /** References to the component schemas whose `allOf` names this one; `name` is one of `ResolvedSchema.through`. */
  subtypesOf(name: string): readonly string[];
  /**
   * Fetches the documents that reading has found to be needed and not here; what needed them is a fault until then. True where any has come: then
   * ask again. Always false for a spec of files, and where the bounds are reached.
   */
  fetchPending(): Promise<boolean>;
}

/** A file of a spec. Without `sha256` it could not be read when it was looked for. */
export interface SpecFile {
  readonly path: string;
  /** Of the bytes, in hex. */
  readonly sha256?: string;
  /** Where the file really is once links are followed. With this and no `sha256` it lies outside of the spec's folder and was not opened. */
  readonly real?: string;
}

/** A schema without `$ref` at its root, and the names of the references that led to it (recursion is cut by these). */
export interface ResolvedSchema {
  readonly schema: Schema;
  readonly through: readonly string[];
}

/** What is wrong with a part of the spec; whoever needs that part fails, and nobody else. */
export interface SpecFault {
  readonly fault: string;
  /** JSON pointer into the document; into a further document with its name before the `#`. */
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
  /** OAS 3.2. */
  readonly name?: string;
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
  /** Swagger 2.0's `tsv`, of which later versions have none. */
  | "tabDelimited"
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
  /** Of a list that goes out part by part its position, and `*` for the items behind those (OAS 3.2). */
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
  | {
      readonly type: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
      /** By its own words a signature of each request, which nobody can write down. */
      readonly signs?: true;
    }
  /** `scheme` in lower case. */
  | { readonly type: "http"; readonly scheme: string }
  | {
      readonly type: "oauth2";
      readonly tokenUrl?: string;
      /** RFC 8414 metadata of the server that gives the tokens (OAS 3.2). */
      readonly metadataUrl?: string;
      readonly scopes: readonly string[];
    }
  | { readonly type: "openIdConnect"; readonly url: string }
  | { readonly type: "mutualTLS" };

/** What a reference calls its target: the last part of its pointer, else the stem of the file. */
export function referenceName(reference: string): string {
  const [file = "", pointer = ""] = reference.split("#");
  const last = (pointer.replace(/\/$/, "") || file).split("/").at(-1) ?? "";
  const name = pointer === "" ? last.replace(/(?<=.)\.[A-Za-z0-9]+$/, "") : unescapeToken(last);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function isFault(value: object): value is SpecFault {
  return "fault" in value;
}
