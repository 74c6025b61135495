import { sharedPart } from "../../shared-part.ts";
import type { Change } from "../change.ts";
import { answersTo, type Unit } from "./list-units.ts";
import { changeSaying } from "./make-change.ts";
import { inputOverlap, type UnitPair, type UnitPairs } from "./pair-units.ts";
import { sameValue } from "./same-value.ts";

/** How tools are called: which came, went, moved or got another name, and which old names are still served. */
export function* compareNames(base: readonly Unit[], head: readonly Unit[], pairs: UnitPairs): Iterable<Change> {
  for (const unit of pairs.removed) yield tellRemoved(unit);
  for (const pair of pairs.replaced) {
    const message = `\`${pair.before.label}\` is no longer listed; \`${pair.after.label}\` answers to the name.`;
    yield changeSaying("tool_replaced", at(pair.before), pair.before.label, pair.after.label, message);
  }
  for (const pair of pairs.renamed) yield tellRenamed(pair);
  for (const unit of pairs.added) yield tellAdded(unit, head);
  yield* compareExposure(base, head, pairs.same);
  for (const pair of [...pairs.same, ...pairs.renamed]) yield* compareAliases(pair, head);
  for (const pair of pairs.replaced) yield* compareLostAliases(pair, head);
  for (const pair of pairs.same) yield* compareMeaning(pair, head);
}

/** A name that stands for another tool now, and the tool for which it stood has another name. */
function* compareMeaning({ before, after }: UnitPair, head: readonly Unit[]): Iterable<Change> {
  const was = before.conduct;
  if (was.operations.length === 0 || sharedPart(was.operations, after.conduct.operations) > 0) return;
  const now = head.find((one) => one !== after && sameValue(one.conduct.requests, was.requests));
  if (now === undefined) return;
  const message = `\`${before.label}\` is another tool now; what it did is done by \`${now.label}\`.`;
  yield changeSaying("name_taken", at(after, "/name"), before.label, now.label, message);
}

function at({ label }: Unit, path = "") {
  return { tool: label, path };
}

function tellRemoved(unit: Unit): Change {
  return changeSaying("tool_removed", at(unit), unit.label, undefined, `\`${unit.label}\` is gone.`);
}

function tellRenamed({ before, after }: UnitPair): Change {
  const spot = at(after, "/name");
  const [was, is] = [before.label, after.label];
  if (answersTo(after, before))
    return changeSaying(
      "tool_renamed_served",
      spot,
      was,
      is,
      `\`${was}\` is now \`${is}\`, which still answers to the old name.`,
    );
  const message = `\`${was}\` looks renamed to \`${is}\`, which does not answer to the old name.`;
  return changeSaying("tool_renamed", spot, was, is, message);
}

/** Two tools that send the same with nearly the same arguments. */
const ALIKE = 0.8;

function tellAdded(unit: Unit, head: readonly Unit[]): Change {
  const twin = head.find(
    (other) =>
      other !== unit &&
      sharedPart(other.conduct.operations, unit.conduct.operations) === 1 &&
      inputOverlap(other, unit) >= ALIKE &&
      !unit.seen.description.includes("Not for: "),
  );
  if (twin === undefined)
    return changeSaying("tool_added", at(unit), undefined, unit.label, `\`${unit.label}\` is new.`);
  const message = `\`${unit.label}\` is new, and sends the same as \`${twin.label}\` with nearly the same arguments.`;
  return changeSaying("tool_overlaps", at(unit), undefined, unit.label, message);
}

/** Tools that are called in another way: all together where the form of the whole list changed. */
function* compareExposure(base: readonly Unit[], head: readonly Unit[], same: readonly UnitPair[]): Iterable<Change> {
  const called = same.filter(({ before, after }) => before.action?.discriminator !== after.action?.discriminator);
  const moved = same.filter((pair) => pair.before.label !== pair.after.label && !answersTo(pair.after, pair.before));
  const [was, is] = [isGrouped(base), isGrouped(head)];
  if (was !== is && moved.length > 0) {
    const message = `${moved.length === 1 ? "One tool is" : `${moved.length} tools are`} now called ${is ? "as actions of groups" : "each by itself"}: \`${moved[0]!.before.label}\` is \`${moved[0]!.after.label}\`${moved.length > 1 ? ", and so on" : ""}.`;
    const labels = (side: keyof UnitPair) => moved.map((pair) => pair[side].label);
    yield changeSaying("exposure_changed", { tool: null, path: "/tools" }, labels("before"), labels("after"), message);
    return;
  }
  for (const { before, after } of moved) {
    const message = `\`${before.label}\` is now called as \`${after.label}\`.`;
    yield changeSaying("action_moved", at(after, "/name"), before.label, after.label, message);
  }
  const renamed = new Map(
    called.flatMap(({ before, after }) =>
      before.action === undefined || after.action?.tool !== before.action.tool
        ? []
        : [[after.action.tool, [before.action, after.action] as const]],
    ),
  );
  for (const [tool, [old, now]] of renamed) {
    const message = `The action of \`${tool}\` was chosen by \`${old.discriminator}\` and is chosen by \`${now.discriminator}\`.`;
    yield changeSaying(
      "discriminator_changed",
      { tool, path: "/group/discriminator" },
      old.discriminator,
      now.discriminator,
      message,
    );
  }
}

function isGrouped(units: readonly Unit[]): boolean {
  return units.some(({ action }) => action !== undefined);
}

function* compareAliases({ before, after }: UnitPair, head: readonly Unit[]): Iterable<Change> {
  // In another form of the list there are other old names.
  if ((before.action === undefined) !== (after.action === undefined)) return;
  yield* compareLostAliases({ before, after }, head);
  const old = namesOf(before);
  for (const name of after.seen.aliases ?? []) {
    if (old.has(name)) continue;
    yield changeSaying("alias_added", at(after, "/aliases"), undefined, name, `\`${name}\` is served as an old name.`);
  }
}

function* compareLostAliases({ before, after }: UnitPair, head: readonly Unit[]): Iterable<Change> {
  const now = namesOf(after);
  for (const name of before.seen.aliases ?? []) {
    if (now.has(name)) continue;
    const other = head.find(
      (one) =>
        one !== after &&
        namesOf(one).has(name) &&
        (one.action?.tool === after.action?.tool || one.name === name || after.action === undefined),
    );
    const message =
      other === undefined
        ? `The old name \`${name}\` is no longer served.`
        : `The old name \`${name}\` now calls \`${other.label}\`.`;
    yield changeSaying(
      other === undefined ? "alias_removed" : "alias_taken",
      at(after, "/aliases"),
      name,
      other?.label,
      message,
    );
  }
}

/** All by which it is reached. */
function namesOf({ name, action, seen }: Unit): ReadonlySet<string> {
  return new Set([name, ...(action === undefined ? [] : [action.name]), ...(seen.aliases ?? [])]);
}
