import { type CurrentNode, expressionRoots, type RootRead, valueRoots } from "../../curation/expression.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { OpenStep } from "./open-steps.ts";

/** Something that a step reads below the roots, and what of the step says so. */
export interface StepRead {
  readonly at: EntryPath;
  readonly read: RootRead;
}

/** All that the expressions of a step read below the roots. */
export function stepReads(step: OpenStep): StepRead[] {
  const { entry, at } = step;
  const bare = (key: string, jmespath: string | undefined, current: CurrentNode, here: EntryPath = [...at, key]) =>
    jmespath === undefined ? [] : expressionRoots({ jmespath }, current).map((read) => ({ at: here, read }));
  const when = bare("when", entry.when, "roots");
  if (step.kind === "value") return [...when, ...bare("value", step.entry.value, "roots")];
  const { forEach, all, pages } = step.entry;
  const styles = pages === undefined || pages === "none" ? [] : [pages].flat();
  return [
    ...when,
    ...bare("forEach", forEach, "roots"),
    ...(step.request?.sent ?? []).flatMap((one) => valueRoots(one.value).map((read) => ({ at: one.at, read }))),
    ...bare("all", all?.rows, "data", [...at, "all", "rows"]),
    ...styles.flatMap((style) => [
      ...bare("pages", style.more, "data"),
      ...bare("pages", "next" in style ? style.next : undefined, "data"),
    ]),
  ];
}

/**
 * What each step waits for: the steps that it reads, and the last one above it that does more than read; such a one waits for all above it, so that
 * what it changes is changed in its turn.
 */
export function needsOf(steps: readonly OpenStep[]): number[][] {
  const ids = steps.map(({ entry }) => entry.id);
  return steps.map((step, at) => {
    const above = [...Array(at).keys()];
    if (acts(step)) return above;
    const reads = stepReads(step).flatMap(({ read }) => (read.root === "steps" ? [read.name] : []));
    if (reads.includes(undefined)) return above;
    const lastActing = steps.slice(0, at).findLastIndex(acts);
    return above.filter((one) => one === lastActing || reads.includes(ids[one]));
  });
}

function acts(step: OpenStep): boolean {
  return step.kind === "call" && step.request?.safe === false;
}

/** Reports reads of steps that have not run yet. Steps that there are not at all are seen where the expression is typed. */
export function checkReads(steps: readonly OpenStep[], report: Report): void {
  const ids = steps.map(({ entry }) => entry.id);
  const reads = steps.map(stepReads);
  const readBy = (at: number) =>
    (reads[at] ?? []).flatMap(({ read }) => (read.root === "steps" ? ids.indexOf(read.name ?? "") : []));
  for (const [position, of] of reads.entries())
    for (const { at, read } of of) {
      const other = read.root === "steps" ? ids.indexOf(read.name ?? "") : -1;
      if (other < position) continue;
      const [id, wanted] = [ids[position]!, ids[other]!];
      if (reaches(other, position, readBy)) {
        const message =
          other === position ? `\`${id}\` reads itself.` : `\`${id}\` and \`${wanted}\` wait for each other.`;
        report.add("error", "step_cycle", at, message, "A step reads what the steps above it give.");
      } else {
        const message = `\`${wanted}\` stands below \`${id}\`, and a step reads only those above it.`;
        report.add("error", "later_step", at, message, `Move \`${wanted}\` up.`);
      }
    }
}

function reaches(from: number, to: number, readBy: (at: number) => number[]): boolean {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    if (at < 0 || seen.has(at)) continue;
    seen.add(at);
    open.push(...readBy(at));
  }
  return false;
}
