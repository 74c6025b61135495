import type { ToolEntry } from "../../curation/format.ts";
import type { Input } from "../../model/tool.ts";

/**
 * The built-in `pageToken`, where a list can go on: what writes is never sent again for more rows. It is a caller's only: no expression
 * reads it, so it stands in the schema and not among the tool's inputs.
 */
export function pageTokenInput({ result }: ToolEntry, safe: boolean): Input[] {
  if (result?.rows === undefined || !safe) return [];
  const description = "nextPageToken of the reply before, with the same other arguments.";
  return [{ name: "pageToken", required: false, type: { kind: "string", description } }];
}
