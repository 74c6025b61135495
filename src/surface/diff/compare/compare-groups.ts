import type { PortableSchema } from "../../../model/schema.ts";
import type { Manifest, ManifestTool } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import { compareHints } from "./compare-hints.ts";
import { compareInput } from "./compare-input.ts";
import { compareText } from "./compare-words.ts";
import { change, into } from "./make-change.ts";
import type { Sayings } from "./open-sayings.ts";

/** Where it is told that an action is gone, or is in another group now. */
const MOVED = /^$|^\/name$/;

/** What groups show of themselves; `told` is what their actions do already, and not told again. */
export function* compareGroups(
  base: Manifest,
  head: Manifest,
  told: readonly Change[],
  sayings: Sayings,
): Iterable<Change> {
  const before = new Map(base.tools.map((tool) => [tool.name, tool]));
  for (const after of head.tools) {
    const old = before.get(after.name);
    if (old?.group === undefined || after.group === undefined) continue;
    const isIn = (label: unknown) => typeof label === "string" && `${label}/`.startsWith(`${after.name}/`);
    const ofActions = told.filter(({ tool, path, before: was }) => isIn(tool) || (MOVED.test(path) && isIn(was)));
    yield* compareGroup(old, after, ofActions, sayings);
  }
}

function* compareGroup(
  before: ManifestTool,
  after: ManifestTool,
  told: readonly Change[],
  { sameText }: Sayings,
): Iterable<Change> {
  const spot = { tool: after.name, path: "" };
  yield* compareText("title_changed", into(spot, "title"), before.title, after.title, "The title");
  const rules = new Set(told.map(({ rule }) => rule));
  for (const one of compareHints(before.annotations, after.annotations, into(spot, "annotations")))
    if (!rules.has(one.rule)) yield one;
  // Made of its actions: of which there are, their words and their hints.
  const isMoved = told.some(({ path }) => /^$|^\/(name|title|description|annotations|group)/.test(path));
  if (!isMoved && !sameText(before.description, after.description))
    yield* compareText(
      "description_changed",
      into(spot, "description"),
      before.description,
      after.description,
      "The description",
    );
  yield* compareMerged(before, after, told);
}

/** Inputs are merged of the actions' own: where those do not say why, the difference is nobody's. */
function* compareMerged(before: ManifestTool, after: ManifestTool, told: readonly Change[]): Iterable<Change> {
  if (told.some(({ path }) => path === "" || path === "/name" || /^\/(inputSchema|conduct)/.test(path))) return;
  const [old, now] = [mergedOf(before), mergedOf(after)];
  const spot = { tool: after.name, path: "/inputSchema" };
  const found = [...compareInput(old, now, spot)];
  if (found.some(({ rule }) => rule !== "input_text_changed"))
    yield change("group_schema_changed", spot, old, now, "the schema of the group");
  else yield* found;
}

/** Without the choice of the action, which is compared as such. */
function mergedOf({ inputSchema, group }: ManifestTool): PortableSchema {
  const { properties = {}, required = [], ...rest } = inputSchema;
  const isOwn = (name: string) => name !== group?.discriminator;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name))),
    required: required.filter(isOwn),
  };
}
