import type { Json } from "../../model/json.ts";
import { refOf } from "../resolve-ref.ts";
import { editTree } from "./edit-tree.ts";
import { Incompatible, kindOf, updateTarget } from "./merge-update.ts";
import type { Found } from "./query-path.ts";
import type { Action, Note, Overlay } from "./read-overlay.ts";

/** The document after one action. What it could not do is noted, and then the document is as it was. */
export function applyAction(root: Json, action: Action, version: Overlay["version"], note: Note): Json {
  try {
    const found = action.target.find(root);
    if (found.length === 0) {
      noteMiss(root, action, note);
      return root;
    }
    return applyTo(root, found, action, version, note);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isMixed = error instanceof Incompatible;
    if (!isMixed && !(error instanceof RangeError)) throw error;
    note("error", "overlay_broken", action.pointer, `${action.targetText} cannot be changed so: ${reason}.`);
    return root;
  }
}

function applyTo(root: Json, found: readonly Found[], action: Action, version: Overlay["version"], note: Note): Json {
  const tree = editTree(root);
  const { change } = action;
  if (change.kind === "remove") {
    for (const { path } of lastFirst(found)) tree.remove(path);
    return tree.root;
  }
  const kinds = new Set(found.map(({ value }) => kindOf(value)));
  if (kinds.size > 1) throw new Incompatible(`it selects ${[...kinds].sort().join(" and ")} at once`);
  const value = change.kind === "update" ? change.value : sourceOf(change.source.find(root));
  if (value === undefined) {
    note("warning", "overlay_no_match", action.pointer, "`copy` finds nothing to copy.");
    return root;
  }
  for (const { path } of found) tree.replace(path, (target) => updateTarget(target, value, version));
  return tree.root;
}

function sourceOf(sources: readonly Found[]): Json | undefined {
  if (sources.length > 1) throw new Incompatible(`\`copy\` finds ${sources.length} values and copies one only`);
  return sources[0]?.value;
}

/** So that taking one away leaves the others where they are: the innermost first, and items of a list from its end. */
function lastFirst(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => b.path.length - a.path.length || Number(b.path.at(-1)) - Number(a.path.at(-1)) || 0);
}

function noteMiss(root: Json, action: Action, note: Note): void {
  const behind = action.target
    .reach(root)
    .flatMap(({ value }) => refOf(value) ?? [])
    .find((ref) => !ref.startsWith("#"));
  const message = `${action.targetText} finds nothing in the spec.`;
  const hint =
    behind === undefined
      ? undefined
      : `It may lie behind the $ref ${JSON.stringify(behind)}: an overlay changes the spec's root document only.`;
  note("warning", "overlay_no_match", `${action.pointer}/target`, message, hint);
}
