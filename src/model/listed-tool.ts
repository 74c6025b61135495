import type { PortableSchema } from "./schema.ts";
import type { Annotations, Tool } from "./tool.ts";

/** One entry of the tool list, exactly as callers see it; the key order is the order on the wire. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: PortableSchema;
  readonly outputSchema?: PortableSchema;
  readonly annotations: Annotations & { readonly title: string };
}

/** What is shown of a tool; without `structured` there is no outputSchema (contract section 1, `server.structured`). */
export function listedTool(tool: Tool, structured: boolean): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(structured && tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
    // Clients of 2025-03-26 read the title here, later ones read it beside the name (MCP schema, ToolAnnotations).
    annotations: { title: tool.title, ...tool.annotations },
  };
}
