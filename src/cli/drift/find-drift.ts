import type { Problem } from "../../model/problem.ts";
import { type Change, CLASS_SEVERITIES } from "../../surface/diff/change.ts";
import { findChangeRule } from "../../surface/diff/change-rules.ts";
import { compareManifests } from "../../surface/diff/compare-manifests.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";
import { makeManifest } from "../../surface/manifest.ts";
import type { Checked, CheckOptions } from "../check/find-problems.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import { type Attempt, attempt, attemptWithout } from "./attempt.ts";
import { findBroken } from "./find-broken.ts";
import type { EntryPath } from "./leave-out.ts";
import { openPlacer } from "./place-change.ts";

const PREFIX = "With the new spec: ";

/** Neither list is kept, so nobody asks what it was made of. */
const MADE = { vitrine: "", from: [] };

/**
 * What a curation would lose, or show otherwise, with a newer version of its spec (a file or a URL): each finding at the curation's own line, with a
 * code that begins with `drift_`; an error is something that would break. A curation that does not fit its present spec gives its errors alone.
 * Throws `UnreadableInput`.
 */
export async function findDrift(request: ToolsetRequest, spec: string, options: CheckOptions): Promise<Checked> {
  const now = await attempt(request, options);
  const tools = Object.keys(now.curation?.content.tools ?? {});
  if (now.toolset === undefined)
    return { problems: now.problems.filter(({ severity }) => severity === "error"), tools };
  const then = await attempt(request, { ...options, spec });
  const fresh = findFresh(now, then);
  const { base, head } = await findComparable({ now, then, fresh }, (without) =>
    Promise.all([attemptWithout(now, without, options), attemptWithout(then, without, options)]),
  );
  const more = base === now ? [] : findFresh(base, head).filter(isNew(then));
  const changes = await compare(base, head);
  return { problems: [...[...fresh, ...more].map(tellProblem), ...(changes ?? [notCompared(now)])], tools };
}

interface Pair {
  readonly base: Attempt;
  readonly head: Attempt;
}

/** Both lists, where need be without what would break: at first without those inputs and fields alone, then without their tools. */
async function findComparable(
  { now, then, fresh }: { readonly now: Attempt; readonly then: Attempt; readonly fresh: readonly ToolProblem[] },
  retry: (without: readonly EntryPath[]) => Promise<readonly [Attempt, Attempt]>,
): Promise<Pair> {
  const broken = then.curation === undefined ? [] : findBroken(fresh, then.curation);
  if (broken.length === 0) return { base: now, head: then };
  const [base, head] = await retry(broken);
  if (base.toolset !== undefined && head.toolset !== undefined) return { base, head };
  const [rest, left] = await retry(broken.map((path) => path.slice(0, 2)));
  return { base: rest, head: left };
}

function isNew({ problems }: Attempt): (problem: ToolProblem) => boolean {
  const known = new Set(problems.map(idOf));
  return (problem) => !known.has(idOf(problem));
}

/** What is found with the newer spec alone. A finding whose words alone are other ones is no new one, unless it is an error. */
function findFresh(now: Attempt, then: Attempt): readonly ToolProblem[] {
  return then.problems.filter(isNew(now));
}

function idOf({ code, file, line, column, severity, message }: ToolProblem): string {
  return JSON.stringify([code, file, line, column, severity === "error" ? message : ""]);
}

async function compare(base: Attempt, head: Attempt): Promise<ToolProblem[] | undefined> {
  if (base.toolset === undefined || head.toolset === undefined || head.curation === undefined) return undefined;
  const changes = compareManifests(await makeManifest(base.toolset, MADE), await makeManifest(head.toolset, MADE));
  const place = openPlacer(head.curation, head.toolset);
  return changes.map((change) => ({ ...tellChange(change), ...place(change) }));
}

function tellChange({ rule, class: is, message }: Change) {
  const hint = findChangeRule(rule)?.why;
  return {
    code: `drift_${rule}`,
    severity: CLASS_SEVERITIES[is],
    message: `${PREFIX}${message}`,
    ...(hint !== undefined && { hint }),
  };
}

function tellProblem(problem: ToolProblem): ToolProblem {
  return { ...problem, code: `drift_${problem.code}`, message: `${PREFIX}${problem.message}` };
}

function notCompared({ curation }: Attempt): Problem {
  const message =
    "What else would change cannot be told: without the tools that would break the rest does not compile.";
  const at = curation?.locate(["tools"]) ?? { file: "", line: 1, column: 1 };
  return {
    ...at,
    code: "drift_not_compared",
    severity: "warning",
    message,
    hint: "Mend what would break, then ask again.",
  };
}
