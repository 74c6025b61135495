import { compareTexts } from "../../../model/compare-texts.ts";
import type { Conduct, Manifest, ManifestTool } from "../../manifest-format.ts";

/** What tools and actions have in common. */
export type Seen = Omit<ManifestTool, "tokens" | "group">;

/** What a call does: a tool that stands by itself, or an action of a group. */
export interface Unit {
  /** As callers see it: `billing_get`, or of an action `billing/get`. */
  readonly label: string;
  /** What it is called where it stands by itself, by which the two forms of one list are put together. */
  readonly name: string;
  readonly seen: Seen;
  readonly conduct: Conduct;
  readonly action?: { readonly tool: string; readonly discriminator: string; readonly name: string };
}

const NO_CONDUCT: Conduct = { operations: [], access: [], requests: {}, replies: {}, budget: 0, deadlineMs: 0 };

/** Everything that can be called, sorted by label. */
export function listUnits({ tools }: Manifest): readonly Unit[] {
  return tools.flatMap(unitsOf).toSorted((a, b) => compareTexts(a.label, b.label));
}

function unitsOf(tool: ManifestTool): Unit[] {
  const { name, group, conduct = NO_CONDUCT } = tool;
  if (group === undefined) return [{ label: name, name, seen: tool, conduct }];
  const { discriminator, actions } = group;
  return Object.entries(actions).map(([action, seen]) => ({
    label: `${name}/${action}`,
    name: seen.name,
    seen,
    conduct: seen.conduct,
    action: { tool: name, discriminator, name: action },
  }));
}

/** Whether a call as it was written for `before` reaches `after`. */
export function answersTo(after: Unit, before: Unit): boolean {
  const { aliases = [] } = after.seen;
  if (before.action === undefined)
    return (after.action === undefined && after.name === before.name) || aliases.includes(before.name);
  const { tool, discriminator, name } = before.action;
  if (after.action?.tool !== tool || after.action.discriminator !== discriminator) return false;
  return after.action.name === name || aliases.includes(name);
}
