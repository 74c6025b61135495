import { dirname, relative, resolve } from "node:path";
import { type Draft, draftCuration } from "../../draft/draft-curation.ts";
import type { Api, OperationEntry } from "../../model/api.ts";
import { isUrl } from "../../model/is-url.ts";
import { loadApi } from "../../spec/load-api.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { checkWarnings } from "../../surface/lint/check-lint.ts";
import { type Shell, UsageError } from "../command.ts";
import { boundPath, rootOf } from "../toolset/bound-path.ts";
import { openLazyEgress } from "../toolset/lazy-egress.ts";
import { estimateCost } from "./cost-of.ts";
import { countUse, type Use } from "./count-use.ts";
import { estimateEndpoints } from "./estimate-endpoints.ts";
import type { SeenRequest } from "./read-har.ts";

export interface DraftRequest {
  /** A file or a URL, as the user typed it. */
  readonly spec: string;
  /** Where the curation will be; beside it paths begin. */
  readonly file: string;
  readonly keep?: (entry: OperationEntry) => boolean;
  readonly writes: boolean;
  /** Recorded requests: what they call comes first. */
  readonly traffic?: readonly SeenRequest[];
}

export interface Drafted {
  readonly draft: Draft;
  readonly operations: number;
  /** What recorded requests have called. */
  readonly use?: Use;
  /** About what one tool for each operation would cost. */
  readonly endpointTokens: number;
  /** The spec lies where only `--root` allows it to be read. */
  readonly outsideRoot: boolean;
}

/** Loads a spec and drafts a curation that will stand at `file`. Throws `UnreadableInput`. */
export async function draftSpec({ spec, file, keep, writes, traffic }: DraftRequest, shell: Shell): Promise<Drafted> {
  const egress = openLazyEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
  try {
    shell.progress?.(`Reading ${spec} …`);
    const api = await loadApi(spec, { egress });
    if (keep !== undefined && !api.index.some(keep))
      throw new UsageError(`No operation of ${spec} is left.${hintOf(api)}`);
    const use = traffic && countUse(api, traffic);
    const draft = () =>
      draftCuration(
        api,
        {
          spec: isUrl(spec) ? spec : wayTo(spec, file),
          ...(keep !== undefined && { keep }),
          writes,
          ...(use !== undefined && { use: use.counts }),
          progress: (read, of) =>
            read % 8 === 0 && shell.progress?.(`Read ${read} of the ${of} operations that promise most …`),
        },
        { cost: estimateCost, lint: checkWarnings },
      );
    let drafted = await draft();
    // Of a spec from a URL reading shows what further documents it needs.
    while (await api.fetchPending()) drafted = await draft();
    const endpointTokens = estimateEndpoints(api);
    const outsideRoot = !isUrl(spec) && !boundPath(wayTo(spec, file), file, rootOf(file, undefined)).inside;
    return { draft: drafted, operations: api.index.length, endpointTokens, outsideRoot, ...(use && { use }) };
  } finally {
    shell.progress?.("");
    await egress.close();
  }
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
