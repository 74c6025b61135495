import { isFixed } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";
import { chooseWrites } from "./choose-writes.ts";
import { type Kinds, kindsOf, openKinds } from "./count-kinds.ts";
import { findProducer, keySlots, type Source } from "./find-producer.ts";
import { likeness } from "./like-facts.ts";
import { weighFacts } from "./weigh-facts.ts";

/** An operation that becomes a tool, and where its required values come from. */
export interface Chosen {
  readonly fact: Fact;
  /** By place; a required key that is not here comes from the person who asks. */
  readonly sources: ReadonlyMap<string, Source>;
}

export interface ChooseOptions {
  readonly most: number;
  /** Keys of operations that are not to be chosen. */
  readonly without: ReadonlySet<string>;
  /** Whatever is looked at is wanted: a person named it. */
  readonly isNamed: boolean;
  /** Some room is left for what changes something. */
  readonly writes?: boolean;
  /** Of those the most that read; two thirds unless said. */
  readonly mostReads?: number;
  /** Keys of operations that are tools already; they do not count. */
  readonly seeds?: ReadonlySet<string>;
}

/** What agents choose well from when a list already says it all. */
const ENOUGH = 14;
/** Below this an operation is no help to whoever has others. */
const LEAST = 10;
const FEW = 10;

/**
 * Chooses what becomes a tool: what the API is about first, lists with their details, and before each what gives the values that it needs. Every
 * further tool of one kind counts less, so that many kinds are seen.
 */
export function chooseTools(survey: Survey, options: ChooseOptions): Chosen[] {
  const { facts, viewOf } = survey;
  const usable = facts.filter(({ entry }) => !options.without.has(entry.key));
  const sources = new Map<string, ReadonlyMap<string, Source>>();
  const sourcesOf = (fact: Fact) => {
    const known = sources.get(fact.entry.key) ?? findSources(fact, usable, viewOf);
    sources.set(fact.entry.key, known);
    return known;
  };
  // Of a draft that also writes two thirds read.
  const mostReads =
    options.mostReads ?? (options.writes === true && !options.isNamed ? Math.ceil(options.most * 0.65) : options.most);
  const seeds = usable.filter(({ entry }) => options.seeds?.has(entry.key) === true);
  const chosen = new Map(seeds.map((fact) => [fact.entry.key, fact]));
  const left = new Set(usable.filter((fact) => !chosen.has(fact.entry.key)));
  const most = mostReads + seeds.length;
  const kinds = { ...openKinds(usable, most, viewOf), weigh: weighFacts(usable), twinsOf: openTwins(chosen) };
  while (chosen.size < most) {
    // The first is better than none.
    const best = findBest(left, chosen, usable, sourcesOf, {
      most,
      ...kinds,
      isNamed: options.isNamed || chosen.size === 0,
    });
    if (best === undefined) break;
    for (const fact of best) {
      chosen.set(fact.entry.key, fact);
      left.delete(fact);
    }
  }
  const reads = arrange([...chosen.values()]).map((fact) => ({ fact, sources: sourcesOf(fact) }));
  const room = options.most + seeds.length - reads.length;
  const writes = chooseWrites(survey, reads, { ...options, most: room });
  // What writes leave free reads take.
  if (writes.length < room && reads.length === most && options.mostReads === undefined && mostReads < options.most)
    return chooseTools(survey, { ...options, mostReads: options.most - writes.length });
  return [...reads, ...writes];
}

/** The last key first: the list that has a repository's name has its owner as well, and both are of one row. */
function findSources(fact: Fact, facts: readonly Fact[], viewOf: Survey["viewOf"]): ReadonlyMap<string, Source> {
  const found = new Map<string, Source>();
  for (const slot of keySlots(fact).toReversed()) {
    const beside = [...found.values()].map((source) => source.fact);
    const source = isFixed(slot) ? undefined : findProducer(slot, fact, facts, viewOf, beside);
    if (source !== undefined) found.set(slot.place, source);
  }
  return found;
}

type Weighed = Kinds & { readonly weigh: (fact: Fact) => number; readonly twinsOf: (fact: Fact) => number };

/** Points off an operation for what was chosen already; each pair is compared once. */
function openTwins(chosen: ReadonlyMap<string, Fact>): (fact: Fact) => number {
  const known = new Map<Fact, { of: number; points: number }>();
  return (fact) => {
    const sum = known.get(fact) ?? { of: 0, points: 0 };
    if (sum.of < chosen.size) for (const one of [...chosen.values()].slice(sum.of)) sum.points += likeness(fact, one);
    sum.of = chosen.size;
    known.set(fact, sum);
    return sum.points;
  };
}

