import type { Curation } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { TagChoice } from "../../model/visible/hide-by-tags.ts";
import { hintFor, type Report } from "../open-report.ts";

/** A tag that no tool carries is misspelt: taken as it is, `exclude` of it would show what was to be hidden. */
export function checkTagChoice(choice: TagChoice, { content }: Curation, report: Report): void {
  const known = [...new Set(Object.values(content.tools).flatMap(({ tags = [] }) => tags))];
  for (const tag of [choice.all, choice.any, choice.exclude].flatMap((tags = []) => tags)) {
    if (known.includes(tag)) continue;
    const message = `No tool carries the tag "${tag}", by which tools are to be chosen.`;
    report.add("error", "unknown_tag", ["tools"], message, hintFor(nearestNames(tag, known), known));
  }
}
