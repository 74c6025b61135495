import type { Chosen } from "../choose/choose-tools.ts";
import type { Identity } from "../choose/find-identity.ts";
import { findProducer, isIdName, keySlots, listsThings, rowsName, type Source } from "../choose/find-producer.ts";
import type { Slot } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { ViewSchema } from "../survey/view-schema.ts";
import { foldName, snakeOf, thingOfKey } from "../word/nouns.ts";

/** A kind of identifier: which tool lists it, in which column. */
export interface DraftEntity {
  readonly name: string;
  readonly from: string;
  readonly identity: Identity;
}

export interface Entities {
  readonly all: readonly DraftEntity[];
  /** By operation, then by place: the entity's name. */
  readonly of: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** `customer_id`, and `customer` where customers are listed; `user` may be a name as well where it is no text. */
function namesThing({ name, view: { type } }: Slot, facts: readonly Fact[]): boolean {
  if (isIdName(name)) return true;
  const thing = thingOfKey(name.replace(/_token$/, ""));
  return (
    type === "string" &&
    thing.length > 3 &&
    facts.some(
      (fact) =>
        fact.body.kind === "rows" &&
        listsThings(fact) &&
        (foldName(fact.resource.thing) === thing || rowsName(fact) === thing),
    )
  );
}

/** Runs of an evaluation are none of a conversation: what is listed below one thing is no part of what stands below another. */
function listsBeside(source: Source | undefined, fact: Fact): Source | undefined {
  const own = new Set(keySlots(fact).map(({ name }) => name));
  const needs = source === undefined ? [] : keySlots(source.fact);
  return own.size === 0 || needs.every(({ name }) => own.has(name)) ? source : undefined;
}

/** Names the sources of every key among the chosen tools, also of optional ones where a chosen list tells their values. */
export function nameEntities(
  chosen: readonly Chosen[],
  names: ReadonlyMap<string, string>,
  viewOf: ViewSchema,
): Entities {
  const facts = chosen.map(({ fact }) => fact);
  const byColumn = new Map<string, DraftEntity>();
  const taken = new Set<string>();
  const nameOf = (source: Source, slot: Slot): string | undefined => {
    const from = names.get(source.fact.entry.key);
    if (from === undefined) return undefined;
    const { column } = source.identity;
    const key = `${from}.${column}`;
    const known = byColumn.get(key);
    if (known !== undefined) return known.name;
    const thing = source.fact.resource.thing || "item";
    const name =
      [thing, `${thing}_${snakeOf(column)}`, snakeOf(slot.name), snakeOf(key)].find((one) => !taken.has(one)) ?? key;
    taken.add(name);
    byColumn.set(key, { name, from, identity: source.identity });
    return name;
  };
  const of = new Map(
    chosen.map(({ fact, sources }) => {
      const places = fact.slots.flatMap((slot): [string, string][] => {
        const isOptionalKey =
          !slot.required && slot.in !== "path" && slot.view.items === undefined && namesThing(slot, facts);
        const source =
          sources.get(slot.place) ??
          (isOptionalKey ? listsBeside(findProducer(slot, fact, facts, viewOf), fact) : undefined);
        const name = source === undefined ? undefined : nameOf(source, slot);
        return name === undefined ? [] : [[slot.place, name]];
      });
      return [fact.entry.key, new Map(places)] as const;
    }),
  );
  return { all: [...byColumn.values()], of };
}
