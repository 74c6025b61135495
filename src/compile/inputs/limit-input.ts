import type { ToolEntry } from "../../curation/format.ts";
import type { Input } from "../../model/tool.ts";

/** The built-in `limit`, where a tool's result has one. */
export function limitInput({ result }: ToolEntry): Input[] {
  const limit = result?.limit;
  if (limit === undefined) return [];
  return [
    {
      name: "limit",
      required: false,
      type: { kind: "integer", minimum: 1, maximum: limit.max, description: "The most rows to return." },
      default: { kind: "literal", value: limit.default },
    },
  ];
}
