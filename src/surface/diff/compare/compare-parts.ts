import { unescapeToken } from "../../../model/json-pointer.ts";
import type { ManifestPart } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import type { CompareKey } from "./compare-keys.ts";
import { change, changeSaying, into } from "./make-change.ts";
import { sameValue } from "./same-value.ts";

/** Pieces of which only that they are other ones can be told: a change each, to be put together by `joinParts`. */
export function compareParts(rule: ChangeRuleId): CompareKey<Readonly<Record<string, ManifestPart>>> {
  return function* (before = {}, after = {}, spot) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const name of [...new Set([...old.keys(), ...now.keys()])].toSorted())
      if (!sameValue(old.get(name), now.get(name)))
        yield change(rule, into(spot, name), old.get(name), now.get(name), `\`${name}\``);
  };
}

const WHOLES: readonly (readonly [rule: ChangeRuleId, path: string, words: string])[] = [
  ["requests_changed", "/conduct/requests", "Arguments become other requests"],
  ["replies_changed", "/conduct/replies", "Answers become other replies"],
];
const MOST_NAMED = 5;

/** The changes with those of pieces as one a tool, which names them. */
export function joinParts(changes: readonly Change[]): readonly Change[] {
  return WHOLES.reduce(joinOne, changes);
}

function joinOne(changes: readonly Change[], [rule, path, words]: (typeof WHOLES)[number]): readonly Change[] {
  const parts = changes.filter((one) => one.rule === rule);
  const [first] = parts;
  if (first === undefined) return changes;
  const names = parts.map((one) => nameOfPart(one));
  const further = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const message = `${words}: ${names
    .slice(0, MOST_NAMED)
    .map((name) => `\`${name}\``)
    .join(", ")}${further}.`;
  const side = (which: "before" | "after") =>
    Object.fromEntries(parts.flatMap((one, at) => (one[which] === null ? [] : [[names[at]!, one[which]]])));
  const whole = changeSaying(rule, { tool: first.tool, path }, side("before"), side("after"), message);
  return [...changes.filter((one) => one.rule !== rule), whole];
}

export function nameOfPart({ path }: Pick<Change, "path">): string {
  return unescapeToken(path.split("/").at(-1) ?? "");
}
