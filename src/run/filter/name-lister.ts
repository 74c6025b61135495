import { sayTool } from "../../model/group/say-tool.ts";
import type { Toolset, ValueSource } from "../../model/tool.ts";

/** What to do where a value is not among those of a source: the tool that lists them, and its column of that value. */
export function nameLister({ tool, field }: ValueSource, { tools }: Toolset): string | undefined {
  const lister = tools.find(({ name }) => name === tool);
  if (lister === undefined) return undefined;
  const { shape } = lister;
  const fields = shape.kind === "list" ? shape.fields : undefined;
  const column = fields?.find((one) => one.kind === "column" && one.path.jmespath === field.jmespath);
  return `Call ${sayTool(lister)} and use exact ${column?.kind === "column" ? `${column.name} ` : ""}values.`;
}
