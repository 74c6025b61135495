import type { PortableSchema } from "../../../model/schema.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { change, changeSaying, into, type Spot } from "./make-change.ts";
import { isRequired, pairProperties, requiredUnnamed } from "./pair-properties.ts";

/** A rule, and what it says behind the property's name. */
export type Told = readonly [rule: ChangeRuleId, says: string];

/** How the properties of arguments, or of replies, are told. */
export interface PropertyRules {
  readonly removed: Told;
  readonly renamed: Told;
  readonly added: Told;
  /** One that is required at once; as `added` where that makes no difference. */
  readonly addedRequired: Told;
  readonly required: Told;
  readonly optional: Told;
  /** A name is required, or no longer, that is no property. */
  readonly unnamed: ChangeRuleId;
  /** Of the property itself. */
  compare(before: PortableSchema, after: PortableSchema, spot: Spot, name: string): Iterable<Change>;
}

/** `outside` is the object as a sentence names it; empty at the root. */
export function* compareProperties(
  before: PortableSchema,
  after: PortableSchema,
  { spot, outside }: { readonly spot: Spot; readonly outside: string },
  rules: PropertyRules,
): Iterable<Change> {
  const { both, renamed, removed, added } = pairProperties(before, after);
  const at = (name: string) => into(spot, "properties", name);
  const within = (name: string) => (outside === "" ? name : `${outside}.${name}`);
  const tell = ([rule, says]: Told, name: string, ...values: [before: unknown, after: unknown]): Change =>
    changeSaying(rule, at(name), ...values, `\`${within(name)}\` ${says}`);
  for (const [name, schema] of removed) yield tell(rules.removed, name, schema, undefined);
  for (const { old, name } of renamed) {
    const [rule, says] = rules.renamed;
    yield tell([rule, `${says} \`${within(name)}\`.`], old, old, name);
  }
  for (const [name, schema] of added)
    yield tell(isRequired(after, name) ? rules.addedRequired : rules.added, name, undefined, schema);
  for (const { name, ...pair } of both) {
    const [was, is] = [isRequired(before, name), isRequired(after, name)];
    if (was !== is) yield tell(is ? rules.required : rules.optional, name, was, is);
    yield* rules.compare(pair.before, pair.after, at(name), within(name));
  }
  const [lost, come] = requiredUnnamed(before, after);
  if (lost.length + come.length > 0)
    yield change(rules.unnamed, into(spot, "required"), lost, come, `what is required of \`${outside}\``);
  for (const { name, ...pair } of renamed) yield* rules.compare(pair.before, pair.after, at(name), within(name));
}
