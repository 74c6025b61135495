import type { Json, JsonObject } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Plan, Tool } from "../../model/tool.ts";
import { refuseArguments } from "../arguments/argument-faults.ts";
import { readWhole } from "../arguments/validate-arguments.ts";

export interface ChosenAction {
  readonly tool: Tool;
  /** Without the argument that chose it, and without nulls for what only other actions take: some clients send every argument. */
  readonly args: JsonObject;
  /** Of each argument that this action does not take: the actions that do. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
}

/** The action of a group that a call names. Throws ToolError `invalid_arguments` where it names none. */
export function chooseAction({ discriminator, actions }: Extract<Plan, { kind: "group" }>, raw: unknown): ChosenAction {
  const { [discriminator]: named = null, ...given } = readWhole(raw);
  const names = actions.map(([action]) => action);
  const [action, tool] =
    actions.find(([one]) => one === named) ??
    actions.find(([, one]) => typeof named === "string" && one.group?.aliases?.includes(named)) ??
    refuseAction(discriminator, named, names);
  const elsewhere = new Map<string, string[]>();
  for (const [other, { inputSchema }] of actions) {
    if (other === action) continue;
    for (const name of Object.keys(inputSchema.properties ?? {}))
      if (!Object.hasOwn(tool.inputSchema.properties ?? {}, name))
        elsewhere.set(name, [...(elsewhere.get(name) ?? []), other]);
  }
  const args = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !elsewhere.has(name)),
  );
  return { tool, args, elsewhere };
}

function refuseAction(discriminator: string, named: Json, names: readonly string[]): never {
  const list = names.join(", ");
  const message =
    named === null
      ? `\`${discriminator}\` is required: it chooses what is done. There is ${list}.`
      : `\`${discriminator}\` must be one of ${list}.`;
  throw refuseArguments([
    {
      code: "invalid_arguments",
      path: discriminator,
      message,
      allowed: names,
      ...(named !== null && { got: named }),
      ...(typeof named === "string" && { nearest: nearestNames(named, names) }),
    },
  ]);
}
