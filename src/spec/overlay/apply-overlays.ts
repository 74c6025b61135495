import { dirname, resolve } from "node:path";
import type { Egress } from "../../egress/open-egress.ts";
import type { SpecFile } from "../../model/api.ts";
import { isUrl } from "../../model/is-url.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { checkBounds } from "../check-bounds.ts";
import { digestOf } from "../parse-bytes.ts";
import { readSource } from "../read-source.ts";
import { applyAction } from "./apply-action.ts";
import { type Note, readOverlay } from "./read-overlay.ts";

export interface Overlaid {
  readonly root: JsonObject;
  /** Whether an overlay may have brought an `$id`. */
  readonly mayHaveIds: boolean;
  readonly files: readonly SpecFile[];
  readonly problems: readonly Problem[];
}

/**
 * Applies OpenAPI Overlays (1.0, 1.1) to a document, each to what the one before has left. The document itself stays as it is. What is wrong with
 * an overlay is a problem at its line; one that cannot be had at all throws UnreadableInput.
 */
export async function applyOverlays(
  spec: JsonObject,
  source: string,
  overlays: readonly string[],
  egress: Egress | undefined,
): Promise<Overlaid> {
  let root = spec;
  let hasCopies = false;
  let mayHaveIds = false;
  const files: SpecFile[] = [];
  const problems: Problem[] = [];
  for (const name of overlays) {
    const { bytes } = await readSource(name, egress);
    files.push({ path: name, sha256: digestOf(bytes) });
    const { overlay, report } = readOverlay(name, bytes);
    mayHaveIds ||= overlay.mayHaveIds;
    checkExtends(overlay.extends, name, source, report.note);
    for (const action of overlay.actions) {
      hasCopies ||= action.change.kind === "copy";
      const next = applyAction(root, action, overlay.version, report.note);
      if (isJsonObject(next)) root = next;
      else report.note("error", "overlay_broken", action.pointer, "The spec is no object after this action.");
    }
    problems.push(...report.problems);
  }
  // Copies of copies double with each action.
  if (hasCopies) checkBounds(`${overlays.at(-1)}: the spec after its overlays`, root);
  return { root, mayHaveIds, files, problems };
}

/** An overlay may say which document it was written for; only for a file beside it can we tell that it is another one. */
function checkExtends(stated: string | undefined, overlay: string, source: string, note: Note): void {
  if (stated === undefined) return;
  const isOther = URL.canParse(stated)
    ? isUrl(source) && new URL(stated).href !== new URL(source).href
    : isUrl(overlay) === isUrl(source) && beside(overlay, stated) !== beside(source, "");
  if (isOther)
    note(
      "warning",
      "overlay_extends",
      "#/extends",
      `This overlay says that it is for ${stated}, and is applied to ${source}.`,
    );
}

/** A reference as read from a file or URL; the file or URL itself for the empty one. */
function beside(base: string, reference: string): string {
  if (isUrl(base)) return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
  return reference === "" ? resolve(base) : resolve(dirname(base), reference);
}
