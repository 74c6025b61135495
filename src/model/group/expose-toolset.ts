import { compareTexts } from "../compare-texts.ts";
import { onceFor } from "../once-for.ts";
import type { Rest, Shape } from "../shape.ts";
import type { Tool, Toolset } from "../tool.ts";
import { annotateGroup, describeGroup } from "./describe-group.ts";
import { mapTexts } from "./map-texts.ts";
import { type Action, mergeInputs } from "./merge-inputs.ts";
import { openSaying } from "./say-tool.ts";

/**
 * The toolset as callers see it: tools that have their place in a group are actions of one tool, and texts name them so. Without groups it is the
 * toolset itself. What callers may not see is taken out before. Made once for a toolset.
 */
export function exposeToolset(toolset: Toolset): Toolset {
  return toolset.tools.some(({ group }) => group !== undefined) ? exposeOnce(toolset) : toolset;
}

const exposeOnce = onceFor(expose);

/** The same with the actions in place of their groups: tools that can be called each by itself. */
export function openGroups(exposed: Toolset): Toolset {
  if (!exposed.tools.some(({ plan }) => plan.kind === "group")) return exposed;
  return { ...exposed, tools: exposed.tools.flatMap((tool) => actionsOf(tool) ?? [tool]) };
}

/** The tools behind a group; undefined where it is none. */
export function actionsOf({ plan }: Tool): readonly Tool[] | undefined {
  return plan.kind === "group" ? plan.actions.map(([, tool]) => tool) : undefined;
}

function expose(toolset: Toolset): Toolset {
  const { server, tools } = toolset;
  const say = openSaying(tools);
  return { ...toolset, server: { ...server, instructions: say(server.instructions) }, tools: exposeTools(tools) };
}

/** The tools as callers see them, sorted by name. */
export function exposeTools(tools: readonly Tool[]): readonly Tool[] {
  if (!tools.some(({ group }) => group !== undefined)) return tools;
  const told = tellActions(tools);
  const alone = told.filter(({ group }) => group === undefined);
  const groups = [...groupsOf(told)].map(([name, actions]) => makeGroup(name, actions));
  return [...alone, ...groups].toSorted((a, b) => compareTexts(a.name, b.name));
}

/** The tools with texts that name actions. */
export function tellActions(tools: readonly Tool[]): readonly Tool[] {
  const say = openSaying(tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return tools.map((tool) => {
    const one = mapTexts(tool, say);
    return { ...one, shape: nameActionsInRest(one.shape, byName) };
  });
}

/** By the name that callers see, the actions in the order of the tools. */
export function groupsOf(tools: readonly Tool[]): ReadonlyMap<string, readonly Action[]> {
  const groups = new Map<string, Action[]>();
  for (const tool of tools) {
    if (tool.group === undefined) continue;
    const action: Action = { ...tool, group: tool.group };
    groups.set(tool.group.tool, [...(groups.get(tool.group.tool) ?? []), action]);
  }
  return groups;
}

function makeGroup(name: string, actions: readonly Action[]): Tool {
  const { title } = actions[0]!.group;
  return {
    name,
    title,
    description: describeGroup(title, actions).description,
    annotations: annotateGroup(actions),
    inputSchema: mergeInputs(actions).schema,
    inputs: [],
    plan: {
      kind: "group",
      discriminator: actions[0]!.group.discriminator,
      actions: actions.map((one) => [one.group.action, one]),
    },
    shape: { kind: "object", budget: Math.max(...actions.map(({ shape }) => shape.budget)) },
    errors: [],
    deadlineMs: Math.max(...actions.map(({ deadlineMs }) => deadlineMs)),
    tags: [...new Set(actions.flatMap(({ tags }) => tags))],
  };
}

/** The way to the rest of what was cut is told with its action among the arguments. */
function nameActionsInRest(shape: Shape, tools: ReadonlyMap<string, Tool>): Shape {
  if (shape.rest === undefined) return shape;
  const rest = shape.rest.map((one): Rest => {
    const group = tools.get(one.tool ?? "")?.group;
    if (group === undefined) return one;
    const action = [group.discriminator, { kind: "literal", value: group.action }] as const;
    return { ...one, tool: group.tool, args: [action, ...one.args] };
  });
  return { ...shape, rest };
}
