import { mapEntityCalls } from "../../model/map-calls.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import type { Entity } from "../../model/tool.ts";
import { type CallDraft, type CallList, openCalls } from "../calls/draft-call.ts";
import { hintFor, openReport, type Report } from "../open-report.ts";
import type { CompiledTool, ToolContext } from "../tool-context.ts";
import { bindAlias } from "./bind-alias.ts";
import { type EntityEntry, entitiesOf, listerOf } from "./entity-context.ts";
import { bindSource, checkListing } from "./read-listing.ts";

export interface BoundEntities {
  readonly entities: readonly Entity[];
  /** The operations of their calls are positions here until all tools are known. */
  readonly calls: readonly CallDraft[];
  readonly problems: readonly Problem[];
}

/** Where the identifiers of each kind come from. `compiled` are the tools that could be compiled, by the name of the curation. */
export function bindEntities(compiled: ReadonlyMap<string, CompiledTool>, context: ToolContext): BoundEntities {
  const report = openReport(context.curation);
  const all = openCalls();
  const tools = [...compiled.values()].map(({ tool }) => tool);
  const used = new Set(tools.flatMap(({ inputs }) => inputs.flatMap(({ entity }) => entity ?? [])));
  warnOfUnused(context, report);
  const bound = entitiesOf(context).map(([name, entry]) => bindEntity(name, entry, compiled, all, context, report));
  const calls: CallDraft[] = [];
  const entities = bound
    .filter(({ name }) => used.has(name))
    .map((entity) =>
      mapEntityCalls(entity, (call) => ({ ...call, operation: calls.push(all.drafts[call.operation]!) - 1 })),
    );
  return { entities, calls, problems: report.problems };
}

function bindEntity(
  name: string,
  entry: EntityEntry,
  compiled: ReadonlyMap<string, CompiledTool>,
  calls: CallList,
  context: ToolContext,
  report: Report,
): Entity {
  const at = ["entities", name];
  const lister = listerOf(entry, context);
  if (lister === undefined) {
    const known = [...context.names.keys()];
    const hint = hintFor(nearestNames(entry.from, known), known);
    report.add("error", "unknown_tool", [...at, "from"], `There is no tool "${entry.from}".`, hint);
  }
  const listing = lister === undefined ? undefined : compiled.get(lister);
  if (listing !== undefined) checkListing(entry, at, listing, context, report);
  const source = listing === undefined ? undefined : bindSource(entry, listing, calls);
  const aliases = (entry.aliases ?? []).flatMap(
    (alias, index) => bindAlias(alias, [...at, "aliases", index], calls, context, report) ?? [],
  );
  const tool = (lister === undefined ? undefined : context.names.get(lister)) ?? entry.from;
  return { name, tool, field: entry.field, ...(source !== undefined && { source }), aliases };
}

function warnOfUnused(context: ToolContext, report: Report): void {
  // What was left out of a tool may have named it.
  if (context.curation.leftOut.some(({ path }) => path[0] === "tools")) return;
  const inputs = Object.values(context.curation.content.tools).flatMap((tool) => Object.values(tool.input ?? {}));
  const named = new Set(inputs.map(({ entity }) => entity));
  for (const [name] of entitiesOf(context).filter(([one]) => !named.has(one))) {
    const hint = `Say \`entity: ${name}\` on the inputs that name one, or take it out.`;
    report.add("warning", "unused_entity", ["entities", name], `No input names the entity "${name}".`, hint);
  }
}
