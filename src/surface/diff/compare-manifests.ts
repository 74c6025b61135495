import { compareTexts } from "../../model/compare-texts.ts";
import type { Manifest } from "../manifest-format.ts";
import { CHANGE_CLASSES, type Change } from "./change.ts";
import { compareGroups } from "./compare/compare-groups.ts";
import { compareNames } from "./compare/compare-names.ts";
import { compareProfiles } from "./compare/compare-profiles.ts";
import { compareServer } from "./compare/compare-server.ts";
import { type Around, compareUnit } from "./compare/compare-unit.ts";
import { listUnits } from "./compare/list-units.ts";
import { openSayings } from "./compare/open-sayings.ts";
import { pairUnits, type UnitPair } from "./compare/pair-units.ts";

/**
 * What is different between two manifests to agents and programs that use the list, the worst first. Of what they were made from and by
 * nothing is told, nor of the order of keys. Pure.
 */
export function compareManifests(base: Manifest, head: Manifest): readonly Change[] {
  const [before, after] = [listUnits(base), listUnits(head)];
  const pairs = pairUnits(before, after);
  const around = { base, head, sayings: openSayings(before, after, pairs) };
  const ofActions = [
    ...compareNames(before, after, pairs),
    ...[...pairs.same, ...pairs.renamed].flatMap((pair) => compareUnit(pair, around)),
    ...pairs.replaced.flatMap((pair) => whatFails(pair, around)),
  ];
  return [
    ...compareServer(base, head, around.sayings),
    ...ofActions,
    ...compareGroups(base, head, ofActions, around.sayings),
    ...compareProfiles(base, head, pairs.renamed),
  ].toSorted(byWeight);
}

/** Of a tool that only answers to the name of another: what calls and readers of that other would miss. */
function whatFails(pair: UnitPair, around: Around): readonly Change[] {
  return compareUnit(pair, around).filter((one) => one.class === "BREAKING" || one.class === "UNKNOWN");
}

function byWeight(a: Change, b: Change): number {
  const weight = CHANGE_CLASSES.indexOf(a.class) - CHANGE_CLASSES.indexOf(b.class);
  return (
    weight || compareTexts(a.tool ?? "", b.tool ?? "") || compareTexts(a.path, b.path) || compareTexts(a.rule, b.rule)
  );
}
