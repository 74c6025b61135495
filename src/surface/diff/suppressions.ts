import type { Change } from "./change.ts";

/** A change that someone accepts. */
export interface Suppression {
  readonly rule: string;
  /** Any, where absent. */
  readonly tool?: string;
  /** This and all below it; any, where absent. */
  readonly path?: string;
  readonly reason: string;
  /** The last day (UTC) on which it holds, as `2027-01-31`. */
  readonly until?: string;
  /** Where it is written. */
  readonly file: string;
  readonly line: number;
}

export interface Suppressed<T extends Change> {
  readonly left: readonly T[];
  readonly accepted: readonly { readonly change: T; readonly by: Suppression }[];
  /** Those that are over, and those that no change needs. */
  readonly expired: readonly Suppression[];
  readonly unmatched: readonly Suppression[];
}

/** Takes out what is accepted; `today` as `2027-01-31`. */
export function applySuppressions<T extends Change>(
  changes: readonly T[],
  suppressions: readonly Suppression[],
  today: string,
): Suppressed<T> {
  const isOver = ({ until }: Suppression): boolean => until !== undefined && until < today;
  const holding = suppressions.filter((one) => !isOver(one));
  const left: T[] = [];
  const accepted: { change: T; by: Suppression }[] = [];
  for (const change of changes) {
    const by = holding.find((one) => fits(one, change));
    if (by === undefined) left.push(change);
    else accepted.push({ change, by });
  }
  return {
    left,
    accepted,
    expired: suppressions.filter(isOver),
    unmatched: holding.filter((one) => !changes.some((change) => fits(one, change))),
  };
}

function fits({ rule, tool, path }: Suppression, change: Change): boolean {
  if (rule !== change.rule || (tool !== undefined && tool !== change.tool)) return false;
  return path === undefined || change.path === path || change.path.startsWith(`${path}/`);
}
