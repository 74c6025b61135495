import type { Visibility } from "../../host/opened-server.ts";
import type { Toolset } from "../../model/tool.ts";
import { hideByTags } from "../../model/visible/hide-by-tags.ts";
import { hideWrites } from "../../model/visible/hide-writes.ts";

/** What is left for one caller: everything else is as if it did not exist. */
export function visibleToolset(toolset: Toolset, { tags, writes }: Visibility): Toolset {
  const chosen = hideByTags(toolset, tags);
  return writes ? chosen : hideWrites(chosen);
}
