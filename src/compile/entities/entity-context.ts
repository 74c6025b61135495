import type { CurationFile } from "../../curation/format.ts";
import { ownValue } from "../../model/json.ts";
import type { ToolContext } from "../tool-context.ts";

export type EntityEntry = NonNullable<CurationFile["entities"]>[string];
export type AliasEntry = NonNullable<EntityEntry["aliases"]>[number];

/** The kinds of things that the curation says callers name, in its order. */
export function entitiesOf({ curation }: Pick<ToolContext, "curation">): readonly (readonly [string, EntityEntry])[] {
  return Object.entries(curation.content.entities ?? {});
}

/** The tool that lists a kind, as the curation calls it; undefined where it has no such tool. */
export function listerOf({ from }: EntityEntry, { curation, names }: Pick<ToolContext, "curation" | "names">) {
  if (ownValue(curation.content.tools, from) !== undefined) return from;
  return [...names].find(([, emitted]) => emitted === from)?.[0];
}
