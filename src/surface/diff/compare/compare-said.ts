import { capitalize } from "../../../model/capitalize.ts";
import type { Said } from "../../../model/said.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { type CompareKey, compareKeys, skip } from "./compare-keys.ts";
import { change, changeSaying, into, type Spot } from "./make-change.ts";
import { membersLost, sameMembers } from "./same-value.ts";

/** What the spec says of the values in a reply. Names that are only in one of the two are told of the output schema. */
export const compareSaid: CompareKey<Said> = (before = {}, after = {}, spot) =>
  foldBelow([...compareValue(before, after, spot, "")], spot);

const BELOW: ReadonlySet<string> = new Set<ChangeRuleId>(["output_below_changed", "output_below_added"]);

/** Once for each field of the reply: what refers to everything changes at many places when anything does. */
function foldBelow(changes: readonly Change[], { path: outside }: Spot): readonly Change[] {
  const keyOf = ({ rule, path }: Change) => `${rule} ${path.slice(outside.length).split("/").slice(0, 3).join("/")}`;
  const counts = new Map<string, number>();
  for (const one of changes) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return changes.flatMap((one) => {
    const count = counts.get(keyOf(one));
    if (!BELOW.has(one.rule) || count === 1) return [one];
    counts.delete(keyOf(one));
    // Its others went with the first.
    if (count === undefined) return [];
    return [{ ...one, message: `${one.message} So it is at ${count - 1} further places of the same field.` }];
  });
}

function* compareValue(before: Said, after: Said, spot: Spot, name: string): Iterable<Change> {
  const rule = ruleOfType(before.type, after.type);
  if (rule !== undefined)
    yield change(rule, into(spot, "type"), before.type, after.type, `the type of ${called(name)} in the spec`);
  // Of another type nothing else can be compared.
  if (rule !== undefined && rule !== "output_type_narrowed") return;
  yield* compareKeys<Said>(
    before,
    after,
    {
      type: skip,
      nullable: compareNull(name),
      // Of the object that it is in.
      optional: skip,
      format: rule === undefined ? compareFormat(name) : skip,
      enum: (_, __, at) => compareEnum(before, after, at, name),
      enumDigest: skip,
      properties: (was = {}, is = {}, at) => compareProperties(was, is, at, name),
      items: compareItems(name),
      below: compareBelow(name),
    },
    spot,
  );
}

function compareItems(name: string): CompareKey<Said> {
  return (before, after, spot) =>
    before === undefined && after === undefined ? [] : compareValue(before ?? {}, after ?? {}, spot, `${name}[]`);
}

/** What is not told can only be found to be another. Where there was nothing, something came. */
function compareBelow(name: string): CompareKey<string> {
  return function* (before, after, spot) {
    if (before === after) return;
    const [rule, what] =
      before === undefined
        ? (["output_below_added", "there is something now"] as const)
        : (["output_below_changed", "something is another"] as const);
    const message = `Inside ${called(name)}, below the names that are compared one by one, ${what}, as the spec says.`;
    yield changeSaying(rule, spot, before, after, message);
  };
}

function compareNull(name: string): CompareKey<true> {
  return function* (before, after, spot) {
    if (before === after) return;
    const [rule, says] =
      after === true ? (["output_nullable", "may be"] as const) : (["output_never_null", "is never"] as const);
    const message = `${capitalize(called(name))} ${says} null now, as the spec says.`;
    yield changeSaying(rule, spot, before === true, after === true, message);
  };
}

function* compareProperties(
  before: NonNullable<Said["properties"]>,
  after: NonNullable<Said["properties"]>,
  spot: Spot,
  outside: string,
): Iterable<Change> {
  const now = new Map(Object.entries(after));
  for (const [name, was] of Object.entries(before)) {
    const is = now.get(name);
    if (is === undefined) continue;
    const [at, within] = [into(spot, name), outside === "" ? name : `${outside}.${name}`];
    if (was.optional !== is.optional) yield tellNeed(is.optional === true, into(at, "optional"), within);
    yield* compareValue(was, is, at, within);
  }
}

function tellNeed(isOptional: boolean, spot: Spot, name: string): Change {
  const rule = isOptional ? "output_field_optional" : "output_field_promised";
  const says = isOptional ? "need not be in the reply any more" : "is now always in the reply";
  return changeSaying(rule, spot, !isOptional, isOptional, `\`${name}\` ${says}, as the spec says.`);
}

/** Undefined where they are the same. */
function ruleOfType(before: string | undefined, after: string | undefined): ChangeRuleId | undefined {
  if (before === after) return undefined;
  if (after === undefined) return "output_type_untold";
  if (before === undefined) return "output_type_told";
  const known = new Set(before.split("|"));
  const isKnown = (type: string) => known.has(type) || (type === "integer" && known.has("number"));
  return after.split("|").every(isKnown) ? "output_type_narrowed" : "output_type_changed";
}

/** Formats that only bound a number, the narrower ones first. */
const WIDTHS: readonly (readonly string[])[] = [
  ["int8", "int16", "int32", "int64"],
  ["float", "double"],
];

function compareFormat(name: string): CompareKey<string> {
  return function* (before, after, spot) {
    if (before !== after)
      yield change(ruleOfFormat(before, after), spot, before, after, `the format of ${called(name)} in the spec`);
  };
}

function ruleOfFormat(before: string | undefined, after: string | undefined): ChangeRuleId {
  const isOf = (formats: readonly string[]) => (one: string | undefined) => one === undefined || formats.includes(one);
  const widths = WIDTHS.find((formats) => [before, after].every(isOf(formats)));
  if (widths === undefined) return before === undefined ? "output_format_added" : "output_format_changed";
  const widthOf = (one: string | undefined) => (one === undefined ? widths.length : widths.indexOf(one));
  return widthOf(after) < widthOf(before) ? "output_bound_tightened" : "output_bound_relaxed";
}

function* compareEnum(before: Said, after: Said, spot: Spot, name: string): Iterable<Change> {
  const what = `the values of ${called(name)} in the spec`;
  const [was, is] = [before.enum ?? before.enumDigest, after.enum ?? after.enumDigest];
  if (was === undefined && is === undefined) return;
  if (is === undefined) yield change("output_enum_widened", spot, was, is, what);
  else if (was === undefined) yield change("output_enum_narrowed", spot, was, is, what);
  else if (before.enum === undefined || after.enum === undefined) {
    if (was !== is) yield change("output_enum_unclear", spot, was, is, what);
  } else if (!sameMembers(before.enum, after.enum)) {
    if (membersLost(before.enum, after.enum).length > 0) yield change("output_enum_narrowed", spot, was, is, what);
    if (membersLost(after.enum, before.enum).length > 0) yield change("output_enum_widened", spot, was, is, what);
  }
}

function called(name: string): string {
  return name === "" ? "the reply" : `\`${name}\``;
}
