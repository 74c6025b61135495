import { dirname, relative, resolve } from "node:path";
import { type Draft, draftCuration } from "../../draft/draft-curation.ts";
import type { Api, OperationEntry } from "../../model/api.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { loadApi } from "../../spec/load-api.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { checkLint } from "../../surface/lint/check-lint.ts";
import { measureList } from "../../surface/measure-cost.ts";
import { type Shell, UsageError } from "../command.ts";
import { boundPath, rootOf } from "../toolset/bound-path.ts";
import { openLazyEgress } from "../toolset/lazy-egress.ts";
import { isUrl } from "../toolset/place-sources.ts";
import { estimateEndpoints } from "./estimate-endpoints.ts";

export interface DraftRequest {
  /** A file or a URL, as the user typed it. */
  readonly spec: string;
  /** Where the curation will be; beside it paths begin. */
  readonly file: string;
  readonly keep?: (entry: OperationEntry) => boolean;
}

export interface Drafted {
  readonly draft: Draft;
  readonly operations: number;
  /** About what one tool for each operation would cost. */
  readonly endpointTokens: number;
  /** The spec lies where only `--root` allows it to be read. */
  readonly outsideRoot: boolean;
}

/** Loads a spec and drafts a curation that will stand at `file`. Throws `UnreadableInput`. */
export async function draftSpec({ spec, file, keep }: DraftRequest, shell: Shell): Promise<Drafted> {
  const egress = openLazyEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
  try {
    shell.progress?.(`Reading ${spec} …`);
    const api = await loadApi(spec, { egress });
    if (keep !== undefined && !api.index.some(keep))
      throw new UsageError(`No operation of ${spec} is left.${hintOf(api)}`);
    const draft = () =>
      draftCuration(
        api,
        {
          spec: isUrl(spec) ? spec : wayTo(spec, file),
          ...(keep !== undefined && { keep }),
          progress: (read, of) =>
            read % 8 === 0 && shell.progress?.(`Read ${read} of the ${of} operations that promise most …`),
        },
        { cost: costOf, lint: checkLint },
      );
    let drafted = await draft();
    // Of a spec from a URL reading shows what further documents it needs.
    while (await api.fetchPending()) drafted = await draft();
    const endpointTokens = await estimateEndpoints(api);
    const outsideRoot = !isUrl(spec) && !boundPath(wayTo(spec, file), file, rootOf(file, undefined)).inside;
    return { draft: drafted, operations: api.index.length, endpointTokens, outsideRoot };
  } finally {
    shell.progress?.("");
    await egress.close();
  }
}

async function costOf(
  toolset: Toolset,
): Promise<{ readonly list: number; readonly tools: ReadonlyMap<string, number> }> {
  const { tools, server } = exposeToolset(toolset);
  const { list, tools: each } = await measureList(tools.map((tool) => listedTool(tool, server.structured)));
  return { list: list.tokens, tools: new Map(tools.map(({ name }, at) => [name, each[at]?.tokens ?? 0])) };
}

/** With slashes, whatever the system writes. */
function wayTo(spec: string, file: string): string {
  const way = relative(dirname(resolve(file)), resolve(spec)).replaceAll("\\", "/");
  return way.startsWith(".") || way.startsWith("/") ? way : `./${way}`;
}

function hintOf({ index }: Api): string {
  const tags = [...new Set(index.flatMap((entry) => entry.tags))];
  return tags.length === 0
    ? ""
    : ` Its tags are ${visibleText(tags.slice(0, 12).join(", "))}${tags.length > 12 ? ", …" : ""}.`;
}
