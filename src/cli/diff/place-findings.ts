import { basename, dirname, join } from "node:path";
import type { Change } from "../../surface/diff/change.ts";
import { openPlacer } from "../drift/place-change.ts";
import { nameFile, type Side } from "./read-side.ts";
import { soundCuration } from "./sound-curation.ts";

/** Where to look for what a change is about: the line of the curation of `head` that says it, else the tool's in the manifest. */
export async function openPlaces(
  head: Side,
): Promise<(change: Change) => { readonly file: string; readonly line: number }> {
  const { target, text = "" } = head;
  const named = target.kind === "git" ? target.file : nameFile(target.file);
  const compiled = await soundCuration(head, "head");
  if (compiled === undefined) return (change) => ({ file: named, line: lineIn(text, change) });
  // Of a lock file the curation lies beside it.
  const file = join(dirname(named), basename(compiled.request.file));
  const place = openPlacer(compiled.curation, compiled.toolset);
  return (change) => ({ file, line: place(change).line });
}

/** A manifest is written a value a line. */
function lineIn(text: string, { tool }: Change): number {
  if (tool === null) return 1;
  const name = tool.split("/")[0] ?? tool;
  const at = text.split("\n").indexOf(`      "name": ${JSON.stringify(name)},`);
  return at === -1 ? 1 : at + 1;
}
