import type { SpecFile } from "../model/api.ts";
import type { Json } from "../model/json.ts";

/** A document that the root refers to, directly or not. */
export interface FurtherDocument {
  /** Relative to the root's folder, percent-encoded; of a spec from a URL the whole URL. */
  readonly id: string;
  /** What findings call it. */
  readonly source: string;
  readonly root: Json;
  readonly text?: string;
  /** As of `ParsedBytes`. */
  mayHaveIds(): boolean;
}

/** Why there is no such document, as the end of a sentence that begins with the reference. */
export interface Refusal {
  readonly refused: string;
}

/** The documents beside the root. The root's own id is the empty text. */
export interface FurtherDocuments {
  /** The id of what `reference`, without its fragment, names from the document `base`. Opens nothing. */
  nameOf(reference: string, base: string): string | Refusal;
  /** The document of an id that `nameOf` gave; read once. */
  read(id: string): FurtherDocument | Refusal;
  /** Those that were read so far. */
  opened(): readonly FurtherDocument[];
  /** Those that were looked for so far. */
  files(): readonly SpecFile[];
  /** As `Api.fetchPending`. */
  fetchPending(): Promise<boolean>;
}

export function isRefusal(value: string | object): value is Refusal {
  return typeof value === "object" && "refused" in value;
}
