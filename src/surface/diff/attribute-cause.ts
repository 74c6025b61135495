import type { Cause, Change } from "./change.ts";

/** What each part is known to change when it alone is put in the place of the other side's. */
export interface Effects {
  readonly spec: readonly Change[];
  readonly curation: readonly Change[];
  readonly compiler: readonly Change[];
}

const NAMES: ReadonlyMap<string, Cause> = new Map([
  ["spec", "spec"],
  ["curation", "curation"],
  ["compiler", "compiler"],
  ["spec curation", "spec+curation"],
]);

/** Says of a change what makes it: the parts that change the same thing in the same way, else the same thing, else the same tool. */
export function openCauses(effects: Effects): (change: Change) => Cause {
  const parts = Object.entries({ spec: effects.spec, curation: effects.curation, compiler: effects.compiler }).map(
    ([part, changes]) => ({ part, touched: new Set(changes.flatMap(keysOf)) }),
  );
  return (change) => {
    for (const key of keysOf(change)) {
      const makers = parts.filter(({ touched }) => touched.has(key)).map(({ part }) => part);
      if (makers.length > 0) return NAMES.get(makers.join(" ")) ?? "unknown";
    }
    // Neither makes it alone: sums such as the list's tokens.
    return effects.spec.length > 0 && effects.curation.length > 0 ? "spec+curation" : "unknown";
  };
}

/** The narrowest first. */
function keysOf({ rule, tool, path }: Change): string[] {
  const keys = [JSON.stringify([tool, path, rule]), JSON.stringify([tool, path])];
  return tool === null ? keys : [...keys, JSON.stringify([tool])];
}
