import type { NullOnNegation } from "../model/filter.ts";
import {
  type Clause,
  type CompareLeaf,
  type Dialect,
  type Leaf,
  type LeafOp,
  type MemberLeaf,
  valuePathsOf,
} from "./dialect.ts";
import { findFault, noOperator } from "./find-fault.ts";
import { group, missingClause } from "./push-negation.ts";
import { NotExpressible } from "./refusal.ts";

const NEGATIVE: ReadonlySet<LeafOp> = new Set(["ne", "not_in", "not_contains"]);
const POSITIVE: Readonly<Partial<Record<LeafOp, LeafOp>>> = { ne: "eq", not_in: "in", not_contains: "contains" };

/**
 * The same filter in operators that the dialect has for the type of each field. A list becomes a chain of equalities, and a negation that
 * the upstream would take as dropping rows without a value gets "or has no value" beside it. Throws `NotExpressible` where no rule keeps
 * the meaning.
 */
export function lowerLeaves(clause: Clause, dialect: Dialect, upstream: NullOnNegation | undefined): Clause {
  const nulls = upstream ?? dialect.nullOnNegation;
  const lower = (one: Clause): Clause =>
    one.kind === "leaf" ? lowerLeaf(one.leaf, dialect, nulls) : group(one.kind, one.parts.map(lower), one.path);
  return lower(clause);
}

function lowerLeaf(leaf: Leaf, dialect: Dialect, nulls: NullOnNegation | undefined): Clause {
  const native = lowerNative(leaf, dialect);
  if (native instanceof NotExpressible) throw native;
  const mayMiss = leaf.field.nullable && !dialect.neverMissing?.includes(leaf.field.type);
  if (!NEGATIVE.has(leaf.op) || !mayMiss || (nulls === "keep" && !native.drops)) return native.clause;
  if (nulls === undefined) throw unknownNulls(leaf, dialect);
  const missing = missingClause(leaf, leaf.op === "not_contains" ? "none over contains" : leaf.op);
  if (!hasGroup("or", dialect) || findFault(missing.leaf, dialect)) throw noOperator(missing.leaf, dialect);
  return group("or", [native.clause, missing], leaf.path);
}

/** `drops`: the way there leaves out rows without a value, whatever the upstream does when it negates. */
interface Way {
  readonly clause: Clause;
  readonly drops?: true;
}

/** The first of the ways to say a leaf that the dialect has, or why the plainest of them cannot be written. */
function lowerNative(leaf: Leaf, dialect: Dialect): Way | NotExpressible {
  if (leaf.kind === "member" && leaf.values.length === 1) {
    const alone = firstWay([asEquality(leaf)[0]!], dialect);
    if (!(alone instanceof NotExpressible)) return alone;
  }
  return firstWay([leaf, ...otherWays(leaf)], dialect, leaf);
}

type Candidate = Leaf | { readonly kind: "and" | "or"; readonly parts: readonly Leaf[]; readonly drops?: true };

function firstWay(
  candidates: readonly Candidate[],
  dialect: Dialect,
  asked = candidates[0] as Leaf,
): Way | NotExpressible {
  const faults: NotExpressible[] = [];
  for (const candidate of candidates) {
    const parts = "parts" in candidate ? candidate.parts : [candidate];
    if ("parts" in candidate && parts.length > 1 && !hasGroup(candidate.kind, dialect)) continue;
    const written = parts.map((part) => writeNative(part, dialect));
    const fault = written.find((part) => part instanceof NotExpressible);
    if (fault) faults.push(fault);
    else if (!("parts" in candidate)) return { clause: written[0] as Clause };
    else {
      const clause = group(candidate.kind, written as readonly Clause[], asked.path);
      return { clause, ...(candidate.drops && { drops: true }) };
    }
  }
  // A value that cannot be written says more than an operator that is not there.
  return faults.find(({ isOfValue }) => isOfValue) ?? faults[0] ?? noOperator(asked, dialect);
}

/** Whether the dialect has groups of a kind at all; which of them may be inside which is ruled later. */
function hasGroup(kind: "and" | "or", { groups }: Dialect): boolean {
  return groups.shape !== "single" && groups.shape !== (kind === "and" ? "any" : "all");
}

/** A leaf as the dialect has it, itself or through the dialect's own negation. */
function writeNative(leaf: Leaf, dialect: Dialect): Clause | NotExpressible {
  const fault = findFault(leaf, dialect);
  if (!fault) return { kind: "leaf", leaf };
  const positive = dialect.negates ? POSITIVE[leaf.op] : undefined;
  if (!positive) return fault;
  const inside = { ...leaf, op: positive } as Leaf;
  return findFault(inside, dialect) ?? { kind: "leaf", leaf: inside, not: true };
}

/** One operator through others, where they mean the same. */
function otherWays(leaf: Leaf): readonly Candidate[] {
  const { field, path } = leaf;
  if (leaf.kind === "member") return [{ kind: leaf.op === "in" ? "or" : "and", parts: asEquality(leaf) }];
  if (leaf.kind !== "compare" || (leaf.op !== "eq" && leaf.op !== "ne")) return [];
  const op = leaf.op === "eq" ? "in" : "not_in";
  const member: Leaf = { kind: "member", op, field, values: [leaf.value], path, valuePaths: valuePathsOf(leaf) };
  const apart: Candidate = {
    kind: "or",
    parts: [
      { ...leaf, op: "lt" },
      { ...leaf, op: "gt" },
    ],
    drops: true,
  };
  if (leaf.op === "eq") return [member];
  return field.type === "boolean" ? [member, { kind: "or", parts: [opposite(leaf)], drops: true }] : [member, apart];
}

/** Of the two truth values the one that it is not. */
function opposite(leaf: CompareLeaf): Leaf {
  const wire = leaf.value.text !== "true";
  return { ...leaf, op: "eq", value: { type: "boolean", text: String(wire), wire } };
}

function asEquality(leaf: MemberLeaf): readonly Leaf[] {
  const { field, path } = leaf;
  const paths = valuePathsOf(leaf);
  const op = leaf.op === "in" ? "eq" : "ne";
  return leaf.values.map((value, index) => ({ kind: "compare", op, field, value, path, valuePaths: [paths[index]!] }));
}

function unknownNulls({ op, field, path }: Leaf, dialect: Dialect): NotExpressible {
  const what = op === "not_contains" ? "none" : op;
  return new NotExpressible(
    path,
    `It is not known whether the upstream keeps rows without \`${field.name}\` under \`${what}\` (${dialect.name}).`,
  );
}
