import type { PageStyle } from "../../curation/format.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { Target } from "../places/request-places.ts";
import { type FitStyle, fitStyle } from "./fit-style.ts";

/** Tells of places in the API's styles of pages that no operation of the curation has: its lists may come unpaged for a misspelt name. */
export function checkApiPages(pages: readonly PageStyle[], targets: readonly Target[], report: Report): void {
  if (targets.length === 0) return;
  for (const [index, style] of pages.entries()) {
    const at = ["api", "pages", index];
    const looked = lacksOf(style, at, targets);
    for (const key of ["send", "size"] as const) {
      const lacks = looked.map((all) => all.find((one) => one.key === key));
      const [first] = lacks;
      if (first === undefined || lacks.includes(undefined)) continue;
      const message = `No tool's operation has \`${first.text}\`, so no list is paged so.`;
      report.add("note", "unused_pages", [...at, key], message, "Correct the place, or take the style out.");
    }
  }
}

/** What each operation lacks; nothing more is looked at once one has all. */
function lacksOf(style: PageStyle, at: EntryPath, targets: readonly Target[]): FitStyle["lacks"][] {
  const looked: FitStyle["lacks"][] = [];
  for (const target of targets) {
    const { lacks } = fitStyle(style, at, target);
    if (lacks.length === 0) return [];
    looked.push(lacks);
  }
  return looked;
}
