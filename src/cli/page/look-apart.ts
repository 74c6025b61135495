import { askThread } from "../toolset/ask-thread.ts";
import { build } from "../version.ts";
import type { LookRequest, PageLook } from "./look-at-curation.ts";

export interface LookAnswer {
  /** Of the program that it was loaded from. */
  readonly build: string | undefined;
  readonly look: PageLook;
}

/** The same as `lookAtCuration` in a thread; in this one where the source runs unbuilt, or the program was taken away or replaced since it began. */
export async function lookApart(request: LookRequest): Promise<PageLook> {
  const { file, root, explored } = request;
  const told =
    build === undefined
      ? undefined
      : await askThread<LookAnswer>(PROGRAM, { file, root, ...(explored !== undefined && { explored }) });
  if (told !== undefined && told.build === build) return told.look;
  const { lookAtCuration } = await import("./look-at-curation.ts");
  return lookAtCuration(request);
}

const PROGRAM = new URL("./page-worker.js", import.meta.url);
