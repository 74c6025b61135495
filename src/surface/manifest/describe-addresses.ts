import type { Call, OperationPlan } from "../../model/call.ts";
import { compareTexts } from "../../model/compare-texts.ts";
import type { Plan, Toolset } from "../../model/tool.ts";
import type { ManifestPart } from "../manifest-format.ts";
import { makePart } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/** Where the upstream is: as the curation says it, else the address in the spec that most operations have. Undefined where no operation has one. */
export function describeAddress(toolset: Toolset): ManifestPart | undefined {
  const { baseUrl } = toolset.upstream;
  if (baseUrl !== undefined) return makePart(valueJson(baseUrl));
  const common = commonServer(toolset);
  return common === undefined ? undefined : makePart(common);
}

/** By their keys, the operations of a tool that are elsewhere. */
export function describeOwnAddresses(
  plan: Plan,
  calls: readonly Call[],
  toolset: Toolset,
): Readonly<Record<string, ManifestPart>> {
  const { upstream, operations } = toolset;
  if (upstream.baseUrl !== undefined) return {};
  const common = commonServer(toolset);
  const asked = calls.flatMap(({ operation }): Pick<OperationPlan, "key" | "server">[] => [operations[operation]!]);
  const explored = serverOf(plan);
  const all = explored === undefined ? asked : [...asked, { key: "*", server: explored }];
  return Object.fromEntries(
    all.filter(({ server }) => server !== common).map(({ key, server }) => [key, makePart(server)]),
  );
}

/** The first by its text of those that are most frequent. */
function commonServer({ operations, tools }: Toolset): string | undefined {
  const servers = [
    ...operations.map(({ server }) => server),
    ...tools.flatMap(({ plan }) => serverOf(plan) ?? []),
  ].filter((server) => server !== "");
  const counts = new Map<string, number>();
  for (const server of servers) counts.set(server, (counts.get(server) ?? 0) + 1);
  return [...counts].toSorted(([a, most], [b, less]) => less - most || compareTexts(a, b))[0]?.[0];
}

function serverOf(plan: Plan): string | undefined {
  return plan.kind === "explore" ? plan.server : undefined;
}
