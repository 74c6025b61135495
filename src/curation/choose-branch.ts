import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** Of the ways to write a value, the one that its author meant with what is wrong in it, or else all that would have been right. */
export type Choice =
  | { readonly kind: "branch"; readonly issues: readonly Issue[] }
  | { readonly kind: "none"; readonly types: readonly string[]; readonly values: readonly string[] };

/** A branch whose own type fits was meant; of several, the one with the fewest keys unknown or missing. */
export function chooseBranch(branches: readonly (readonly Issue[])[]): Choice {
  const flat = branches.flatMap(flatten);
  const meant = flat.filter((issues) => !issues.some(isOwnType));
  const [first, ...rest] = meant;
  if (first !== undefined) {
    const best = rest.reduce((best, one) => (badness(one) < badness(best) ? one : best), first);
    return { kind: "branch", issues: rest.length === 0 ? best : oneOfMany(best, meant) };
  }
  const own = flat.flatMap((issues) => issues.filter(isOwnType));
  return {
    kind: "none",
    types: own.flatMap((issue) => (issue.code === "invalid_type" ? [issue.expected] : [])),
    values: own.flatMap((issue) => (issue.code === "invalid_value" ? issue.values.map(String) : [])),
  };
}

/**
 * Where several mappings would do, a key that none of them knows stands for one that they ask for: it is not missing as well, and what
 * was meant may be a key of any.
 */
function oneOfMany(best: readonly Issue[], meant: readonly (readonly Issue[])[]): readonly Issue[] {
  const known = meant.flatMap((issues) =>
    issues.flatMap(({ code, message }) => (code === KEYS ? message.split(" ") : [])),
  );
  if (!best.some(({ code }) => code === KEYS)) return best;
  const lacking = (issue: Issue) =>
    issue.code === "invalid_type" && issue.path.length === 1 && issue.input === undefined;
  return best
    .filter((issue) => !lacking(issue))
    .map((issue) => (issue.code === KEYS ? { ...issue, message: [...new Set(known)].join(" ") } : issue));
}

const KEYS = "unrecognized_keys";

/** A union inside a union at the same place is as if its branches stood side by side. */
function flatten(issues: readonly Issue[]): (readonly Issue[])[] {
  const [only, ...more] = issues;
  const isNested =
    only?.code === "invalid_union" && more.length === 0 && only.path.length === 0 && only.errors.length > 0;
  return isNested ? only.errors.flatMap(flatten) : [issues];
}

function isOwnType(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function badness(issues: readonly Issue[]): number {
  // A mapping that does not know a key was meant less than one that knows it and finds a mistake inside.
  const weight = ({ path }: Issue) => (path.length === 0 ? 4 : 2);
  return issues.reduce((sum, issue) => sum + (issue.code === KEYS ? weight(issue) * issue.keys.length : 1), 0);
}
