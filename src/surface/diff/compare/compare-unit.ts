import { namesSaid } from "../../../model/said.ts";
import type { Manifest } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import { compareConduct } from "./compare-conduct.ts";
import { compareHints } from "./compare-hints.ts";
import { compareInput } from "./compare-input.ts";
import { compareKeys, differ, type KeyTable, skip } from "./compare-keys.ts";
import { compareOutput } from "./compare-output.ts";
import { joinParts } from "./compare-parts.ts";
import { compareText } from "./compare-words.ts";
import { dropEchoes } from "./drop-echoes.ts";
import { joinRenamedColumns } from "./join-renamed-columns.ts";
import type { Seen, Unit } from "./list-units.ts";
import { changeSaying, into, type Spot } from "./make-change.ts";
import type { Sayings } from "./open-sayings.ts";
import type { UnitPair } from "./pair-units.ts";
import { sameMembers } from "./same-value.ts";

/** What is known of the two lists that the tools are in. */
export interface Around {
  readonly base: Manifest;
  readonly head: Manifest;
  readonly sayings: Sayings;
}

/** One tool, or one action of a group, before and after; not how it is named. */
export function compareUnit({ before, after }: UnitPair, around: Around): readonly Change[] {
  const spot = { tool: after.label, path: "" };
  const all = [...compareKeys<Seen>(before.seen, after.seen, UNIT, spot), ...compareUnshown(before, after, spot)];
  const found = joinRenamedColumns(all, before.conduct, after.conduct);
  const samePins = sameMembers(around.base.pins, around.head.pins);
  const isList = Object.hasOwn(after.conduct.replies, "rows");
  return joinParts(dropEchoes(found, { sayings: around.sayings, samePins, isList })).filter(
    ({ rule }) => !isOfServer(rule, around) && !(rule === "title_changed" && isInName({ before, after })),
  );
}

/** Where no schema shows which names a reply has, the spec says it. */
function compareUnshown(before: Unit, after: Unit, spot: Spot): Iterable<Change> {
  const [was, is] = [before.conduct.said, after.conduct.said];
  const isShown = before.seen.outputSchema !== undefined || after.seen.outputSchema !== undefined;
  if (isShown || was === undefined || is === undefined) return [];
  return compareOutput(namesSaid(was), namesSaid(is), into(spot, "conduct", "said"));
}

/** Its title is its name in words, and is another because the name is. */
function isInName({ before, after }: UnitPair): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return before.name !== after.name && [before, after].every(({ name, seen }) => bare(name).endsWith(bare(seen.title)));
}

/** What a change of the server does to every tool is told once, of the server. */
function isOfServer(rule: string, { base, head }: Around): boolean {
  if (rule !== "output_schema_added" && rule !== "output_schema_removed") return false;
  return base.server.structured !== head.server.structured;
}

/** How much of the list it is, and what a group is made of, are compared there. */
const ELSEWHERE = { tokens: skip, group: skip };

const UNIT: KeyTable<Seen> = {
  ...ELSEWHERE,
  name: skip,
  aliases: skip,
  title: (before, after, spot) => compareText("title_changed", spot, before, after, "The title"),
  description: (before, after, spot) => compareText("description_changed", spot, before, after, "The description"),
  annotations: (before, after, spot) => compareHints(before!, after!, spot),
  inputSchema: (before, after, spot) => compareInput(before!, after!, spot),
  outputSchema: compareOutput,
  tags: function* (before = [], after = [], spot) {
    if (!sameMembers(before, after))
      yield changeSaying("tags_changed", spot, before, after, `The tags were ${list(before)} and are ${list(after)}.`);
  },
  conduct: function* (before, after, spot) {
    if (before !== undefined && after !== undefined) yield* compareConduct(before, after, spot);
    else yield* differ("unclassified_change", "what a call does")(before, after, spot);
  },
};

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