/** The best operation with whatever it needs, in the order in which they are called. */
function findBest(
  left: ReadonlySet<Fact>,
  chosen: ReadonlyMap<string, Fact>,
  usable: readonly Fact[],
  sourcesOf: (fact: Fact) => ReadonlyMap<string, Source>,
  { most, isNamed, ...kinds }: Pick<ChooseOptions, "most" | "isNamed"> & Weighed,
): readonly Fact[] | undefined {
  const among = { ...kinds, crowd: kinds.crowdOf([...chosen.values()]) };
  const ranked = [...left]
    .map((fact) => {
      const needed = gatherNeeded(fact, chosen, sourcesOf, new Set());
      const open = keySlots(fact).filter((slot) => !sourcesOf(fact).has(slot.place) && !isFixed(slot)).length;
      const worth = worthOf(fact, needed.length - 1, open, among, chosen, usable);
      // What another chosen list has the keys of costs no further call.
      const known = [...sourcesOf(fact).values()].filter(
        (source) => chosen.has(source.fact.entry.key) && source.fact.resource.collection !== fact.resource.collection,
      ).length;
      return {
        needed,
        worth,
        order: worth + Math.min(2, known) - besideList(fact, chosen, usable) - kinds.besideWhole(fact),
      };
    })
    .filter(
      ({ needed, worth }) =>
        needed.length + chosen.size <= most && (isNamed || worth >= (chosen.size < FEW ? 0 : LEAST)),
    )
    .toSorted((a, b) => b.order - a.order);
  return ranked[0]?.needed;
}

function worthOf(
  fact: Fact,
  more: number,
  open: number,
  {
    crowd,
    saysMore,
    sizeOf,
    weigh,
    twinsOf,
  }: { readonly crowd: (kind: string) => number } & Omit<Weighed, keyof Kinds> & Pick<Kinds, "saysMore" | "sizeOf">,
  chosen: ReadonlyMap<string, Fact>,
  usable: readonly Fact[],
): number {
  const kinds = kindsOf(fact).reduce((sum, kind) => sum + Math.min(4, crowd(kind)), 0);
  const list = [...chosen.values()].find(
    (one) => one.resource.collection === fact.resource.collection && one.kind !== "detail",
  );
  const hasList = usable.some((one) => one.resource.collection === fact.resource.collection && one.kind !== "detail");
  const pair =
    fact.kind !== "detail"
      ? 0
      : list === undefined
        ? hasList || fact.below < FEW_BELOW
          ? -8
          : -4
        : pairWith(fact, saysMore(fact, list), chosen) + Math.min(2, Math.max(0, sizeOf(fact) - MUCH) / 10);
  return (
    fact.score +
    weigh(fact) -
    twinsOf(fact) -
    0.6 * kinds -
    2.5 * more -
    // One thing by a key that nobody lists is for who has it already.
    (fact.kind === "detail" ? 14 : 8) * open +
    pair +
    (fact.kind === "search" ? 1 : 0) -
    (fact.kind === "single" ? 3 + overSize(fact) : 0)
  );
}

/** Of so many details each further one counts less: a list of another kind tells more. */
const DETAILS = 5;

/** Properties; a row shows half of them. */
const MUCH = 20;

/** What happened is read one after the other: its row tells it. */
const HAPPENED = /(^|_)(event|log|entry|reading|history)$/;

function pairWith({ resource }: Fact, more: ReturnType<Kinds["saysMore"]>, chosen: ReadonlyMap<string, Fact>): number {
  if (more === "nothing") return chosen.size < ENOUGH ? -2 : -30;
  const details = [...chosen.values()].filter(({ kind }) => kind === "detail").length;
  const further = Math.max(0, details - DETAILS + 1);
  return more === "fields" ? 3 - further : 1 - 2 * further - (HAPPENED.test(resource.thing) ? 6 : 0);
}

/** Of what few operations are about no list is missed. */
const FEW_BELOW = 4;

/** What stands below a thing that there is one of says how large an area of the API is, and nothing of the thing. */
function overSize({ below }: Fact): number {
  return 2.5 * Math.log2(1 + Math.min(below, 400)) - 2.5;
}

/** A search through a collection tells little more than its list: `/charges/search` beside `/charges`. */
function besideList(
  { kind, resource: { collection } }: Fact,
  chosen: ReadonlyMap<string, Fact>,
  usable: readonly Fact[],
): number {
  if (kind !== "search") return 0;
  const parent = collection.slice(0, collection.lastIndexOf("/"));
  const list = usable.find((one) => one.kind === "list" && one.resource.collection === parent);
  return list === undefined ? 0 : chosen.has(list.entry.key) ? 12 : 5;
}

/** What must be called before, and the operation itself; a way that leads in a circle is left out. */
function gatherNeeded(
  fact: Fact,
  chosen: ReadonlyMap<string, Fact>,
  sourcesOf: (fact: Fact) => ReadonlyMap<string, Source>,
  open: ReadonlySet<string>,
): Fact[] {
  if (chosen.has(fact.entry.key) || open.has(fact.entry.key)) return [];
  const within = new Set([...open, fact.entry.key]);
  const before = [...sourcesOf(fact).values()].flatMap((source) =>
    gatherNeeded(source.fact, chosen, sourcesOf, within),
  );
  return [...new Set([...before, fact])];
}

/** By kind of thing, the list of it first; kinds in the order in which they were chosen. */
function arrange(facts: readonly Fact[]): Fact[] {
  const order = new Map<string, number>();
  for (const { resource } of facts) if (!order.has(resource.collection)) order.set(resource.collection, order.size);
  const rank = { search: 0, list: 1, detail: 2, single: 3, write: 4 } as const;
  return facts.toSorted(
    (a, b) => order.get(a.resource.collection)! - order.get(b.resource.collection)! || rank[a.kind] - rank[b.kind],
  );
}
