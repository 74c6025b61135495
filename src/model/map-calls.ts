import type { Call } from "./call.ts";
import type { Shape, Totals } from "./shape.ts";
import type { Step } from "./step.ts";
import type { Alias, Entity, Plan, Tool, ValueSource } from "./tool.ts";

/** The tool with every call that it can make replaced. */
export function mapCalls(tool: Tool, replace: (call: Call) => Call): Tool {
  const source = <T extends ValueSource>(one: T): T => ({ ...one, call: replace(one.call) });
  const { inputs, filter, plan, shape } = tool;
  return {
    ...tool,
    inputs: inputs.map((input) =>
      input.valuesFrom === undefined ? input : { ...input, valuesFrom: source(input.valuesFrom) },
    ),
    ...(filter !== undefined && {
      filter: filter.from === undefined ? filter : { ...filter, from: source(filter.from) },
    }),
    plan: mapPlan(plan, replace),
    shape: mapShape(shape, replace),
  };
}

/** Every call that a tool can make, its own first. */
export function callsOf(tool: Tool): readonly Call[] {
  const own: Call[] = [];
  mapPlan(tool.plan, (call) => {
    own.push(call);
    return call;
  });
  const others: Call[] = [];
  mapCalls(tool, (call) => {
    if (!own.includes(call)) others.push(call);
    return call;
  });
  return [...own, ...others];
}

/** The same of the calls that find identifiers. */
export function mapEntityCalls(entity: Entity, replace: (call: Call) => Call): Entity {
  const { source, aliases } = entity;
  const mapAlias = (alias: Alias): Alias =>
    alias.kind === "look-up" ? { ...alias, call: replace(alias.call) } : alias;
  return {
    ...entity,
    ...(source !== undefined && { source: { ...source, call: replace(source.call) } }),
    aliases: aliases.map(mapAlias),
  };
}

function mapPlan(plan: Plan, replace: (call: Call) => Call): Plan {
  switch (plan.kind) {
    case "call":
      return { ...plan, call: replace(plan.call) };
    case "steps":
      return { ...plan, steps: plan.steps.map((step) => mapStep(step, replace)) };
    case "access":
    case "explore":
      return plan;
    case "group":
      return { ...plan, actions: plan.actions.map(([action, tool]) => [action, mapCalls(tool, replace)]) };
    default:
      return plan satisfies never;
  }
}

function mapStep(step: Step, replace: (call: Call) => Call): Step {
  return step.kind === "call" ? { ...step, call: replace(step.call) } : step;
}

function mapShape(shape: Shape, replace: (call: Call) => Call): Shape {
  if (shape.kind !== "list" || shape.totals === undefined) return shape;
  return { ...shape, totals: mapTotals(shape.totals, replace) };
}

function mapTotals(totals: Totals, replace: (call: Call) => Call): Totals {
  return totals.kind === "aggregate" ? { ...totals, call: replace(totals.call) } : totals;
}
