import { valueRoots } from "../../curation/expression.ts";
import type { Binding } from "../../model/call.ts";
import type { InputDraft } from "./read-input.ts";
import { holds, placePath, type Sent } from "./sent-value.ts";

/**
 * The inputs without which the call cannot be made: they stand whole in a place that its parameter or body needs, and each object around
 * the place is needed too, or sent anyway because something else in it is (`pinned` is).
 */
export function neededInputs(
  drafts: readonly InputDraft[],
  sent: readonly Sent[],
  pinned: readonly Binding[],
): ReadonlySet<string> {
  const fixed = pinned.filter(({ whereSent }) => whereSent !== true).map(({ place }) => placePath(place));
  const certain = new Map(drafts.map(({ input, required }) => [input.name, required ?? input.default !== undefined]));
  const needed = new Set<string>();
  for (let grew = true; grew; ) {
    const isGiven = (name: string) => needed.has(name) || certain.get(name) === true;
    const always = sent.filter((one) => isAlwaysSent(one, isGiven)).map(({ site }) => placePath(site.place));
    const found = sent
      .filter(({ whole }) => whole !== undefined && !needed.has(whole))
      .filter((one) => isNeeded(one, [...fixed, ...always]));
    for (const { whole } of found) needed.add(whole!);
    grew = found.length > 0;
  }
  return needed;
}

function isAlwaysSent({ value }: Sent, isGiven: (name: string) => boolean): boolean {
  if (value.kind === "literal") return value.value !== null;
  const inputs = valueRoots(value).filter(({ root }) => root === "input");
  return inputs.every(({ name }) => name !== undefined && isGiven(name));
}

function isNeeded({ site }: Sent, always: readonly (readonly string[])[]): boolean {
  const path = placePath(site.place);
  return site.required.every((required, level) => {
    if (required) return true;
    const outer = path.slice(0, level + 1);
    // The place itself is not "around" itself.
    return level < path.length - 1 && always.some((one) => holds(outer, one));
  });
}
