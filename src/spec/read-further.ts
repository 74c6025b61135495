import { UnreadableInput } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import type { FurtherDocument, Refusal } from "./further-documents.ts";
import { parseBytes } from "./parse-bytes.ts";

/** A further document of any JSON or YAML value; `source` is what findings call it. */
export function readFurther(id: string, source: string, bytes: Uint8Array): FurtherDocument | Refusal {
  try {
    const { value, text, mayHaveIds } = parseBytes(source, bytes);
    return { id, source, root: value as Json, mayHaveIds, ...(text !== undefined && { text }) };
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    return { refused: `leads to a document that cannot be read: ${error.message.replace(/\.$/, "")}` };
  }
}
