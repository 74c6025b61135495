import { resolve } from "node:path";
import type { Curation } from "../../curation/format.ts";
import { loadCuration } from "../../curation/load-curation.ts";
import { type Update, updateCuration } from "../../draft/update/update-curation.ts";
import type { OperationEntry } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isUrl } from "../../model/is-url.ts";
import type { Problem } from "../../model/problem.ts";
import { loadApi } from "../../spec/load-api.ts";
import { checkWarnings } from "../../surface/lint/check-lint.ts";
import { type Shell, UsageError } from "../command.ts";
import { openLazyEgress } from "../toolset/lazy-egress.ts";
import { placeSources } from "../toolset/place-sources.ts";
import { readFile } from "../toolset/read-file.ts";
import { costOf } from "./cost-of.ts";
import { countUse, type Use } from "./count-use.ts";
import type { SeenRequest } from "./read-har.ts";

export interface UpdateRequest {
  /** A curation, which is read and not written here. */
  readonly file: string;
  /** A file or a URL; else the curation's own. */
  readonly spec?: string;
  readonly keep?: (entry: OperationEntry) => boolean;
  readonly isNamed: boolean;
  readonly writes: boolean;
  readonly traffic?: readonly SeenRequest[];
}

export interface Updated {
  readonly update: Update;
  /** As it is now. */
  readonly curation: Curation;
  /** The curation as it was. */
  readonly before: string;
  /** Another spec was looked at than the one that the curation names. */
  readonly otherSpec: boolean;
  /** What recorded requests have called. */
  readonly use?: Use;
}

/** Adds to a curation what a spec brings. Errors of the curation are told in place of it. Throws `UnreadableInput`. */
export async function updateFile(
  { file, spec, keep, isNamed, writes, traffic }: UpdateRequest,
  shell: Shell,
): Promise<Updated | { readonly errors: readonly Problem[] }> {
  const { text } = readFile(file);
  const { curation, problems } = loadCuration(file, text);
  const placed = curation && placeSources(curation, { file, root: undefined, readOnly: false }, spec);
  const errors = [...problems, ...(placed?.problems ?? [])].filter(({ severity }) => severity === "error");
  if (writes && curation?.content.server?.writes !== true)
    throw new UsageError(`${file} has no writes. Say \`writes: true\` under its \`server\` first.`);
  if (curation === undefined || placed?.sources === undefined || errors.length > 0) return { errors };
  const egress = openLazyEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
  try {
    shell.progress?.(`Reading ${placed.sources.spec} …`);
    const api = await loadApi(placed.sources.spec, { egress, overlays: placed.sources.overlays });
    const [broken] = api.problems.filter(({ severity }) => severity === "error");
    if (broken !== undefined) throw new UnreadableInput(`${broken.file}:${broken.line}: ${broken.message}`);
    if (keep !== undefined && !api.index.some(keep)) throw new UsageError("No operation of the document is left.");
    const use = traffic && countUse(api, traffic);
    const options = {
      ...{ file, text, isNamed, writes },
      ...(keep !== undefined && { keep }),
      ...(use !== undefined && { use: use.counts }),
    };
    const run = () => updateCuration(api, options, { cost: costOf, lint: checkWarnings });
    let update = await run();
    while (await api.fetchPending()) update = await run();
    if ("errors" in update) {
      const refused = update.errors;
      return { errors: refused.map(({ problem, path }) => ({ ...problem, ...curation.locate(path) })) };
    }
    const own = curation.content.api.spec;
    const otherSpec = spec !== undefined && (isUrl(own) ? own !== spec : isOther(curation, file, spec));
    const written = loadCuration(file, update.text).curation ?? curation;
    return { update, curation: written, before: text, otherSpec, ...(use && { use }) };
  } finally {
    shell.progress?.("");
    await egress.close();
  }
}

function isOther(curation: Curation, file: string, spec: string): boolean {
  const own = placeSources(curation, { file, root: undefined, readOnly: false }).sources?.spec;
  return own === undefined || resolve(own) !== resolve(spec);
}
