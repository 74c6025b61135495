import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { change, into, type Spot } from "./make-change.ts";
import { membersLost, sameValue } from "./same-value.ts";

/** Compares what stands under one key of both; `undefined` where nothing does. */
export type CompareKey<T> = (before: T | undefined, after: T | undefined, spot: Spot) => Iterable<Change>;

export type KeyTable<T> = { readonly [K in keyof T]-?: CompareKey<NonNullable<T[K]>> };

/** Two objects, key by key as the table says; a difference under a key that it does not know is told as such. */
export function* compareKeys<T extends object>(before: T, after: T, table: KeyTable<T>, spot: Spot): Iterable<Change> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const known = new Map<string, CompareKey<never>>(Object.entries(table));
  for (const key of new Set([...known.keys(), ...old.keys(), ...now.keys()])) {
    const compare = known.get(key) ?? unclassified(key);
    yield* compare(old.get(key) as never, now.get(key) as never, into(spot, key));
  }
}

function unclassified(key: string): CompareKey<unknown> {
  return differ("unclassified_change", `\`${key}\``);
}

/** Any difference is one of the rule. */
export function differ(rule: ChangeRuleId, what: string): CompareKey<unknown> {
  return function* (before, after, spot) {
    if (!sameValue(before, after)) yield change(rule, spot, before, after, what);
  };
}

/** Present or not, and else differing: three rules. */
export function presence(
  rules: { readonly added: ChangeRuleId; readonly removed: ChangeRuleId; readonly changed: ChangeRuleId },
  what: string,
): CompareKey<unknown> {
  return function* (before, after, spot) {
    if (sameValue(before, after)) return;
    const rule = before === undefined ? rules.added : after === undefined ? rules.removed : rules.changed;
    yield change(rule, spot, before, after, what);
  };
}

/** Names that came, and names that went. */
export function members(added: ChangeRuleId, removed: ChangeRuleId, what: string): CompareKey<readonly string[]> {
  return function* (before, after, spot) {
    const [gone, come] = [membersLost(before, after), membersLost(after, before)];
    if (gone.length > 0) yield change(removed, spot, gone, undefined, what);
    if (come.length > 0) yield change(added, spot, undefined, come, what);
  };
}

/** A number that went down, or up. */
export function bounds(lowered: ChangeRuleId, raised: ChangeRuleId, what: string): CompareKey<number> {
  return function* (before, after, spot) {
    if (before === after) return;
    if (before === undefined || after === undefined) yield change("unclassified_change", spot, before, after, what);
    else yield change(after < before ? lowered : raised, spot, before, after, what);
  };
}

/** Elsewhere. */
export const skip: CompareKey<unknown> = () => [];
