import { openExplorer } from "../../compile/open-explorer.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Explorer } from "../../model/explorer.ts";
import { compileCuration } from "./compile-curation.ts";
import { isUrl } from "./place-sources.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

/** What the tools of `explore` look into, read anew from the files of the toolset. Throws `UnreadableInput`. */
export async function loadExplorer(request: ToolsetRequest): Promise<Explorer> {
  let explorer: Explorer | undefined;
  await compileCuration(request, {
    errorsOnly: true,
    look: async (api, curation) => {
      // Nothing can be fetched once the compiling has ended.
      if (isUrl(api.source))
        do for (const entry of api.index) api.read(entry);
        while (await api.fetchPending());
      explorer = openExplorer(curation, api);
    },
  });
  if (explorer === undefined) throw new UnreadableInput(`${request.file}: nothing of it can be explored any more.`);
  return explorer;
}
