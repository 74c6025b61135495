import { actionsOf, exposeToolset } from "../../model/group/expose-toolset.ts";
import type { JsonObject } from "../../model/json.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { SourcePosition } from "../../model/problem.ts";
import type { Input, Tool, Toolset, ValueSource } from "../../model/tool.ts";
import type { Cost, PageAction, PageInput, PageTool } from "../../web/page-data.ts";
import { openNodes } from "./name-nodes.ts";
import { runsOf } from "./runs-of.ts";

/** What the curation says of a tool beyond the toolset, by the tool's name. */
export interface ToolEntryFacts {
  readonly at: SourcePosition;
  readonly examples: readonly JsonObject[];
}

export type EntryFacts = ReadonlyMap<string, ToolEntryFacts>;

/** The tools as a caller sees them, in the order of the list, with their costs in the same order. */
export function describeTools(seen: Toolset, costs: readonly Cost[], facts: EntryFacts): readonly PageTool[] {
  const { tools, server } = exposeToolset(seen);
  const inputsOf = openInputs(seen);
  const describe = (tool: Tool) => ({
    runs: runsOf(tool, seen),
    inputs: inputsOf(tool),
    examples: facts.get(tool.name)?.examples ?? [],
    states: tool.states ?? [],
    ...placeOf(facts.get(tool.name)),
  });
  const describeAction = (tool: Tool): PageAction => {
    const { title, description, inputSchema, annotations } = listedTool(tool, server.structured);
    return { action: tool.group?.action ?? tool.name, title, description, inputSchema, annotations, ...describe(tool) };
  };
  return tools.map((tool, at) => ({
    listed: listedTool(tool, server.structured),
    cost: costs[at] ?? NOTHING,
    ...describe(tool),
    ...(tool.plan.kind === "group" && { discriminator: tool.plan.discriminator }),
    actions: (actionsOf(tool) ?? []).map(describeAction),
  }));
}

const NOTHING: Cost = { tokens: 0, bytes: 0 };

function placeOf(facts: ToolEntryFacts | undefined): { readonly at?: SourcePosition } {
  return facts === undefined ? {} : { at: facts.at };
}

function openInputs(seen: Toolset): (tool: Tool) => Readonly<Record<string, PageInput>> {
  const nodeOf = openNodes(seen);
  const entities = new Map(seen.entities.map((one) => [one.name, one]));
  const from = (name: string | undefined, field?: string): Pick<PageInput, "from"> => {
    const node = name === undefined ? undefined : nodeOf(name);
    if (node === undefined) return {};
    const { tool, action } = node;
    return { from: { tool, ...(action !== undefined && { action }), ...(field !== undefined && { field }) } };
  };
  const ofEntity = ({ entity }: Input): PageInput => {
    const source = entities.get(entity ?? "");
    return source === undefined ? {} : { entity: source.name, ...from(source.tool, source.field) };
  };
  const ofValues = (source: ValueSource | undefined): PageInput => from(source?.tool);
  return ({ inputs, filter }) => {
    const known = inputs.map((input) => [input.name, { ...ofValues(input.valuesFrom), ...ofEntity(input) }] as const);
    const all = [...known, ...(filter?.offered === true ? [["filter", ofValues(filter.from)] as const] : [])];
    return Object.fromEntries(all.filter(([, one]) => Object.keys(one).length > 0));
  };
}
