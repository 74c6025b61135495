import { createHash } from "node:crypto";
import { exposeToolset } from "../model/group/expose-toolset.ts";
import { listedTool } from "../model/listed-tool.ts";
import { PAGE_TOKEN_TTL_MS } from "../model/page-token-ttl.ts";
import type { Tool, Toolset } from "../model/tool.ts";
import { canonicalText } from "./manifest/canonical.ts";
import { describeConduct, type SayCall } from "./manifest/describe-conduct.ts";
import { describeUpstream } from "./manifest/describe-upstream.ts";
import type { Made, Manifest, ManifestAction, ManifestTool } from "./manifest-format.ts";
import { measureList } from "./measure-cost.ts";

/** The same for the same toolset and `made`, whatever machine and environment it is asked on. */
export async function makeManifest(toolset: Toolset, made: Made): Promise<Manifest> {
  const exposed = exposeToolset(toolset);
  const { name, title, instructions, structured, pageTokenTtlMs = PAGE_TOKEN_TTL_MS } = exposed.server;
  const cost = await measureList(exposed.tools.map((tool) => listedTool(tool, structured)));
  const describe = openDescribing(toolset);
  return {
    manifest: 1,
    made,
    server: {
      name,
      ...(title !== undefined && { title }),
      instructions,
      structured,
      pageTokenTtlMs,
      upstream: describeUpstream(toolset),
    },
    tokens: cost.list.tokens,
    pins: toolset.pins.map((pin) => pin.name).toSorted(),
    tools: exposed.tools.map((tool, at) => ({ ...describe(tool), tokens: cost.tools[at]?.tokens ?? 0 })),
  };
}

/** The canonical text: keys in order, two spaces, line feeds, one at the end. */
export function manifestText(manifest: Manifest): string {
  return canonicalText(manifest);
}

/** SHA-256 of the canonical text, in hex: by it two lists are the same or not. */
export function manifestSha(manifest: Manifest): string {
  return createHash("sha256").update(manifestText(manifest)).digest("hex");
}

function openDescribing(toolset: Toolset): (tool: Tool) => Omit<ManifestTool, "tokens"> {
  const { structured } = toolset.server;
  const places = new Map(toolset.tools.map(({ name, group }) => [name, group]));
  const sayTool = (name: string) => {
    const place = places.get(name);
    return place === undefined ? name : `${place.tool}/${place.action}`;
  };
  const discriminators = new Map(
    [...places.values()].flatMap((group) => (group ? [[group.tool, group.discriminator]] : [])),
  );
  // In groups a call names its action among the arguments.
  const sayCall: SayCall = (name, args) => {
    const isAction = ([arg]: (typeof args)[number]) => arg === discriminators.get(name);
    const action = args.find(isAction)?.[1];
    if (action?.kind !== "literal") return { tool: sayTool(name), args };
    return { tool: `${name}/${String(action.value)}`, args: args.filter((one) => !isAction(one)) };
  };
  const conductOf = (tool: Tool) => describeConduct(tool, toolset, sayCall);
  const seen = (tool: Tool, aliases: readonly string[]) => ({
    ...listedTool(tool, structured),
    tags: tool.tags.toSorted(),
    ...(aliases.length > 0 && { aliases: [...new Set(aliases)].toSorted() }),
  });
  const describeAction = (tool: Tool): ManifestAction => ({
    ...seen(tool, [...(tool.group?.aliases ?? []), ...(tool.aliases ?? [])]),
    conduct: conductOf(tool),
  });
  return (tool) => {
    const shown = seen(tool, tool.aliases ?? []);
    if (tool.plan.kind !== "group") return { ...shown, conduct: conductOf(tool) };
    const { discriminator, actions } = tool.plan;
    const described = actions.map(([action, one]) => [action, describeAction(one)] as const);
    return { ...shown, group: { discriminator, actions: Object.fromEntries(described) } };
  };
}
