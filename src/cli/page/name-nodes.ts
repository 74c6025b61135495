import type { Tool, Toolset } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";

/** A tool as it is listed, or one action of it. */
export interface ToolNode {
  /** `tool`, or `tool/action`. */
  readonly id: string;
  readonly tool: string;
  readonly action?: string;
}

type Args = readonly (readonly [name: string, value: Value])[];

/** Finds the node that a toolset means by a name, of a tool or of the group in which it is shown, then by the action among the arguments. */
export function openNodes({ tools }: Pick<Toolset, "tools">): (name: string, args?: Args) => ToolNode | undefined {
  const byName = new Map(tools.map((tool) => [tool.name, nodeOf(tool)]));
  const byId = new Map([...byName.values()].map((node) => [node.id, node]));
  const discriminators = new Map(
    tools.flatMap(({ group }) => (group === undefined ? [] : [[group.tool, group.discriminator] as const])),
  );
  return (name, args = []) => {
    const chosen = args.find(([arg]) => arg === discriminators.get(name))?.[1];
    const action = chosen?.kind === "literal" ? String(chosen.value) : "";
    return byId.get(`${name}/${action}`) ?? byName.get(name);
  };
}

export function nodeOf({ name, group }: Tool): ToolNode {
  if (group === undefined) return { id: name, tool: name };
  return { id: `${group.tool}/${group.action}`, tool: group.tool, action: group.action };
}
