import { openExplorer } from "../../compile/open-explorer.ts";
import type { Api } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Explorer } from "../../model/explorer.ts";
import { isUrl } from "../../model/is-url.ts";
import { compileCuration } from "./compile-curation.ts";
import { onceGood } from "./once-good.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

/** Loads it when it is first asked for, and again where that failed. */
export function openExplorerLoader(request: ToolsetRequest): () => Promise<Explorer> {
  return onceGood(() => loadExplorer(request));
}

/** What the tools of `explore` look into, read anew from the files of the toolset. Throws `UnreadableInput`. */
async function loadExplorer(request: ToolsetRequest): Promise<Explorer> {
  let explorer: Explorer | undefined;
  await compileCuration(request, {
    errorsOnly: true,
    look: async (api, curation) => {
      if (isUrl(api.source)) await fetchAll(api);
      explorer = openExplorer(curation, api);
    },
  });
  if (explorer === undefined) throw new UnreadableInput(`${request.file}: nothing of it can be explored any more.`);
  return explorer;
}

/** Every document that operations stand in: nothing can be fetched once the compiling has ended. */
async function fetchAll(api: Api): Promise<void> {
  let hasCome = true;
  while (hasCome) {
    for (const entry of api.index) api.read(entry);
    hasCome = await api.fetchPending();
  }
}
