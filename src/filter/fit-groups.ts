import type { FilterLimits } from "../model/filter.ts";
import type { Clause, Dialect, GroupClause, LeafClause } from "./dialect.ts";
import { group } from "./push-negation.ts";
import { NotExpressible } from "./refusal.ts";

/**
 * The same filter in groups that the dialect has: two-level dialects get it multiplied out, within their bounds. Throws `NotExpressible`
 * where it does not fit.
 */
export function fitGroups(clause: Clause, dialect: Dialect, limits: FilterLimits): Clause {
  const fitted = FITS[dialect.groups.shape](clause, { dialect, limits });
  const { leaves = Number.POSITIVE_INFINITY } = limits;
  const count = leavesOf(fitted).length;
  if (count > leaves)
    throw refuse(clause, `${dialect.name} takes at most ${leaves} conditions, and this needs ${count}.`);
  return fitted;
}

interface Bounds {
  readonly dialect: Dialect;
  readonly limits: FilterLimits;
}
type Fit = (clause: Clause, bounds: Bounds) => Clause;

const FITS: Readonly<Record<Dialect["groups"]["shape"], Fit>> = {
  free: (clause, bounds) => {
    const { name, groups } = bounds.dialect;
    const tooDeep = findGroup(clause, (_, level) => level > groups.depth);
    if (!tooDeep) return clause;
    return (
      (groups.depth >= 2 ? inTwoLevels(clause, bounds) : undefined) ??
      throwRefusal(tooDeep, `${name} nests groups to a depth of ${groups.depth} only.`)
    );
  },
  all: onlyOne("and", "knows only conditions that all hold; it has no `any`"),
  any: onlyOne("or", "knows only conditions of which one holds; it has no `all`"),
  single: (clause, { dialect }) =>
    clause.kind === "leaf" ? clause : throwRefusal(clause, `${dialect.name} takes one condition alone.`),
  "one-kind": (clause, { dialect }) => {
    const nested = findGroup(clause, (_, level) => level > 1);
    return nested ? throwRefusal(nested, `${dialect.name} cannot mix \`all\` and \`any\`.`) : clause;
  },
  "any-of-all": (clause, bounds) => multiply(clause, "or", bounds),
  "all-of-any": (clause, bounds) => multiply(clause, "and", bounds),
};

function onlyOne(kind: "and" | "or", what: string): Fit {
  return (clause, { dialect }) => {
    const other = findGroup(clause, (one) => one.kind !== kind);
    return other ? throwRefusal(other, `${dialect.name} ${what}.`) : clause;
  };
}

/** More products than this are never asked of an upstream, whatever its own bound. */
const MOST_PRODUCTS = 64;

/** The clause as a list of products: each one a leaf or a group of the other kind that holds leaves only. */
function multiply(clause: Clause, outer: "and" | "or", { dialect, limits }: Bounds): Clause {
  const { alternatives = MOST_PRODUCTS, leavesOfAlternative = Number.POSITIVE_INFINITY } = limits;
  const products = productsOf(clause, outer, Math.min(alternatives, MOST_PRODUCTS), dialect);
  const most = Math.max(...products.map((leaves) => leaves.length));
  if (most > leavesOfAlternative) {
    const reason = `${dialect.name} takes at most ${leavesOfAlternative} conditions in one group, and this needs ${most}.`;
    throw refuse(clause, reason);
  }
  const path = pathOf(clause);
  const inner = outer === "and" ? "or" : "and";
  return group(
    outer,
    products.map((leaves) => group(inner, leaves, path)),
    path,
  );
}

function productsOf(
  clause: Clause,
  outer: "and" | "or",
  most: number,
  dialect: Dialect,
): readonly (readonly LeafClause[])[] {
  if (clause.kind === "leaf") return [[clause]];
  const parts = clause.parts.map((part) => productsOf(part, outer, most, dialect));
  const count = parts.reduce(
    (sum, part) => (clause.kind === outer ? sum + part.length : sum * part.length),
    clause.kind === outer ? 0 : 1,
  );
  if (count > most) {
    const reason = `${dialect.name} has groups in two levels only; multiplied out this would need ${count} of at most ${most}.`;
    throw refuse(clause, reason);
  }
  if (clause.kind === outer) return parts.flat();
  return parts.reduce<readonly (readonly LeafClause[])[]>(
    (products, part) => products.flatMap((product) => part.map((more) => [...product, ...more])),
    [[]],
  );
}

/** Multiplied out the one way or the other, where one of them is within bounds. */
function inTwoLevels(clause: Clause, bounds: Bounds): Clause | undefined {
  for (const outer of ["or", "and"] as const) {
    try {
      return multiply(clause, outer, bounds);
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error;
    }
  }
  return undefined;
}

export function leavesOf(clause: Clause): readonly LeafClause[] {
  return clause.kind === "leaf" ? [clause] : clause.parts.flatMap(leavesOf);
}

/** The first group, from outside, of which `is` holds; the outermost is at level 1. */
function findGroup(
  clause: Clause,
  is: (group: GroupClause, level: number) => boolean,
  level = 1,
): GroupClause | undefined {
  if (clause.kind === "leaf") return undefined;
  if (is(clause, level)) return clause;
  for (const part of clause.parts) {
    const found = findGroup(part, is, level + 1);
    if (found) return found;
  }
  return undefined;
}

function pathOf(clause: Clause): string {
  return clause.kind === "leaf" ? clause.leaf.path : clause.path;
}

function refuse(clause: Clause, reason: string): NotExpressible {
  return new NotExpressible(pathOf(clause), reason);
}

function throwRefusal(clause: Clause, reason: string): never {
  throw refuse(clause, reason);
}
