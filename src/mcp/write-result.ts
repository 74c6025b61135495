import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ContentBlock, ToolReply } from "../model/exchange.ts";

/** A reply in the protocol's words. */
export function writeResult(reply: ToolReply, structured: boolean): CallToolResult {
  const text = { type: "text" as const, text: reply.text };
  // A 2025-11-25 client checks structuredContent against outputSchema even on an error, so an error never carries it.
  if (reply.isError) return { content: [text], isError: true };
  return {
    content: [text, ...(reply.blocks ?? []).map(writeBlock)],
    ...(structured && reply.structured !== undefined && { structuredContent: { ...reply.structured } }),
  };
}

/** Content beside the text. */
export function writeBlock(block: ContentBlock): CallToolResult["content"][number] {
  switch (block.type) {
    case "image":
      return { type: "image", data: block.data, mimeType: block.mimeType };
    case "resource":
      return { type: "resource", resource: { uri: block.uri, mimeType: block.mimeType, blob: block.blob } };
    default:
      return block satisfies never;
  }
}
