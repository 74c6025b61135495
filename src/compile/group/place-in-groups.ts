import type { Curation } from "../../curation/format.ts";
import { capitalize } from "../../model/capitalize.ts";
import type { GroupPlace } from "../../model/group/group-place.ts";
import type { Tool } from "../../model/tool.ts";
import type { ToolNames } from "../words/tool-names.ts";

/** A name of the curation with a dot in it, taken apart: the last part is the action. */
export interface Placed {
  readonly namespace: string;
  readonly action: string;
}

const DISCRIMINATOR = "action";

/** Whether tools are shown in groups; `wanted` counts before what the curation says. */
export function isGrouped(curation: Curation, wanted?: "flat" | "grouped"): boolean {
  const { expose = "flat" } = curation.content.server;
  return (wanted ?? (typeof expose === "string" ? expose : expose.as)) === "grouped";
}

export function readPlace(name: string): Placed | undefined {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? undefined : { namespace: name.slice(0, dot), action: name.slice(dot + 1) };
}

/**
 * The tools with their places in groups, one group a namespace. What writes stands apart from what reads, for clients approve a tool whole: beside
 * reads it goes to `NAMESPACE_write`, whichever of them a caller then sees.
 */
export function placeInGroups(tools: readonly Tool[], curation: Curation, names: ToolNames): Tool[] {
  const written = new Map([...names].map(([name, emitted]) => [emitted, name]));
  const placeOf = ({ name }: Tool) => readPlace(written.get(name) ?? name);
  const reading = new Set(
    tools.filter(({ annotations }) => annotations.readOnlyHint).map((tool) => placeOf(tool)?.namespace),
  );
  const { prefix = "", expose } = curation.content.server;
  const { discriminator = DISCRIMINATOR, separator = "_" } = typeof expose === "object" ? expose : {};
  return tools.map((tool) => {
    const place = placeOf(tool);
    if (place === undefined) return tool;
    const { namespace, action } = place;
    const apart = !tool.annotations.readOnlyHint && reading.has(namespace);
    const old = actionsBefore(curation.content.tools[written.get(tool.name)!]?.aliases, namespace);
    const group: GroupPlace = {
      tool: `${prefix}${namespace.replaceAll(".", separator)}${apart ? "_write" : ""}`,
      title: `${capitalize(namespace.replaceAll(/[._]/g, " "))}${apart ? " (changes)" : ""}`,
      action,
      ...(old.length > 0 && { aliases: old }),
      discriminator,
    };
    return { ...tool, group };
  });
}

/** What an action was called in the same namespace. */
function actionsBefore(aliases: readonly string[] = [], namespace: string): string[] {
  return aliases.flatMap((name) => {
    const place = readPlace(name);
    return place?.namespace === namespace ? [place.action] : [];
  });
}
