import type { ToolReply } from "../../model/exchange.ts";
import type { Shaped } from "./shaped.ts";

/** The reply as callers get it: compact JSON text, the same value as structured content where the server gives that. */
export function writeReply(shaped: Shaped, isStructured: boolean): ToolReply {
  return {
    isError: false,
    text: shaped.text ?? JSON.stringify(shaped.structured),
    ...(isStructured && { structured: shaped.structured }),
    ...(shaped.blocks && { blocks: shaped.blocks }),
    ...(shaped.confirmation && { confirmation: shaped.confirmation }),
    ...(shaped.rowsOmitted !== undefined && { rowsOmitted: shaped.rowsOmitted }),
  };
}
