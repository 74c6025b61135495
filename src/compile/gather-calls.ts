import type { Call, OperationPlan } from "../model/call.ts";
import { compareTexts } from "../model/compare-texts.ts";
import { mapCalls, mapEntityCalls } from "../model/map-calls.ts";
import type { Tool, Toolset } from "../model/tool.ts";
import type { CallDraft } from "./calls/draft-call.ts";
import type { BoundEntities } from "./entities/bind-entities.ts";
import { mergePlans } from "./places/plan-operation.ts";
import type { BoundStates } from "./states/bind-states.ts";
import type { CompiledTool } from "./tool-context.ts";
import { placeKey } from "./upstream/place-key.ts";

/** Tools sorted by name, and the operations that they send: one plan for each way of sending one. */
export function gather(
  compiled: readonly CompiledTool[],
  bound: Pick<BoundEntities, "entities" | "calls">,
  stated: Pick<BoundStates, "states" | "calls">,
  extra: readonly Tool[],
  key: string | undefined,
): Pick<Toolset, "operations" | "tools" | "entities" | "states"> {
  const sorted = compiled.toSorted((a, b) => compareTexts(a.tool.name, b.tool.name));
  const groups = new Map<string, CallDraft[]>();
  for (const draft of [...sorted, bound, stated].flatMap(({ calls }) => calls)) {
    const way = wayOf(draft.plan);
    groups.set(way, [...(groups.get(way) ?? []), draft]);
  }
  const ways = [...groups.keys()];
  const operations = [...groups.values()].map((group) =>
    mergePlans(
      group.map(({ plan }) => plan),
      group[0]!.target.operation,
    ),
  );
  const renumber = (calls: readonly CallDraft[]) => (call: Call) => {
    const draft = calls[call.operation]!;
    return { ...placeKey(call, draft, key), operation: ways.indexOf(wayOf(draft.plan)) };
  };
  const tools = sorted.map(({ tool, calls }) => mapCalls(tool, renumber(calls)));
  const entities = bound.entities.map((entity) => mapEntityCalls(entity, renumber(bound.calls)));
  const states = stated.states.map((state) => ({ ...state, call: renumber(stated.calls)(state.call) }));
  const all = [...tools, ...extra].toSorted((a, b) => compareTexts(a.name, b.name));
  return { operations, tools: all, entities, states };
}

function wayOf(plan: OperationPlan): string {
  return JSON.stringify({ ...plan, parameters: [] });
}
